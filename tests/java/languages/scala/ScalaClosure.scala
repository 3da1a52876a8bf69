// SPDX-License-Identifier: Apache-2.0
// Variables that closures capture are fields of objects of scala.runtime.
// EXPECT: race scala.runtime.IntRef.elem write @int then read @readInt
// EXPECT: race scala.runtime.LongRef.elem write @long then write @writeLong
// EXPECT: race scala.runtime.ObjectRef.elem write @object then read @readObject
import goldilocks.test.Order._

object ScalaClosure {
  def twice(f: Int => Unit): Unit = {
    f(1)
    f(2)
  }

  def main(args: Array[String]): Unit = {
    var int = 0
    var long = 0L
    var text = "none"
    twice(n => int = int + n)
    Turns.guarded(() => {
      twice(n => int = n) // @int
      long = 1L // @long
      List("a", "b").foreach(s => text = s) // @object
    }, () => {
      use(int.toLong) // @readInt
      long = 2L // @writeLong
      use(text) // @readObject
    })
    use(long)
  }
}
