// SPDX-License-Identifier: Apache-2.0
// What the initializer of a lazy property wrote is there for whoever gets the value, in the modes that are for several threads.
// EXPECT: race int[1] write @table then read @readTable
// EXPECT: race int[2] write @public then read @readPublic
// EXPECT: race int[3] write @local then read @readLocal
// EXPECT: race kotlin.UnsafeLazyImpl._value write Lazy.kt then read Lazy.kt
import goldilocks.test.Order.*

class KotlinLazyHolder {
    val table by lazy {
        val made = IntArray(4)
        made[1] = 7
        made
    }

    val public by lazy(LazyThreadSafetyMode.PUBLICATION) { intArrayOf(0, 0, table[1]) }

    val none by lazy(LazyThreadSafetyMode.NONE) { "none" }
}

fun main() {
    val holder = KotlinLazyHolder()
    val local by lazy(holder) { intArrayOf(0, 0, 0, holder.public[2]) }
    use(KotlinLazyHolder().none)
    Run.turns({
        use(local[3].toLong())
        if (racy()) {
            holder.table[1] = 8 // @table
            holder.public[2] = 8 // @public
            local[3] = 8 // @local
            use(holder.none)
        }
    }, {
        use(holder.table[1].toLong()) // @readTable
        use(holder.public[2].toLong()) // @readPublic
        use(local[3].toLong()) // @readLocal
        use(holder.none)
    })
}
