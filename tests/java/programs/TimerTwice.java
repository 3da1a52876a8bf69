// SPDX-License-Identifier: Apache-2.0
// Tasks of one Timer are ordered, since one thread does them.
// EXPECT: race TimerTwice.x write @1 then read @2
import static goldilocks.test.Order.*;

import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;

class TimerTwice {
    static int x;

    static TimerTask task(Runnable body) {
        return new TimerTask() {
            @Override
            public void run() {
                body.run();
            }
        };
    }

    public static void main(String[] args) throws Exception {
        begin();
        Timer one = new Timer(true);
        Timer two = racy() ? new Timer(true) : one;
        CountDownLatch done = new CountDownLatch(2);
        one.schedule(task(() -> {
            if (racy())
                meet(2);
            x = 1; // @1
            pass();
            if (racy())
                await(2);
            done.countDown();
        }), 1);
        two.schedule(task(() -> {
            if (racy())
                meet(2);
            await(1);
            use(x); // @2
            pass();
            done.countDown();
        }), 2);
        done.await();
    }
}
