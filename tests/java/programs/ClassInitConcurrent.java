// SPDX-License-Identifier: Apache-2.0
// Four threads need a class at once: one initializes it, the others wait for it.
// EXPECT: race int[5] write @1 then write @2
import static goldilocks.test.Order.*;

class ClassInitConcurrent {
    static class Table {
        static final int[] SQUARES = new int[100];

        static {
            for (int i = 0; i < SQUARES.length; i++)
                SQUARES[i] = i * i;
        }
    }

    public static void main(String[] args) {
        Run.Body read = () -> {
            for (int i = 0; i < 100; i++)
                must(Table.SQUARES[i] == i * i);
        };
        Run.all(read, read, read, read);
        Run.guarded(
            () -> Table.SQUARES[5] = 1, // @1
            () -> Table.SQUARES[5] = 2); // @2
    }
}
