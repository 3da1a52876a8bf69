// SPDX-License-Identifier: Apache-2.0
// Default arguments are filled in by a method with a mask; so are those of constructors and of functions of interfaces.
// EXPECT: race KotlinStep.width write @width then read @default
// EXPECT: race KotlinDefaultsKt.start write @start then read @from
import goldilocks.test.Order.*

private var start = 1

fun kotlinBegin(at: Int) {
    start = at // @start
}

fun kotlinStart() = start // @from

interface KotlinGoes {
    fun go(times: Int = 2, by: Int): Int = times * by
}

class KotlinStep(
    from: Int = kotlinStart(),
    val name: String = "step"
) : KotlinGoes {
    private var width = from

    fun widen(by: Int) {
        width = by // @width
    }

    fun far(
        times: Int = 2,
        by: Int = width, // @default
        vararg more: Int
    ): Int = go(times, by) + more.sum()
}

fun main() {
    val step = KotlinStep()
    must(step.far() == 2 && step.go(by = 4) == 8 && KotlinStep(name = "x").far(more = *intArrayOf(1)) == 3)
    Run.guarded({
        step.widen(3)
        kotlinBegin(5)
    }, {
        must(step.far(4) == 12)
        must(KotlinStep(name = "y").name == "y")
    })
}
