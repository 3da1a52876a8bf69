// SPDX-License-Identifier: Apache-2.0
// synchronized of Scala: as a value, as a whole method, left by a return in a closure (an exception, there), nested in try and finally.
// EXPECT: race ScalaSynchronized$.ScalaSynchronized$$value write @value then read @readValue
// EXPECT: race ScalaSynchronized$.ScalaSynchronized$$found write @found then write @found
// EXPECT: race ScalaSynchronized$.ScalaSynchronized$$ends write @ends then write @ends
import goldilocks.test.Order._

object ScalaSynchronized {
  private[this] val lock = new Object
  private[this] var value = 0
  private[this] var found = 0
  private[this] var ends = 0

  private def locked[A](body: => A): A = if (racy) body else lock.synchronized(body)

  def set(): Unit = locked {
    value = 1 // @value
  }

  def get(): Int = locked {
    value // @readValue
  }

  def find(numbers: List[Int]): Int = locked {
    for (n <- numbers)
      if (n > 1) {
        found = n // @found
        return n
      }
    0
  }

  def whole(): Int = synchronized {
    try {
      find(List(0, 2, 4))
    } finally {
      try set() finally use(0L)
    }
  }

  def end(n: Int): Int = {
    val answer = try {
      if (n == 1) throw new IllegalStateException
      n
    } catch {
      case e: IllegalStateException => -1
    } finally {
      locked {
        ends = n // @ends
      }
    }
    answer + 1
  }

  def main(args: Array[String]): Unit = {
    must(whole() == 2 && end(1) == 0 && get() == 1)
    Turns.turns(() => {
      must(find(List(0, 3)) == 3)
      set()
      must(end(1) == 0)
    }, () => {
      must(find(List(1, 4)) == 4)
      must(get() == 1)
      must(end(2) == 3)
    })
  }
}
