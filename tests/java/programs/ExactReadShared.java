// SPDX-License-Identifier: Apache-2.0
// Three threads read everything, then a fourth one writes it: half of it under the monitor that the readers had.
// EXPECT: race int[*] read @1 then write @2
// OPTIONS: on_race=throw
// OUTPUT racy: 2000 found, 0 invented
// OUTPUT twin: 0 found, 0 invented
import static goldilocks.test.Order.*;

class ExactReadShared {
    static int found;
    static int invented;

    static void read(int[] a, Object lock) {
        synchronized (lock) {
            for (int i = 0; i < a.length; i++)
                if (!Exact.races(i))
                    use(a[i]);
        }
        for (int i = 0; i < a.length; i++)
            if (Exact.races(i))
                use(a[i]); // @1
    }

    static void write(int[] a, Object lock) {
        synchronized (lock) {
            for (int i = 0; i < a.length; i++)
                if (!Exact.races(i) && throwsAt(a, i))
                    invented++;
        }
        for (int i = 0; i < a.length; i++)
            if (Exact.races(i) && throwsAt(a, i))
                found++;
    }

    static boolean throwsAt(int[] a, int i) {
        try {
            a[i] = 1; // @2
            return false;
        } catch (RuntimeException e) {
            return true;
        }
    }

    public static void main(String[] args) {
        int[] a = new int[Exact.VARIABLES];
        Object lock = new Object();
        Run.Body[] bodies = new Run.Body[4];
        for (int t = 0; t < 3; t++) {
            int turn = t;
            bodies[t] = () -> {
                await(turn);
                read(a, lock);
                pass();
            };
        }
        bodies[3] = () -> {
            await(3);
            write(a, lock);
        };
        Run.all(bodies);
        System.out.println(found + " found, " + invented + " invented");
    }
}
