// SPDX-License-Identifier: Apache-2.0
// super.wait() is wait(): the monitor is given up and taken again.
// EXPECT: race WaitSuper.data write @1 then read @2
import static goldilocks.test.Order.*;

class WaitSuper {
    int data;
    boolean ready;

    synchronized void get() throws InterruptedException {
        data = 0;
        while (!ready)
            super.wait();
    }

    synchronized void put() {
        data = 1;
        ready = true;
        notify();
    }

    public static void main(String[] args) {
        WaitSuper object = new WaitSuper();
        Run.all(() -> {
            await(1);
            object.put();
            if (racy())
                object.data = 2; // @1
            pass();
        }, () -> {
            synchronized (object) {
                pass();
                object.get();
            }
            await(2);
            use(object.data); // @2
        });
    }
}
