// SPDX-License-Identifier: Apache-2.0
// Variables that lambdas and local functions capture are fields of objects of kotlin.jvm.internal.
// EXPECT: race kotlin.jvm.internal.Ref$IntRef.element write @int then read @readInt
// EXPECT: race kotlin.jvm.internal.Ref$LongRef.element write @long then write @writeLong
// EXPECT: race kotlin.jvm.internal.Ref$ObjectRef.element write @object then read @readObject
import goldilocks.test.Order.*

fun main() {
    var int = 0
    var long = 0L
    var text = "none"

    fun local(n: Int) {
        int = n // @int
    }

    local(3)
    Run.guarded({
        local(1)
        long = 1L // @long
        listOf("a", "b").forEach { text = it } // @object
    }, {
        use(int.toLong()) // @readInt
        long = 2L // @writeLong
        use(text) // @readObject
    })
    use(long)
}
