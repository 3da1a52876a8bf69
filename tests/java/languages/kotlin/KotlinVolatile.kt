// SPDX-License-Identifier: Apache-2.0
// @Volatile properties order; others do not.
// EXPECT: race KotlinVolatileKt.plain write @plain then read @readPlain
// EXPECT: race int[0] write @data then read @readData
import goldilocks.test.Order.*

@Volatile
private var ready = false
private var plain = false

fun kotlinSet(data: IntArray) {
    data[0] = 1 // @data
    if (racy()) plain = true else ready = true // @plain
}

fun kotlinGet(data: IntArray) {
    must(if (racy()) plain else ready) // @readPlain
    use(data[0].toLong()) // @readData
}

fun main() {
    val data = IntArray(1)
    Run.turns({ kotlinSet(data) }, { kotlinGet(data) })
}
