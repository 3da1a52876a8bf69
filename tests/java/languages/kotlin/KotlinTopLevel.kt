// SPDX-License-Identifier: Apache-2.0
// Properties of a file are static fields of the file's class, extension functions its static methods. What a lambda, a class of its own, does with private ones
// has the file's first line.
// EXPECT: race KotlinTopLevelKt.total write @total then read @readTotal
// EXPECT: race KotlinTopLevelKt.text write @text then read @readText
// EXPECT: race KotlinTopLevelKt.other write KotlinTopLevel.kt then read KotlinTopLevel.kt
// EXPECT: race int[2] write @extension then read @element
import goldilocks.test.Order.*

var total = 0
private var other = 0
private var text = "none"
private val table = IntArray(3)

fun IntArray.put(i: Int, value: Int) {
    this[i] = value // @extension
}

val IntArray.third: Int
    get() = this[2] // @element

fun kotlinWrite() {
    total = 1 // @total
    text = "first" // @text
    table.put(2, 3)
}

fun kotlinRead() {
    use(total.toLong()) // @readTotal
    use(text) // @readText
    must(table.third == 3)
}

fun main() {
    Run.guarded({
        kotlinWrite()
        other = 1
    }, {
        kotlinRead()
        use(other.toLong())
    })
}
