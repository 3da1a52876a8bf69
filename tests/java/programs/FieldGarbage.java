// SPDX-License-Identifier: Apache-2.0
// Objects that died take what was known of them with them: new objects in their place are fresh.
// EXPECT: race Box.x write @1 then write @2
// JVM: -Xmx24m
import static goldilocks.test.Order.*;

class FieldGarbage {
    static class Box {
        int x;
        long[] ballast = new long[30];
    }

    static void churn(int rounds) {
        for (int i = 0; i < rounds; i++) {
            Box box = new Box();
            box.x = i;
            box.ballast[i % 30] = i;
        }
    }

    public static void main(String[] args) {
        Box box = new Box();
        Run.turns(() -> {
            churn(200_000);
            box.x = 1; // @1
        }, () -> {
            churn(200_000);
            if (racy())
                box.x = 2; // @2
        });
    }
}
