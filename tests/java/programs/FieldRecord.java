// SPDX-License-Identifier: Apache-2.0
// A record's components are final, so reading them is never a race; what they refer to is mutable.
// EXPECT: race int[0] write @1 then write @2
import static goldilocks.test.Order.*;

class FieldRecord {
    record Pair(int[] left, int[] right) {}

    public static void main(String[] args) {
        Pair pair = new Pair(new int[1], new int[1]);
        Run.turns(
            () -> pair.left()[0] = 1, // @1
            () -> {
                int[] mine = racy() ? pair.left() : pair.right();
                mine[0] = 2; // @2
            });
    }
}
