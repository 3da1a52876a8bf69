// SPDX-License-Identifier: Apache-2.0
// Threads that start one another, ten deep: each sees what all before it wrote.
// EXPECT: race int[9] write @1 then read @2
import static goldilocks.test.Order.*;

class ThreadChain {
    static final int DEPTH = 10;

    static void link(int[] data, int depth) throws Exception {
        for (int i = 0; i < depth; i++)
            use(data[i]);
        if (depth == DEPTH)
            return;
        data[depth] = depth; // @1
        Thread next = Run.start(() -> link(data, depth + 1));
        if (!racy() || depth < DEPTH - 1)
            next.join();
        else
            pass();
        if (racy() && depth == DEPTH - 1)
            next.join();
    }

    public static void main(String[] args) {
        int[] data = new int[DEPTH];
        Run.turns(() -> link(data, 0), () -> {
            if (racy())
                use(data[DEPTH - 1]); // @2
        });
    }
}
