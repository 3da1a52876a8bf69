// SPDX-License-Identifier: Apache-2.0
// @volatile variables order; others do not.
// EXPECT: race ScalaVolatile$.plain write @plain then read @plain
// EXPECT: race int[0] write @data then read @readData
import goldilocks.test.Order._

object ScalaVolatile {
  @volatile var ready = false
  var plain = false // @plain

  def main(args: Array[String]): Unit = {
    val data = new Array[Int](1)
    Turns.turns(() => {
      data(0) = 1 // @data
      if (racy) plain = true else ready = true
    }, () => {
      must(if (racy) plain else ready)
      use(data(0).toLong) // @readData
    })
  }
}
