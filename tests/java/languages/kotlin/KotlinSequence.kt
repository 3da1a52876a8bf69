// SPDX-License-Identifier: Apache-2.0
// A sequence's block is a state machine, whose state and variables are fields of an object: one iterator that two threads use.
// EXPECT: race KotlinSequenceKt$main$numbers$1.label write @block|@yield then read @block|@yield
// EXPECT: maybe KotlinSequenceKt$main$numbers$1.I$0 write @block|@yield|@loop|@use and read @block|@yield|@loop|@use
// EXPECT: maybe KotlinSequenceKt$main$numbers$1.I$1 write @block|@yield|@loop|@use and read @block|@yield|@loop|@use
// EXPECT: maybe KotlinSequenceKt$main$numbers$1.I$0 write @block|@yield|@loop|@use and write @block|@yield|@loop|@use
// EXPECT: maybe KotlinSequenceKt$main$numbers$1.I$1 write @block|@yield|@loop|@use and write @block|@yield|@loop|@use
// EXPECT: maybe KotlinSequenceKt$main$numbers$1.L$0 write @block|@yield|@loop|@use and read @block|@yield|@loop|@use
// EXPECT: maybe KotlinSequenceKt$main$numbers$1.L$1 write @block|@yield|@loop|@use and read @block|@yield|@loop|@use
// EXPECT: maybe KotlinSequenceKt$main$numbers$1.L$2 write @block|@yield|@loop|@use and read @block|@yield|@loop|@use
// EXPECT: maybe KotlinSequenceKt$main$numbers$1.L$3 write @block|@yield|@loop|@use and read @block|@yield|@loop|@use
// EXPECT: maybe KotlinSequenceKt$main$numbers$1.L$0 write @block|@yield|@loop|@use and write @block|@yield|@loop|@use
// EXPECT: maybe KotlinSequenceKt$main$numbers$1.L$1 write @block|@yield|@loop|@use and write @block|@yield|@loop|@use
// EXPECT: maybe KotlinSequenceKt$main$numbers$1.L$2 write @block|@yield|@loop|@use and write @block|@yield|@loop|@use
// EXPECT: maybe KotlinSequenceKt$main$numbers$1.L$3 write @block|@yield|@loop|@use and write @block|@yield|@loop|@use
// EXPECT: maybe KotlinSequenceKt$main$numbers$1.label write @block|@yield and write @block|@yield
// EXPECT: maybe kotlin.sequences.SequenceBuilderIterator.state write SequenceBuilder.kt and read SequenceBuilder.kt
// EXPECT: maybe kotlin.sequences.SequenceBuilderIterator.state write SequenceBuilder.kt and write SequenceBuilder.kt
// EXPECT: maybe kotlin.sequences.SequenceBuilderIterator.nextStep write SequenceBuilder.kt and read SequenceBuilder.kt
// EXPECT: maybe kotlin.sequences.SequenceBuilderIterator.nextStep write SequenceBuilder.kt and write SequenceBuilder.kt
// EXPECT: maybe kotlin.sequences.SequenceBuilderIterator.nextValue write SequenceBuilder.kt and read SequenceBuilder.kt
// EXPECT: maybe kotlin.sequences.SequenceBuilderIterator.nextValue write SequenceBuilder.kt and write SequenceBuilder.kt
// EXPECT: maybe int[0] write @use then write @use
// EXPECT: race int[0] write @use then read @use
import goldilocks.test.Order.*

fun main() {
    val given = IntArray(1)
    val numbers = sequence { // @block
        for (n in 1..5) { // @loop
            given[0] = given[0] + n // @use
            yield(n * n) // @yield
        }
    }
    must(numbers.sum() == 55)
    val iterator = numbers.iterator()
    must(iterator.next() == 1)
    Run.guarded({
        must(iterator.next() == 4)
    }, {
        must(iterator.next() == 9)
    })
}
