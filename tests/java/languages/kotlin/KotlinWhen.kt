// SPDX-License-Identifier: Apache-2.0
// when over strings, ranges, types and enum constants.
// EXPECT: race KotlinWhenKt.seen write @apple then write @pear
// EXPECT: race KotlinWhenKt.other write @int then write @red
import goldilocks.test.Order.*

enum class KotlinColor { RED, GREEN }

private var seen = 0
private var other = 0L

fun kotlinWhen(what: Any): Int = when (what) {
    "apple", "Aa", "BB" -> { seen = 1; 1 } // @apple
    "pear" -> {
        seen = 2 // @pear
        2
    }
    in listOf(7, 8) -> 3
    is Int -> {
        other = what.toLong() // @int
        what
    }
    KotlinColor.GREEN -> 5
    else -> 0
}

fun kotlinWhenColor(color: KotlinColor) {
    when (color) {
        KotlinColor.RED -> other = 9 // @red
        KotlinColor.GREEN -> use(0L)
    }
}

fun main() {
    must(kotlinWhen(7) == 3 && kotlinWhen(KotlinColor.GREEN) == 5 && kotlinWhen("Bb") == 0)
    kotlinWhenColor(KotlinColor.GREEN)
    Run.guarded({
        must(kotlinWhen("BB") == 1)
        must(kotlinWhen(9) == 9)
    }, {
        must(kotlinWhen("pear") == 2)
        kotlinWhenColor(KotlinColor.RED)
    })
}
