// SPDX-License-Identifier: Apache-2.0
// One thread enters and leaves the same monitor again and again, with nothing in between: what it wrote in the first, in the middle and in the last of
// these sections comes before whoever enters it next, and before nobody else.
// EXPECT: race SyncAgain.first write @1 then read @4
// EXPECT: race SyncAgain.middle write @2 then read @5
// EXPECT: race SyncAgain.last write @3 then write @6
import static goldilocks.test.Order.*;

class SyncAgain {
    static final int ROUNDS = 1000; // some are told to the detector all the same
    static int first, middle, last;

    static synchronized void write(int round) {
        if (round == 0)
            first = 1; // @1
        if (round == ROUNDS / 2)
            middle = 1; // @2
        if (round == ROUNDS - 1)
            last = 1; // @3
    }

    static void look() {
        use(first); // @4
        use(middle); // @5
        last = 2; // @6
    }

    public static void main(String[] args) {
        Run.turns(() -> {
            for (int i = 0; i < ROUNDS; i++)
                write(i);
        }, () -> {
            if (racy())
                look();
            synchronized (SyncAgain.class) {
                look();
            }
        });
    }
}
