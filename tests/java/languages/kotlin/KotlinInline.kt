// SPDX-License-Identifier: Apache-2.0
// Inline functions: what the lambda does has its own line; what the function itself does, copied into its caller, has the line where it was written, by
// the class file's map of lines.
// EXPECT: race KotlinInlineBox.x write @lambda then read @readLambda
// EXPECT: race KotlinInlineBox.y write @crossed then write @returned
// EXPECT: race KotlinInlineBox.z write @inlined then read @readInlined
// REPORT: KotlinInlineKt\$main\$2\.run\(KotlinInline\.kt:@readInlined\)
import goldilocks.test.Order.*

class KotlinInlineBox {
    @JvmField var x = 0
    @JvmField var y = 0
    @JvmField var z = 0
}

inline fun kotlinInlineTwice(body: (Int) -> Unit) {
    body(1)
    body(2)
}

inline fun kotlinInlineSet(box: KotlinInlineBox, value: Int) {
    use(0L)
    box.z = value // @inlined
}

inline fun kotlinInlineGet(box: KotlinInlineBox) =
    box.z // @readInlined

inline fun kotlinInlineLater(crossinline body: () -> Unit): Runnable = Runnable { body() }

fun kotlinInlineReturn(box: KotlinInlineBox, numbers: List<Int>): Int {
    numbers.forEach {
        try {
            if (it > 1) {
                box.y = it // @returned
                return it
            }
        } finally {
            use(it.toLong())
        }
    }
    return 0
}

fun main() {
    val box = KotlinInlineBox()
    val later = kotlinInlineLater {
        box.y = 1 // @crossed
    }
    must(kotlinInlineReturn(KotlinInlineBox(), listOf(1, 2)) == 2)
    Run.guarded({
        kotlinInlineTwice {
            box.x = it // @lambda
        }
        later.run()
        kotlinInlineSet(box, 3)
    }, {
        repeat(2) {
            use(box.x.toLong() + it) // @readLambda
        }
        must(kotlinInlineReturn(box, listOf(1, 2)) == 2)
        must(kotlinInlineGet(box) == 3)
    })
}
