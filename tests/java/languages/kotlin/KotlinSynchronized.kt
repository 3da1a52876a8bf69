// SPDX-License-Identifier: Apache-2.0
// synchronized and withLock are inline functions: a monitor that is left by a return out of the lambda, by an exception, by continuing a loop; @Synchronized.
// EXPECT: race KotlinLocked.value write @value then read @readValue
// EXPECT: maybe KotlinLocked.value write @value then write @value
// EXPECT: race KotlinLocked.found write @found then write @found
// EXPECT: race KotlinLocked.late write @late then read @readLate
// EXPECT: race KotlinLocked.method write @method then read @readMethod
import goldilocks.test.Order.*
import java.util.concurrent.locks.ReentrantLock
import java.util.concurrent.locks.ReentrantReadWriteLock
import kotlin.concurrent.read
import kotlin.concurrent.withLock
import kotlin.concurrent.write

class KotlinLocked {
    private val monitor = Any()
    private val lock = ReentrantLock()
    private val many = ReentrantReadWriteLock()
    private var value = 0
    private var found = 0
    private var late = 0
    private var method = 0

    // The racing run has a lock for each call.
    private fun monitor() = if (racy()) Any() else monitor

    private fun lock() = if (racy()) ReentrantLock() else lock

    private fun many() = if (racy()) ReentrantReadWriteLock() else many

    fun find(numbers: List<Int>): Int {
        for (n in numbers) {
            synchronized(monitor()) {
                try {
                    if (n > 1) {
                        found = n // @found
                        return n
                    }
                    if (n < 0)
                        throw IllegalStateException()
                } finally {
                    value = n // @value
                }
            }
        }
        return 0
    }

    fun value() = synchronized(monitor()) { value } // @readValue

    fun late(n: Int): Int = lock().withLock {
        late = n // @late
        if (n == 1)
            return@withLock 2
        n
    }

    fun late(): Int {
        lock().withLock {
            return late // @readLate
        }
    }

    fun method(n: Int) = many().write {
        method = n // @method
    }

    fun method() = many().read { method } // @readMethod
}

fun main() {
    val locked = KotlinLocked()
    must(locked.find(listOf(0, 3)) == 3 && locked.late(1) == 2 && locked.late() == 1)
    locked.method(locked.method())
    try {
        locked.find(listOf(0, -1))
        fail(AssertionError())
    } catch (e: IllegalStateException) {
        // It has left the monitor, or the second thread would wait for ever.
    }
    Run.turns({
        locked.find(listOf(3))
        locked.late(1)
        locked.method(4)
    }, {
        must(locked.value() == 3)
        locked.find(listOf(4))
        must(locked.late() == 1)
        must(locked.method() == 4)
    })
}
