// SPDX-License-Identifier: Apache-2.0
// A constructor that starts a thread before it is done.
// EXPECT: race Service.ready write @1 then read @2
import static goldilocks.test.Order.*;

class ConstructorStartsThread {
    static class Service {
        boolean ready;
        final Thread thread;

        Service() {
            if (!racy())
                ready = true;
            thread = Run.start(() -> {
                await(1);
                use(ready); // @2
                pass();
            });
            if (racy())
                ready = true; // @1
            pass();
            await(2);
        }
    }

    public static void main(String[] args) {
        Run.join(new Service().thread);
    }
}
