// SPDX-License-Identifier: Apache-2.0
// java.util.Timer, and a latch for the end.
// EXPECT: race Async.input write Async@late then read Async@input
// EXPECT: race Async.result write Async@result then read Async@early
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;

class TimerSchedule {
    public static void main(String[] args) throws Exception {
        Timer timer = new Timer(true);
        CountDownLatch done = new CountDownLatch(1);
        Async.run(work -> timer.schedule(new TimerTask() {
            @Override
            public void run() {
                work.run();
                done.countDown();
            }
        }, 1), done::await);
        timer.cancel();
    }
}
