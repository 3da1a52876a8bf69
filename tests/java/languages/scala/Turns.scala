// SPDX-License-Identifier: Apache-2.0
/** Blocks of Scala as the bodies of Run's threads. */
object Turns {
  private def body(block: () => Unit): Run.Body = new Run.Body { def run(): Unit = block() }

  def turns(first: () => Unit, second: () => Unit): Unit = Run.turns(body(first), body(second))

  def guarded(first: () => Unit, second: () => Unit): Unit = Run.guarded(body(first), body(second))
}
