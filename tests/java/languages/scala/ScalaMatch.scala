// SPDX-License-Identifier: Apache-2.0
// Pattern matching: the accessors of case classes, guards, alternatives, extractors, matching of strings and of type tests.
// EXPECT: race ScalaMatch$Cell.value write @cell then read @cell
// EXPECT: race ScalaMatch$Even$.asked write @asked then write @asked
// EXPECT: race ScalaMatch$.seen write @one then write @seven
import goldilocks.test.Order._

object ScalaMatch {
  sealed trait Shape
  case class Cell(var value: Int, name: String) extends Shape // @cell
  case class Pair(left: Shape, right: Shape) extends Shape

  object Even {
    private[this] var asked = 0

    def unapply(n: Int): Option[Int] = {
      asked = n // @asked
      if (n % 2 == 0) Some(n / 2) else None
    }
  }

  private[this] var seen = 0

  def look(shape: Shape): String = shape match {
    case Pair(Cell(a, "left"), Cell(b, _)) if a > b => "falling"
    case Pair(Cell(_, "left"), right @ Cell(_, "right" | "other")) => right.name
    case p: Pair => p.left.toString
    case Cell(n, _) => n.toString
  }

  def half(n: Int): Int = n match {
    case 1 | 2 | 3 => seen = 1; n // @one
    case Even(m) => m
    case 7 => seen = 7; n // @seven
    case _ => 0
  }

  def main(args: Array[String]): Unit = {
    val cell = Cell(5, "left")
    val pair = Pair(cell, Cell(4, "right"))
    must(look(pair) == "falling" && look(cell) == "5" && pair == pair.copy() && half(8) == 4)
    Turns.guarded(() => {
      cell.value = 3
      use(half(1).toLong)
      use(half(8).toLong)
    }, () => {
      must(look(pair) == "right")
      use(half(7).toLong)
    })
  }
}
