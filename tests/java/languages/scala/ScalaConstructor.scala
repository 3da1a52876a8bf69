// SPDX-License-Identifier: Apache-2.0
// Constructors store arguments, outer instances and early definitions before they call super's; what that calls sees them.
// EXPECT: race ScalaConstructor$Derived.n write @size then read @readSize
// EXPECT: race ScalaConstructor$Inner.count write @count then read @count
// EXPECT: race ScalaConstructor$Early.first write @early then read @readEarly
import goldilocks.test.Order._

object ScalaConstructor {
  abstract class Base {
    def size: Int

    val doubled: Int = size * 2
  }

  class Derived(private[this] var n: Int) extends Base {
    private[this] var held = new Array[Int](n)

    def size: Int = n // @readSize

    def size_=(to: Int): Unit = {
      held = new Array[Int](to)
      n = to // @size
    }

    class Inside(val k: Int) {
      def sum: Int = k + size
    }
  }

  class Inner(var count: Int) extends Derived(count) // @count

  class Early(n: Int) extends {
    private[this] var first = n
  } with Derived(n + 1) {
    def begin: Int = first // @readEarly
    def begin_=(to: Int): Unit = first = to // @early
  }

  def main(args: Array[String]): Unit = {
    val inner = new Inner(3)
    val early = new Early(4)
    must(inner.doubled == 6 && new inner.Inside(1).sum == 4 && early.doubled == 10)
    Turns.guarded(() => {
      inner.size = 5
      inner.count = 7
      early.begin = 9
    }, () => {
      must(inner.size == 5)
      use(inner.count.toLong)
      use(early.begin.toLong)
    })
  }
}
