// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;

/**
 * Random executions, step by step on real threads, against an oracle that keeps vector clocks and every unordered read. Compared is, for
 * every variable, at which step it raced first: what is found afterwards on a variable that has raced depends on the filter.
 */
final class RandomTest {
    static final int THREADS = 5, OBJECTS = 4, ELEMENTS = 7, LOCKS = 3, STEPS = 600;

    /** One variable of the oracle. */
    private static final class Variable {
        int writer = -1;
        int writeClock;
        final List<int[]> reads = new ArrayList<>(); // thread, clock
        boolean raced;
    }

    private final int[][] clock = new int[THREADS + 1][THREADS + 1];
    private final int[][] monitors = new int[LOCKS][THREADS + 1];
    private final int[][] volatiles = new int[OBJECTS][THREADS + 1];
    private final Variable[] variables = new Variable[OBJECTS * 2 + ELEMENTS * 4];
    private final Random random;

    private RandomTest(long seed) {
        random = new Random(seed);
        for (int i = 0; i < variables.length; i++) {
            variables[i] = new Variable();
        }
        for (int i = 0; i < clock.length; i++) {
            clock[i][i] = 1;
        }
    }

    private static void join(int[] into, int[] from) {
        for (int i = 0; i < into.length; i++) {
            into[i] = Math.max(into[i], from[i]);
        }
    }

    private void release(int t, int[] object, boolean assign) {
        if (assign) {
            System.arraycopy(clock[t], 0, object, 0, object.length);
        } else {
            join(object, clock[t]);
        }
        clock[t][t]++;
    }

    /** Is this the first race on the variable? */
    private boolean access(int t, int which, boolean write) {
        Variable x = variables[which];
        boolean races = x.writer >= 0 && x.writeClock > clock[t][x.writer];
        if (write) {
            for (int[] read : x.reads) {
                races |= read[1] > clock[t][read[0]];
            }
            x.reads.clear();
            x.writer = t;
            x.writeClock = clock[t][t];
        } else {
            x.reads.add(new int[] {t, clock[t][t]});
        }
        boolean first = races && !x.raced;
        x.raced |= races;
        return first;
    }

    /** Shadows of the arrays, as methods with loops keep them. */
    private static final long[][] kept = new long[4][];
    private static int touches;

    /** Every other time. */
    private static boolean keeps(int array, Object o) {
        if (touches++ % 7 == 0) { // another method's variable; null: it was not found
            kept[array] = touches % 3 == 0 ? null : R.shadow(o, R.thread());
        }
        return touches % 2 == 0;
    }

    private void run(long seed) {
        for (int i = 0; i < kept.length; i++) {
            kept[i] = null;
        }
        Data[] data = new Data[OBJECTS];
        Data[] locks = new Data[LOCKS];
        byte[] bytes = new byte[ELEMENTS];
        char[] chars = new char[ELEMENTS];
        double[] doubles = new double[ELEMENTS];
        Object[] objects = new Object[ELEMENTS];
        for (int i = 0; i < OBJECTS; i++) {
            data[i] = new Data();
        }
        for (int i = 0; i < LOCKS; i++) {
            locks[i] = new Data();
        }
        Host.Actor[] actors = new Host.Actor[THREADS];
        for (int i = 0; i < THREADS; i++) {
            actors[i] = Host.forked("t" + i);
            join(clock[i], clock[THREADS]);
            clock[THREADS][THREADS]++;
        }
        int sync = 5 + random.nextInt(60); // of 100 steps
        BitSet told = new BitSet();
        for (int step = 0; step < STEPS; step++) {
            int t = random.nextInt(THREADS);
            boolean write = random.nextInt(3) == 0;
            int which = -1;
            boolean expected = false;
            if (random.nextInt(100) < sync) {
                int lock = random.nextInt(LOCKS), v = random.nextInt(OBJECTS);
                switch (random.nextInt(4)) {
                case 0: { // a monitor around an access
                    which = random.nextInt(OBJECTS * 2);
                    int k = which;
                    join(clock[t], monitors[lock]);
                    expected = access(t, which, write);
                    release(t, monitors[lock], true);
                    actors[t].does(() -> locks[lock].locked(() -> touch(data, bytes, chars, doubles, objects, k, write)));
                    break;
                }
                case 1: // nested, of one monitor
                    join(clock[t], monitors[lock]);
                    release(t, monitors[lock], true);
                    actors[t].does(() -> locks[lock].lockedMethod(() -> locks[lock].locked(() -> { })));
                    break;
                case 2:
                    join(clock[t], volatiles[v]);
                    actors[t].does(() -> data[v].getV(Data.V));
                    break;
                default:
                    release(t, volatiles[v], false);
                    actors[t].does(() -> data[v].setV(1, Data.V));
                    break;
                }
            } else {
                which = random.nextInt(variables.length);
                int k = which;
                expected = access(t, which, write);
                actors[t].does(() -> touch(data, bytes, chars, doubles, objects, k, write));
            }
            int found = Host.take().length / 8;
            if (which >= 0 && !told.get(which)) {
                if ((found > 0) != expected) {
                    Host.check(false, "seed " + seed + ", step " + step + ", variable " + which + ": " + found + " races, expected "
                            + (expected ? "one" : "none"));
                    break;
                }
                if (expected) {
                    told.set(which);
                }
            }
        }
        for (int i = 0; i < THREADS; i++) {
            actors[i].ends();
        }
    }

