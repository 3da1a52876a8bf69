// SPDX-License-Identifier: Apache-2.0
// A permit from another semaphore.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.util.concurrent.Semaphore;

class SemaphoreWrong {
    public static void main(String[] args) throws Exception {
        Semaphore one = new Semaphore(0);
        Semaphore two = racy() ? new Semaphore(5) : one;
        Publish.with(one::release, two::acquire);
    }
}
