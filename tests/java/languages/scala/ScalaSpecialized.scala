// SPDX-License-Identifier: Apache-2.0
// Specialized classes have fields of primitive types of their own beside those of the generic class; their accessors
// have no lines.
// EXPECT: race ScalaSpecialized$Box$mcI$sp.value$mcI$sp write ScalaSpecialized.scala then read ScalaSpecialized.scala
// EXPECT: race ScalaSpecialized$Box$mcJ$sp.value$mcJ$sp write ScalaSpecialized.scala then read ScalaSpecialized.scala
// EXPECT: race ScalaSpecialized$Box.value write @box then read @box
import goldilocks.test.Order._

object ScalaSpecialized {
  class Box[@specialized(Int, Long) T](var value: T) { // @box
    def map[@specialized(Int, Long) U](f: T => U): Box[U] = new Box[U](f(value))
  }

  def main(args: Array[String]): Unit = {
    val int = new Box[Int](1)
    val long = new Box[Long](1L)
    val text = new Box[String]("one")
    must(int.map(_ + 1).value == 2 && long.map(_.toInt).value == 1 && text.map(_.length).value == 3)
    Turns.guarded(() => {
      int.value = 2
      long.value = 2L
      text.value = "two"
    }, () => {
      use(int.value.toLong)
      use(long.value)
      use(text.value)
    })
  }
}
