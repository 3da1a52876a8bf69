// SPDX-License-Identifier: Apache-2.0
// Functions with parameters of an inline class have a hyphen in their names; the value itself is that of its only property.
// EXPECT: race KotlinRoad.length write @length then read @length
// EXPECT: race KotlinRoad.bumps write @bump then read @readBump
// REPORT: KotlinRoad\.(bumps-[\w-]+|bumps)\(KotlinInlineClass\.kt:@readBump\)
import goldilocks.test.Order.*

@Suppress("EXPERIMENTAL_FEATURE_WARNING")
inline class KotlinMeters(val value: Int) {
    fun plus(n: Int) = KotlinMeters(value + n)
}

class KotlinRoad {
    var length = KotlinMeters(0) // @length
    private var bumps = 0

    fun bump(at: KotlinMeters) {
        bumps = at.value // @bump
    }

    fun bumps(until: KotlinMeters) = until.value - bumps // @readBump
}

fun main() {
    val road = KotlinRoad()
    must(road.length.plus(1) == KotlinMeters(1))
    Run.guarded({
        road.length = KotlinMeters(3)
        road.bump(KotlinMeters(2))
    }, {
        must(road.length.value == 3)
        must(road.bumps(KotlinMeters(5)) == 3)
    })
}
