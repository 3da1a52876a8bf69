// SPDX-License-Identifier: Apache-2.0
// Two latches make a barrier.
// EXPECT: race Meet.data write Meet@late then read Meet@read
import java.util.concurrent.CountDownLatch;

class LatchBoth {
    public static void main(String[] args) {
        CountDownLatch latch = new CountDownLatch(2);
        Meet.run(() -> {
            latch.countDown();
            latch.await();
        });
    }
}
