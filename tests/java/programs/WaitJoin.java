// SPDX-License-Identifier: Apache-2.0
// join() waits on the thread's monitor: who holds it gives it up meanwhile.
// EXPECT: race WaitJoin.data write @1 then read @2
import static goldilocks.test.Order.*;

class WaitJoin extends Thread {
    int data;

    @Override
    public void run() {
        await(1);
        if (racy())
            get();
        else
            synchronized (this) {
                get();
            }
    }

    private void get() {
        use(data); // @2
    }

    public static void main(String[] args) {
        begin();
        WaitJoin thread = new WaitJoin();
        synchronized (thread) {
            thread.start();
            thread.data = 1; // @1
            pass();
            Run.join(thread);
        }
    }
}
