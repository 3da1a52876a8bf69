// SPDX-License-Identifier: Apache-2.0
// A semaphore of two permits is no lock.
// EXPECT: race Guard.value write Guard@inFirst then write Guard@inSecond
import static goldilocks.test.Order.*;

import java.util.concurrent.Semaphore;

class SemaphoreTwoPermits {
    public static void main(String[] args) throws Exception {
        Semaphore semaphore = new Semaphore(racy() ? 2 : 1);
        Guard.together(semaphore::acquire, semaphore::release);
    }
}
