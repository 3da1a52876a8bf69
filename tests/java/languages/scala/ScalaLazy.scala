// SPDX-License-Identifier: Apache-2.0
// What the initializer of a lazy value wrote is there for whoever gets the value: of an object, of a class with several of them (one
// volatile bitmap), of a method (held in references of scala.runtime).
// EXPECT: race int[1] write @table then read @readTable
// EXPECT: race int[2] write @name then read @readName
// EXPECT: race int[3] write @local then read @readLocal
import goldilocks.test.Order._

object ScalaLazy {
  lazy val table: Array[Int] = {
    val made = new Array[Int](4)
    made(1) = 7
    made
  }

  class Names {
    lazy val first: String = "first"
    lazy val second: Array[Int] = Array(0, 1, first.length)
    lazy val third: Int = second(2) + 1
  }

  def main(args: Array[String]): Unit = {
    val names = new Names
    lazy val local: Array[Int] = Array(1, 2, 3, names.third)
    Turns.turns(() => {
      use(table(1).toLong)
      use(names.third.toLong)
      use(local(3).toLong)
      if (racy) {
        table(1) = 8 // @table
        names.second(2) = 8 // @name
        local(3) = 8 // @local
      }
    }, () => {
      use(names.first)
      use(table(1).toLong) // @readTable
      use(names.second(2).toLong) // @readName
      use(local(3).toLong) // @readLocal
    })
  }
}
