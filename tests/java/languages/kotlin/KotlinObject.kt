// SPDX-License-Identifier: Apache-2.0
// Properties of objects and companions are static fields; their accessors have the line of the definition, those of a companion that of the class, unless the property is private or @JvmField.
// EXPECT: race KotlinCounter.hits write @hits then read @hits
// EXPECT: race KotlinCounter.misses write @miss then read @misses
// EXPECT: race KotlinCounter.open write @open then write @reopen
// EXPECT: race KotlinShop.total write @shop then read @shop
// EXPECT: race KotlinShop.secret write @sell then read @look
// REPORT: KotlinCounter\.getHits\(KotlinObject\.kt:@hits\)
// REPORT: KotlinObjectKt.*\(KotlinObject\.kt:@second\)
import goldilocks.test.Order.*

object KotlinCounter {
    var hits = 0 // @hits
    @JvmField var open = 0
    private var misses = 0

    fun miss() {
        misses = 7 // @miss
    }

    fun missed() = misses // @misses
}

class KotlinShop { // @shop
    fun sell() {
        secret = 3 // @sell
    }

    fun look() = secret // @look

    companion object {
        var total = 0L
        private var secret = 0

        fun reset() {
            secret = 0
        }
    }
}

fun main() {
    val shop = KotlinShop()
    KotlinShop.reset()
    Run.guarded({
        KotlinCounter.hits = 1
        KotlinCounter.miss()
        KotlinCounter.open = 1 // @open
        KotlinShop.total = 1
        shop.sell()
    }, {
        use(KotlinCounter.hits.toLong()) // @second
        use(KotlinCounter.missed().toLong())
        KotlinCounter.open = 2 // @reopen
        use(KotlinShop.total)
        use(shop.look().toLong())
    })
}
