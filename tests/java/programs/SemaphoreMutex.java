// SPDX-License-Identifier: Apache-2.0
// A semaphore of one permit is a lock.
// EXPECT: race Guard.value write Guard@first then write Guard@second
import java.util.concurrent.Semaphore;

class SemaphoreMutex {
    public static void main(String[] args) throws Exception {
        Semaphore semaphore = new Semaphore(1);
        Guard.run(semaphore::acquire, semaphore::release);
    }
}
