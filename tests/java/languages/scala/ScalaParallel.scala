// SPDX-License-Identifier: Apache-2.0
// A parallel collection's tasks come before the end of the operation on it, and after what was before it. (In a pool
// of the JDK's: the one of Scala 2.11 has races of its own, docs/found-races-java.md.)
// EXPECT: race int[7] write @set then read @get
// EXPECT: race scala.runtime.IntRef.elem write @sum then read @readSum
import java.util.concurrent.{LinkedBlockingQueue, ThreadPoolExecutor, TimeUnit}
import scala.collection.parallel.{ParSeq, ThreadPoolTaskSupport}
import goldilocks.test.Order._

object ScalaParallel {
  def main(args: Array[String]): Unit = {
    val squares = new Array[Int](1000)
    val pool = new ThreadPoolExecutor(2, 64, 0L, TimeUnit.SECONDS, new LinkedBlockingQueue[Runnable])
    val tasks = new ThreadPoolTaskSupport(pool)
    var sum = 0
    def parallel[A](range: ParSeq[A]): ParSeq[A] = {
      range.tasksupport = tasks
      range
    }
    must(parallel((0 until 100).par).reduce(_ + _) == 4950)
    Turns.guarded(() => {
      parallel((0 until squares.length).par).foreach(i => squares(i) = i * i) // @set
      sum = parallel(squares.par).count(_ % 10 > 3) // @sum
    }, () => {
      must(squares(7) == 49) // @get
      use(sum.toLong) // @readSum
    })
    pool.shutdown()
  }
}
