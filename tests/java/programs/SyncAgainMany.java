// SPDX-License-Identifier: Apache-2.0
// Two threads, a monitor of its own for each and one in common, entered again and again, inside of one another and with accesses outside: what belongs to a
// monitor is right, and what both write under none that they share is a race, each time.
// EXPECT: race Cell.wrong write @1 and write @1
// OUTPUT racy: 200 races
// OUTPUT twin: 0 races
// OPTIONS: on_race=throw
import static goldilocks.test.Order.*;

class SyncAgainMany {
    static final int ROUNDS = 200;
    static int inCommon, total;
    static final Object common = new Object();

    static class Cell {
        int wrong;
    }

    static class Own {
        int a, b;
        int[] c = new int[4];

        synchronized void step(int i) {
            a += i;
            c[i & 3]++;
        }

        synchronized int both(int i) {
            step(i);
            b++;
            step(i);
            return a;
        }
    }

    static int races(Cell[] cells, Own own) {
        int races = 0, loose = 0;
        for (int i = 0; i < ROUNDS; i++) {
            for (int k = 0; k < i % 5; k++)
                own.step(k);
            loose += own.both(i);
            if (!racy() && i % 3 == 0) // it would order some of the writes below
                synchronized (common) {
                    inCommon++;
                    own.step(i);
                    own.step(i);
                }
            synchronized (own) {
                own.a = loose;
                try {
                    if (racy())
                        cells[i].wrong = i; // @1
                } catch (RuntimeException e) {
                    races++;
                }
                own.c[0] = i;
            }
            synchronized (own) {
                own.b = i;
            }
        }
        return races;
    }

    public static void main(String[] args) {
        Cell[] cells = new Cell[ROUNDS];
        for (int i = 0; i < ROUNDS; i++)
            cells[i] = new Cell();
        Run.all(() -> run(cells), () -> run(cells));
        System.out.println(total + " races");
    }

    static void run(Cell[] cells) {
        int races = races(cells, new Own());
        synchronized (common) {
            total += races;
        }
    }
}
