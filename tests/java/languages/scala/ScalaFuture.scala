// SPDX-License-Identifier: Apache-2.0
// Futures and promises: what was written before a future is started or a promise kept is there for its body and its callbacks, and what
// they write for whoever awaits them.
// EXPECT: race int[0] write @early then read @input
// EXPECT: race int[1] write @result then read @tooEarly
// EXPECT: race int[2] write @late then read @readLate
import java.util.concurrent.Executors
import scala.concurrent.{Await, ExecutionContext, Future, Promise}
import scala.concurrent.duration.Duration
import goldilocks.test.Order._

object ScalaFuture {
  def main(args: Array[String]): Unit = {
    val pool = Executors.newFixedThreadPool(2)
    implicit val context: ExecutionContext = ExecutionContext.fromExecutor(pool)
    val data = new Array[Int](4)
    val kept = Promise[String]()
    // Every class that the racing run needs is there after this.
    Await.result(Future(1).map(_ + 1).zip(Future.successful(2)), Duration.Inf)
    work(data, kept)
    pool.shutdown()
  }

  private def work(data: Array[Int], kept: Promise[String])(implicit context: ExecutionContext): Unit = {
    if (!racy)
      data(0) = 1
    val future = Future {
      if (racy) {
        pass()
        await(2)
      }
      use(data(0).toLong) // @input
      data(1) = 1 // @result
      pass()
      data(3) = 2
      "done"
    }
    val mapped = future.map(_ => data(3) + 1)
    if (racy) {
      await(1)
      data(0) = 1 // @early
      pass()
      await(3)
      use(data(1).toLong) // @tooEarly
    }
    must(Await.result(mapped, Duration.Inf) == 3)
    use(data(1).toLong)
    kept.future.foreach(_ => {
      if (racy) {
        pass()
        await(5)
      }
      use(data(2).toLong) // @readLate
      pass()
    })
    if (!racy)
      data(2) = 1
    kept.success("kept")
    if (racy) {
      await(4)
      data(2) = 1 // @late
      pass()
      await(6)
    }
    Await.result(kept.future.map(_.length), Duration.Inf)
  }
}
