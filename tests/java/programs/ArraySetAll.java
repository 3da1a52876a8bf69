// SPDX-License-Identifier: Apache-2.0
// Arrays.setAll writes an element when its function has returned: what orders in the function comes before the write, and where the
// function throws nothing is written.
// EXPECT: race int[1] read @1 then write @2
// OUTPUT: [0, 10, 0, 0] stopped
import static goldilocks.test.Order.*;

import java.util.Arrays;

class ArraySetAll {
    static int[] ints = new int[4];
    static final long[] LONGS = new long[4];
    static final double[] DOUBLES = new double[4];
    static final Object[] STRINGS = new String[4];

    static int next(int i, Object lock) {
        if (i == 0)
            pass();
        if (i == 1) {
            await(2);
            synchronized (lock) {
                return 10;
            }
        }
        if (i == 2)
            throw new IllegalStateException("stopped");
        return 0;
    }

    static void refused(Runnable call) {
        try {
            call.run();
        } catch (IllegalStateException | ArrayStoreException e) {
            return;
        }
        must(false);
    }

    public static void main(String[] args) {
        Object lock = new Object();
        Object other = racy() ? new Object() : lock;
        String[] message = new String[1];
        Run.all(() -> {
            await(1);
            synchronized (lock) {
                use(ints[1]); // @1
                LONGS[1] = 1;
                DOUBLES[1] = 1;
                STRINGS[1] = "x";
            }
            use(ints[2]);
            LONGS[2] = 1;
            DOUBLES[2] = 1;
            STRINGS[2] = "x";
            pass();
        }, () -> {
            try {
                Arrays.setAll(ints, i -> next(i, other)); // @2
            } catch (IllegalStateException e) {
                message[0] = e.getMessage();
            }
            synchronized (lock) {
                refused(() -> Arrays.setAll(LONGS, i -> next(i > 0 ? i + 1 : 3, lock)));
                refused(() -> Arrays.setAll(DOUBLES, i -> next(i > 0 ? i + 1 : 3, lock)));
                refused(() -> Arrays.setAll(STRINGS, i -> i < 2 ? "y" : Integer.valueOf(5)));
            }
        });
        System.out.println(Arrays.toString(ints) + " " + message[0]);
    }
}
