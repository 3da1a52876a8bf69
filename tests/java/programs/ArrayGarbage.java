// SPDX-License-Identifier: Apache-2.0
// Arrays that died take what was known of them with them.
// EXPECT: race int[0] write @1 then write @2
// JVM: -Xmx24m
import static goldilocks.test.Order.*;

class ArrayGarbage {
    static void churn(int rounds) {
        for (int i = 0; i < rounds; i++) {
            int[] array = new int[i % 100 + 1];
            array[i % array.length] = i;
        }
    }

    public static void main(String[] args) {
        int[] shared = new int[1];
        Run.turns(() -> {
            churn(100_000);
            shared[0] = 1; // @1
        }, () -> {
            churn(100_000);
            if (racy())
                shared[0] = 2; // @2
        });
    }
}
