// SPDX-License-Identifier: Apache-2.0
// A lateinit property is a field that is looked at before each use.
// EXPECT: race KotlinLateinitBox.name write @name then read @name
// EXPECT: race KotlinLateinitBox.own write @own then read @readOwn
import goldilocks.test.Order.*

class KotlinLateinitBox {
    lateinit var name: String // @name
    private lateinit var own: IntArray

    fun begin() {
        own = IntArray(2) // @own
    }

    fun size() = own.size // @readOwn
}

fun main() {
    val box = KotlinLateinitBox()
    Run.guarded({
        box.name = "first"
        box.begin()
    }, {
        must(box.name == "first")
        must(box.size() == 2)
    })
}
