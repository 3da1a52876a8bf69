// SPDX-License-Identifier: Apache-2.0
// Nothing is checked after the first race; the program goes on, with its monitors and volatile variables.
// EXPECT: race Box.x write @1 then write @2
// OPTIONS: stop_checking=all,dedup=no
// OUTPUT: 40
// REPORTS racy: 1
// REPORT: found 1 race, reported 1; nothing was checked after the first race

import java.util.concurrent.atomic.AtomicInteger;

class StopAll {
    static class Box {
        int x;
        int y;
        volatile int rounds;
    }

    static final AtomicInteger TOTAL = new AtomicInteger();

    static void fill(Box box, int value) {
        for (int i = 0; i < 20; i++) {
            box.x = value; // @1 @2
            box.y = value;
            box.rounds = i;
            synchronized (box) {
                TOTAL.incrementAndGet();
            }
        }
    }

    public static void main(String[] args) {
        Box box = new Box();
        Run.guarded(() -> fill(box, 1), () -> fill(box, 2));
        System.out.println(TOTAL.get());
    }
}
