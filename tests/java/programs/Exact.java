// SPDX-License-Identifier: Apache-2.0
import static goldilocks.test.Order.*;

/**
 * Exactness: of 4,000 variables, the 2,000 with an even number race and the 2,000 between them are protected by a
 * monitor. Every race throws, so each variable tells whether it was found.
 */
final class Exact {
    static final int VARIABLES = 4000;

    interface Access {
        void touch(int i);
    }

    private Exact() {}

    static void run(Access first, Access second) {
        boolean[] found = new boolean[VARIABLES];
        Run.turns(() -> {
            synchronized (found) {
                for (int i = 0; i < VARIABLES; i++)
                    if (!races(i))
                        first.touch(i);
            }
            for (int i = 0; i < VARIABLES; i++)
                if (races(i))
                    first.touch(i);
        }, () -> {
            synchronized (found) {
                for (int i = 0; i < VARIABLES; i++)
                    if (!races(i))
                        found[i] = throwsAt(second, i);
            }
            for (int i = 0; i < VARIABLES; i++)
                if (races(i))
                    found[i] = throwsAt(second, i);
        });
        print(found);
    }

    static boolean races(int i) {
        return racy() && i % 2 == 0;
    }

    static boolean throwsAt(Access access, int i) {
        try {
            access.touch(i);
            return false;
        } catch (RuntimeException e) {
            return true;
        }
    }

    private static void print(boolean[] found) {
        int right = 0;
        int invented = 0;
        for (int i = 0; i < VARIABLES; i++)
            if (found[i] && races(i))
                right++;
            else if (found[i])
                invented++;
        System.out.println(right + " found, " + invented + " invented");
    }
}
