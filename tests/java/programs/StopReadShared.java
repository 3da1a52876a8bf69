// SPDX-License-Identifier: Apache-2.0
// A variable with many readers, each of which a write races with: told once, and the readers are forgotten.
// EXPECT: race Box.x read @1 then write @2
// OPTIONS: stop_checking=variable,dedup=no
// REPORTS racy: 1
import static goldilocks.test.Order.*;

class StopReadShared {
    static class Box {
        int x;
    }

    static final Object LOCK = new Object();

    static void read(Box box) {
        use(box.x); // @1
    }

    static void write(Box box) {
        for (int round = 0; round < 10; round++)
            box.x = round; // @2
    }

    public static void main(String[] args) {
        Box box = new Box();
        Run.Body reader = () -> {
            guard(() -> read(box));
            pass();
        };
        Run.all(reader, reader, reader, reader, () -> {
            await(4);
            guard(() -> write(box));
        });
    }

    static void guard(Runnable body) {
        if (racy()) {
            body.run();
            return;
        }
        synchronized (LOCK) {
            body.run();
        }
    }
}
