// SPDX-License-Identifier: Apache-2.0
// The stack ends where an array is met for the first time: what is locked to keep it is let go of all the same.
// EXPECT: race int[0] write @1 then write @2
// ALONE: it counts on where the stack ends
import static goldilocks.test.Order.*;

class ArrayStackOverflow {
    static final int ROUNDS = 100;
    static final int ARRAYS = 20_000;

    /** Each call has arrays that nobody has seen, used in a loop, so that what is known of them is looked for when they come. */
    static int deeper(int[] a, byte[] b) {
        int sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i];
            a[i] = i;
            b[i] = 1;
        }
        return sum + deeper(new int[1], new byte[1]);
    }

    /** The stack does not end in the same place each time. */
    static int from(int depth) {
        return depth > 0 ? from(depth - 1) + 1 : deeper(new int[1], new byte[1]);
    }

    static void overflow() {
        for (int round = 0; round < ROUNDS; round++) {
            try {
                from(round % 97);
            } catch (StackOverflowError e) {
                continue;
            }
            throw new IllegalStateException("the stack has no end");
        }
    }

    /** Arrays of all parts of the table. */
    static int meetMany() {
        int[][] all = new int[ARRAYS][];
        for (int i = 0; i < ARRAYS; i++) {
            int[] a = new int[1];
            all[i] = a;
            a[0] = i;
        }
        return all.length;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread small = new Thread(null, ArrayStackOverflow::overflow, "small", 256 << 10);
        small.start();
        small.join();
        if (meetMany() != ARRAYS)
            throw new IllegalStateException();
        int[] shared = new int[1];
        Run.turns(
            () -> shared[0] = 1, // @1
            () -> {
                if (racy())
                    shared[0] = 2; // @2
            });
    }
}
