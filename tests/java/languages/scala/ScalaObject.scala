// SPDX-License-Identifier: Apache-2.0
// Variables of an object: fields of the one instance in MODULE$, with accessors that have the line of the definition; without them
// if the variable is private[this].
// EXPECT: race ScalaObjectCounter$.hits write @hits then write @hits
// EXPECT: race ScalaObjectCounter$.misses write @missed then read @misses
// REPORT: ScalaObjectCounter\$\.hits_\$eq\(ScalaObject\.scala:@hits\)
// REPORT: ScalaObject\$.*\(ScalaObject\.scala:@second\)
import goldilocks.test.Order._

object ScalaObjectCounter {
  var hits = 0 // @hits
  private[this] var misses = 0

  def miss(): Unit =
    misses = 7 // @missed

  def missed: Int =
    misses // @misses
}

object ScalaObject {
  def main(args: Array[String]): Unit =
    Turns.guarded(() => {
      ScalaObjectCounter.hits = 1
      ScalaObjectCounter.miss()
    }, () => {
      ScalaObjectCounter.hits = 2 // @second
      use(ScalaObjectCounter.missed.toLong)
    })
}
