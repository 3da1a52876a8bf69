// SPDX-License-Identifier: Apache-2.0
// Default arguments are methods of their own; so are those of constructors.
// EXPECT: race ScalaDefaults$Step.width write @width then read @default
// EXPECT: race ScalaDefaults$.start write @start then read @defaultStart
import goldilocks.test.Order._

object ScalaDefaults {
  private[this] var start = 1

  def begin(at: Int): Unit = start = at // @start

  def defaultStart: Int = start // @defaultStart

  class Step(from: Int = defaultStart, val name: String = "step") {
    private[this] var width = from

    def widen(by: Int): Unit =
      width = by // @width

    def go(
      times: Int = 2,
      by: Int = width): Int = times * by // @default
  }

  def main(args: Array[String]): Unit = {
    val step = new Step()
    must(step.go() == 2 && new Step(name = "x").go(times = 3) == 3)
    Turns.guarded(() => {
      step.widen(3)
      begin(5)
    }, () => {
      must(step.go(times = 4) == 12)
      must(new Step().name == "step")
    })
  }
}