    private static void touch(Data[] data, byte[] bytes, char[] chars, double[] doubles, Object[] objects, int k, boolean write) {
        int site = Data.A + k % 10;
        if (k < OBJECTS) {
            if (write) {
                data[k].setA(1, site);
            } else {
                data[k].getA(site);
            }
            return;
        }
        if (k < 2 * OBJECTS) {
            site = Data.B + k % 10;
            if (write) {
                data[k - OBJECTS].setB(null, site);
            } else {
                data[k - OBJECTS].getB(site);
            }
            return;
        }
        int i = (k - 2 * OBJECTS) % ELEMENTS;
        switch ((k - 2 * OBJECTS) / ELEMENTS) {
        case 0:
            if (keeps(0, bytes)) {
                if (write) {
                    R.awriteB(bytes, i, kept[0], R.thread(), site);
                } else {
                    R.areadB(bytes, i, kept[0], R.thread(), site);
                }
            } else if (write) {
                R.awriteB(bytes, i, R.thread(), site);
            } else {
                R.areadB(bytes, i, R.thread(), site);
            }
            break;
        case 1:
            if (keeps(1, chars)) {
                if (write) {
                    R.awrite(chars, i, kept[1], R.thread(), site);
                } else {
                    R.aread(chars, i, kept[1], R.thread(), site);
                }
            } else if (write) {
                R.awrite(chars, i, R.thread(), site);
            } else {
                R.aread(chars, i, R.thread(), site);
            }
            break;
        case 2:
            if (keeps(2, doubles)) {
                if (write) {
                    R.awriteInner(doubles, i, kept[2], R.thread(), site);
                } else {
                    R.areadInner(doubles, i, kept[2], R.thread(), site);
                }
            } else if (write) {
                R.awriteRange(doubles, i, i + 1, site);
            } else {
                R.areadRange(doubles, i, i + 1, site);
            }
            break;
        default:
            if (keeps(3, objects) && k % 2 == 0) {
                if (write) {
                    R.awriteInner(objects, i, null, kept[3], R.thread(), site);
                } else {
                    R.areadInner(objects, i, kept[3], R.thread(), site);
                }
            } else if (touches % 2 == 0) {
                if (write) {
                    R.awrite(objects, i, null, kept[3], R.thread(), site);
                } else {
                    R.aread(objects, i, kept[3], R.thread(), site);
                }
            } else if (write) {
                R.awrite(objects, i, null, R.thread(), site);
            } else {
                R.aread(objects, i, R.thread(), site);
            }
            break;
        }
    }

    public static void main(String[] args) {
        Data.register();
        long first = args.length > 0 ? Long.parseLong(args[0]) : 1;
        long runs = args.length > 1 ? Long.parseLong(args[1]) : 60;
        for (long seed = first; seed < first + runs && Host.failed == 0; seed++) {
            if (seed == first + runs / 2) {
                Host.groupAtOnce();
            }
            R.stacks = seed % 3 == 0; // then every transition is the core's: what Access.quick() does is held against the same oracle
            new RandomTest(seed).run(seed);
        }
        System.out.println(Host.failed == 0 ? "RandomTest: passed" : "RandomTest: failed");
        System.exit(Host.failed == 0 ? 0 : 1);
    }
}
