// SPDX-License-Identifier: Apache-2.0
// Tail recursion is a jump to the beginning of the method.
// EXPECT: race int[3] write @fill then read @sum
// EXPECT: race ScalaTailrec$Node.weight write @weight then read @add
import scala.annotation.tailrec
import goldilocks.test.Order._

object ScalaTailrec {
  final class Node(private[ScalaTailrec] var weight: Int, val next: Node) { // @weight @add
    @tailrec
    def last: Node = if (next eq null) this else next.last
  }

  @tailrec
  def fill(array: Array[Int], from: Int, value: Int): Unit =
    if (from < array.length) {
      array(from) = value // @fill
      fill(array, from + 1, value + 1)
    }

  @tailrec
  def sum(array: Array[Int], from: Int, so: Int): Int =
    if (from == array.length) so
    else sum(array, from + 1, so + array(from)) // @sum

  @tailrec
  def weigh(node: Node, so: Int): Int =
    if (node eq null) so
    else weigh(node.next, so + node.weight)

  def main(args: Array[String]): Unit = {
    val array = new Array[Int](4)
    val list = new Node(1, new Node(2, null))
    must(list.last.next eq null)
    Turns.guarded(() => {
      fill(array, 3, 5)
      list.last.weight = 3
    }, () => {
      must(sum(array, 3, 0) == 5)
      must(weigh(list, 0) == 4)
    })
  }
}
