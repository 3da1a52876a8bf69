// SPDX-License-Identifier: Apache-2.0
// Two fields of one object are two variables.
// EXPECT: race Pair.left write @1 then write @2
import static goldilocks.test.Order.*;

class FieldNeighbours {
    static class Pair {
        byte left;
        byte right;
    }

    public static void main(String[] args) {
        Pair pair = new Pair();
        Run.turns(
            () -> pair.left = 1, // @1
            () -> {
                if (racy())
                    pair.left = 2; // @2
                pair.right = 2;
            });
    }
}
