// SPDX-License-Identifier: Apache-2.0
// A semaphore as a signal: release, then acquire by another thread.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import java.util.concurrent.Semaphore;

class SemaphoreSignal {
    public static void main(String[] args) throws Exception {
        Semaphore semaphore = new Semaphore(0);
        Publish.run(semaphore::release, semaphore::acquire);
    }
}
