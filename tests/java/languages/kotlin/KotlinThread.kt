// SPDX-License-Identifier: Apache-2.0
// thread { } starts a thread of a class of the library's: what was before comes before it, its end before join returns. @Synchronized methods.
// EXPECT: race KotlinThreadBox.input write @late then read @input
// EXPECT: race KotlinThreadBox.result write @result then read @early
import goldilocks.test.Order.*
import kotlin.concurrent.thread

class KotlinThreadBox {
    @JvmField var input = 0
    @JvmField var result = 0
    private var sum = 0

    @Synchronized
    fun add(n: Int): Int {
        sum += n
        return sum
    }
}

fun main() {
    val box = KotlinThreadBox()
    begin()
    if (!racy())
        box.input = 1
    val other = thread(name = "other", isDaemon = true) {
        if (racy()) {
            pass()
            await(2)
        }
        use(box.input.toLong()) // @input
        box.add(2)
        box.result = 1 // @result
        pass()
    }
    if (racy()) {
        await(1)
        box.input = 1 // @late
        pass()
        await(3)
        use(box.result.toLong()) // @early
    }
    box.add(3)
    other.join()
    must(box.result == 1 && box.add(0) == 5)
}
