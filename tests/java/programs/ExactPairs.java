// SPDX-License-Identifier: Apache-2.0
// Two fields of each object, of which one races.
// EXPECT: race Pair.left read @1 then write @2
// OPTIONS: on_race=throw
// OUTPUT racy: 2000 found, 0 invented
// OUTPUT twin: 0 found, 0 invented
import static goldilocks.test.Order.*;

class ExactPairs {
    static class Pair {
        long left;
        long right;

        void set(int which, long value) {
            if (which == 0)
                left = value; // @2
            else
                right = value;
        }

        long get(int which) {
            return which == 0 ? left : right; // @1
        }
    }

    public static void main(String[] args) {
        Pair[] pairs = new Pair[Exact.VARIABLES / 2];
        for (int i = 0; i < pairs.length; i++)
            pairs[i] = new Pair();
        Exact.run(i -> use(pairs[i / 2].get(i % 2)), i -> pairs[i / 2].set(i % 2, 2));
    }
}
