// SPDX-License-Identifier: Apache-2.0
// Data classes: what copy, equals, hashCode and the components read, which have no lines.
// EXPECT: race KotlinPoint.x write @class then read KotlinData.kt
// EXPECT: race KotlinPoint.y write @class then read KotlinData.kt
// EXPECT: race KotlinPoint.z write @class then read KotlinData.kt
// EXPECT: race KotlinPoint.name write @class then read KotlinData.kt
// REPORT: KotlinPoint\.component1\(KotlinData\.kt
// REPORT: KotlinPoint\.copy(\$default)?\(KotlinData\.kt
import goldilocks.test.Order.*

data class KotlinPoint(var x: Int, var y: Long, var z: Double, var name: String) // @class

fun main() {
    val a = KotlinPoint(1, 2, 3.0, "a")
    val b = KotlinPoint(1, 2, 3.0, "a")
    must(a == b.copy() && a.hashCode() == b.hashCode())
    Run.guarded({
        a.x = 2
        b.y = 3
        b.z = 4.0
        a.name = "b"
    }, {
        val (x) = a
        use(x.toLong())
        use(b.copy(z = 1.0, x = 1))
        must(KotlinPoint(1, 3, 4.0, "a") == b)
        use(a.name)
    })
}
