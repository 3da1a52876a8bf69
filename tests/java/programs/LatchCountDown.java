// SPDX-License-Identifier: Apache-2.0
// What happened before countDown is there behind await.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import java.util.concurrent.CountDownLatch;

class LatchCountDown {
    public static void main(String[] args) throws Exception {
        CountDownLatch latch = new CountDownLatch(1);
        Publish.run(latch::countDown, latch::await);
    }
}
