// SPDX-License-Identifier: Apache-2.0
package goldilocks.test;

/**
 * A random execution of what orders threads, step by step, and the truth about each access: a vector clock for each thread and each thing that
 * orders, and for each variable the last read and write of each thread. A variable that has raced is left out: what is promised is its first
 * race. The agent leaves this package alone.
 */
public final class Script {
    public static final int THREADS = 4;
    public static final int STEPS = 240;
    public static final int VARIABLES = 9;
    private static final int LAST = STEPS - 60; // from here on nothing begins that must be ended

    public enum What {
        READ, WRITE,
        ENTER, EXIT, WAIT_EXPIRED, WAIT, NOTIFY, // a monitor
        LOCK, TRY_LOCK, TRY_FAILS, UNLOCK, // a ReentrantLock
        READ_LOCK, READ_UNLOCK, WRITE_LOCK, WRITE_UNLOCK,
        RELEASE, TRY_ACQUIRE, ACQUIRE_FAILS, // a semaphore
        GET, SET, SWAP, ADD, SWAP_FAILS, GET_OPAQUE, SET_OPAQUE, // one of the things that are atomic
        COUNT_DOWN, COUNT,
        COMPLETE, GET_NOW,
        PUT, LOOK_UP, // a ConcurrentHashMap
        REPLACE, ELEMENT, // a CopyOnWriteArrayList
        OFFER, POLL,
        UNPARK, PARK, // order nothing, as specified
        MEET, MET // a barrier of two: MEET waits for MET, the next step
    }

    public static final int MONITORS = 3, LOCKS = 2, SEMAPHORES = 2, ATOMS = 5, FUTURES = 2, KEYS = 3;

    public static int steps;
    public static final int[] thread = new int[STEPS];
    public static final What[] what = new What[STEPS];
    public static final int[] object = new int[STEPS];

    private static final boolean[] races = new boolean[STEPS];
    private static final boolean[] may = new boolean[STEPS];
    private static volatile long found;
    private static volatile int wrong;
    private static long random;

    private static final int[][] clock = new int[THREADS][THREADS];
    private static final int[][][] last = new int[VARIABLES][2][THREADS];
    private static final boolean[] raced = new boolean[VARIABLES];

    // What orders, as the script leaves it. -1: nobody.
    private static final int[][] monitor = new int[MONITORS][THREADS], lock = new int[LOCKS][THREADS], semaphore = new int[SEMAPHORES][THREADS],
        atom = new int[ATOMS][THREADS], future = new int[FUTURES][THREADS], bin = new int[KEYS][THREADS], value = new int[KEYS][THREADS],
        single = new int[6][THREADS];
    private static final int RW = 0, LATCH = 1, LIST_LOCK = 2, LIST = 3, QUEUE = 4, BARRIER = 5; // of `single`
    private static final int[] entered = new int[MONITORS], holder = new int[LOCKS], permits = new int[SEMAPHORES], waiter = new int[MONITORS];
    private static final boolean[] notified = new boolean[MONITORS], completed = new boolean[FUTURES], parkable = new boolean[THREADS], blocked = new boolean[THREADS];
    private static final int[][] nest = new int[THREADS][8];
    private static final int[] depth = new int[THREADS];
    private static int writer;
    private static int readers;
    private static int queued;
    private static int threads;
    private static int must;

    private Script() {}

    private static int below(int n) {
        random += 0x9E3779B97F4A7C15L;
        long z = random;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return (int) ((z ^ z >>> 31) >>> 33) % n;
    }

    // ---- the truth ----

    private static void merge(int[] into, int[] from) {
        for (int u = 0; u < THREADS; u++)
            if (into[u] < from[u])
                into[u] = from[u];
    }

    private static void sink(int t, int[] from) {
        merge(clock[t], from);
    }

    private static void source(int t, int[] into) {
        merge(into, clock[t]);
        clock[t][t]++;
    }

    private static void both(int t, int[] of) {
        sink(t, of);
        source(t, of);
    }

    private static void access(int i, int t, int variable, boolean write) {
        boolean race = false;
        for (int u = 0; u < THREADS; u++)
            if (u != t)
                race |= last[variable][1][u] > clock[t][u] || (write && last[variable][0][u] > clock[t][u]);
        may[i] = raced[variable];
        races[i] = race && !raced[variable];
        raced[variable] |= race;
        last[variable][write ? 1 : 0][t] = clock[t][t];
    }

    // ---- one step: may it be, and what does it do ----

    private static void put(int i, What w, int o) {
        what[i] = w;
        object[i] = o;
    }

    private static void wake(int m) {
        if (waiter[m] < 0 || !notified[m] || entered[m] >= 0)
            return;
        int t = waiter[m];
        entered[m] = t;
        nest[t][depth[t]++] = m;
        blocked[t] = false;
        sink(t, monitor[m]);
        must = t; // it has the monitor again before anybody else comes
        waiter[m] = -1;
        notified[m] = false;
    }

    private static void exit(int i, int t) {
        int m = nest[t][--depth[t]];
        put(i, What.EXIT, m);
        source(t, monitor[m]);
        entered[m] = -1;
        wake(m);
    }

    private static boolean monitorStep(int i, int t) {
        int m = below(MONITORS);
        if (entered[m] < 0) {
            if (i >= LAST)
                return false;
            put(i, What.ENTER, m);
            sink(t, monitor[m]);
            entered[m] = t;
            nest[t][depth[t]++] = m;
            return true;
        }
        if (entered[m] != t)
            return false;
        int which = below(5);
        if (which == 0 && waiter[m] < 0) {
            put(i, What.WAIT_EXPIRED, m);
            both(t, monitor[m]);
        } else if (which == 1 && waiter[m] < 0 && depth[t] == 1 && holdsNothingElse(t) && anotherActs(t) && i < LAST) {
            put(i, What.WAIT, m);
            source(t, monitor[m]);
            entered[m] = -1;
            depth[t] = 0;
            waiter[m] = t;
            blocked[t] = true;
        } else if (waiter[m] >= 0 && !notified[m]) {
            put(i, What.NOTIFY, m);
            notified[m] = true;
        } else if (nest[t][depth[t] - 1] == m) {
            exit(i, t);
        } else {
            return false;
        }
        return true;
    }

    private static boolean anotherActs(int t) {
        boolean acts = false;
        for (int u = 0; u < threads; u++)
            acts |= u != t && !blocked[u];
        return acts;
    }

    private static boolean holdsNothingElse(int t) {
        for (int l = 0; l < LOCKS; l++)
            if (holder[l] == t)
                return false;
        return writer != t && (readers >> t & 1) == 0;
    }

    private static boolean lockStep(int i, int t) {
        int l = below(LOCKS);
        if (holder[l] == t) {
            put(i, What.UNLOCK, l);
            both(t, lock[l]);
            holder[l] = -1;
        } else if (holder[l] >= 0) {
            put(i, What.TRY_FAILS, l);
            sink(t, lock[l]);
        } else if (i >= LAST) {
            return false;
        } else {
            put(i, below(2) == 0 ? What.LOCK : What.TRY_LOCK, l);
            both(t, lock[l]);
            holder[l] = t;
        }
        return true;
    }

    private static boolean readWriteStep(int i, int t) {
        if (writer == t) {
            put(i, What.WRITE_UNLOCK, 0);
            writer = -1;
        } else if ((readers >> t & 1) != 0) {
            put(i, What.READ_UNLOCK, 0);
            readers &= ~(1 << t);
        } else if (writer >= 0 || i >= LAST) {
            return false;
        } else if (readers == 0 && below(2) == 0) {
            put(i, What.WRITE_LOCK, 0);
            writer = t;
        } else {
            put(i, What.READ_LOCK, 0);
            readers |= 1 << t;
        }
        both(t, single[RW]);
        return true;
    }

    private static boolean semaphoreStep(int i, int t) {
        int s = below(SEMAPHORES);
        if (below(2) == 0) {
            put(i, What.RELEASE, s);
            permits[s]++;
            both(t, semaphore[s]);
        } else if (permits[s] == 0) {
            put(i, What.ACQUIRE_FAILS, s);
            sink(t, semaphore[s]);
        } else {
            put(i, What.TRY_ACQUIRE, s);
            permits[s]--;
            both(t, semaphore[s]);
        }
        return true;
    }

    private static boolean atomicStep(int i, int t) {
        What[] of = {What.GET, What.SET, What.SWAP, What.ADD, What.SWAP_FAILS, What.GET_OPAQUE, What.SET_OPAQUE};
        int a = below(ATOMS);
        What w = of[below(of.length)];
        put(i, w, a);
        switch (w) {
            case GET:
            case SWAP_FAILS:
                sink(t, atom[a]);
                break;
            case SET:
                source(t, atom[a]);
                break;
            case SWAP:
            case ADD:
                both(t, atom[a]);
                break;
            default:
        }
        return true;
    }

    private static boolean collectionStep(int i, int t) {
        int k = below(KEYS);
        switch (below(10)) {
            case 0:
                put(i, What.COUNT_DOWN, 0);
                both(t, single[LATCH]);
                break;
            case 1:
                put(i, What.COUNT, 0);
                sink(t, single[LATCH]);
                break;
            case 2:
                k = below(FUTURES);
                put(i, What.COMPLETE, k);
                sink(t, future[k]);
                if (!completed[k])
                    source(t, future[k]);
                completed[k] = true;
                break;
            case 3:
                k = below(FUTURES);
                put(i, What.GET_NOW, k);
                sink(t, future[k]);
                break;
            case 4:
                put(i, What.PUT, k);
                sink(t, bin[k]);
                source(t, value[k]);
                source(t, bin[k]);
                break;
            case 5:
                put(i, What.LOOK_UP, k);
                sink(t, value[k]);
                break;
            case 6:
                put(i, What.REPLACE, k);
                sink(t, single[LIST_LOCK]);
                both(t, single[LIST]);
                source(t, single[LIST_LOCK]);
                break;
            case 7:
                put(i, What.ELEMENT, k);
                sink(t, single[LIST]);
                break;
            case 8:
                put(i, What.OFFER, 0);
                queued++;
                both(t, single[QUEUE]);
                break;
            default:
                put(i, What.POLL, queued > 0 ? 1 : 0);
                queued -= queued > 0 ? 1 : 0;
                both(t, single[QUEUE]);
        }
        return true;
    }

    private static boolean parkStep(int i, int t) {
        int u = below(threads);
        if (parkable[t] && below(2) == 0) {
            put(i, What.PARK, 0);
            parkable[t] = false;
        } else if (u != t && !blocked[u]) {
            put(i, What.UNPARK, u);
            parkable[u] = true;
        } else {
            return false;
        }
        return true;
    }

    private static boolean meeting(int i, int t) {
        int u = below(threads);
        if (i + 1 >= LAST || u == t || blocked[u] || parkable[t] || parkable[u])
            return false;
        put(i, What.MEET, 0);
        put(i + 1, What.MET, 0);
        thread[i + 1] = u;
        races[i + 1] = may[i + 1] = false;
        both(t, single[BARRIER]);
        both(u, single[BARRIER]);
        both(t, single[BARRIER]);
        must = t;
        return true;
    }

    private static boolean tidy(int i) {
        for (int m = 0; m < MONITORS; m++) {
            int t = entered[m];
            if (t < 0 && waiter[m] >= 0) {
                for (t = 0; blocked[t] || t == waiter[m];)
                    t++;
                put(i, What.ENTER, m);
                sink(t, monitor[m]);
                entered[m] = t;
                nest[t][depth[t]++] = m;
            } else if (t >= 0 && waiter[m] >= 0 && !notified[m]) {
                put(i, What.NOTIFY, m);
                notified[m] = true;
            } else if (t >= 0) {
                exit(i, t); // the innermost, whichever it is
            } else {
                continue;
            }
            thread[i] = t;
            return true;
        }
        for (int t = 0; t < threads; t++)
            for (int l = 0; l < LOCKS; l++)
                if (holder[l] == t) {
                    thread[i] = t;
                    put(i, What.UNLOCK, l);
                    holder[l] = -1;
                    return true;
                }
        return false;
    }

    private static void clear(int[][] rows) {
        for (int[] row : rows)
            java.util.Arrays.fill(row, 0);
    }

    private static void begin(long seed) {
        random = seed;
        for (int[][] rows : new int[][][] {clock, monitor, lock, semaphore, atom, future, bin, value, single})
            clear(rows);
        for (int[][] rows : last)
            clear(rows);
        for (boolean[] row : new boolean[][] {raced, notified, completed, parkable, blocked})
            java.util.Arrays.fill(row, false);
        for (int[] row : new int[][] {entered, holder, waiter})
            java.util.Arrays.fill(row, -1);
        java.util.Arrays.fill(permits, 0);
        java.util.Arrays.fill(depth, 0);
        for (int t = 0; t < THREADS; t++)
            clock[t][t] = 1;
        writer = must = -1;
        readers = queued = 0;
        threads = 2 + below(THREADS - 1);
    }

    public static void make(long seed) {
        begin(seed);
        int accesses = 20 + below(50), stay = below(60), sum = 0, t = 0;
        int[] weight = new int[8];
        for (int k = 0; k < weight.length; k++)
            sum += weight[k] = below(3) == 0 ? 1 + below(10) : 0;
        for (steps = 0; steps < STEPS - 4; steps++) {
            int i = steps;
            races[i] = may[i] = false;
            if (must >= 0) {
                t = must;
                must = -1;
            } else if (blocked[t] || below(100) >= stay) {
                do
                    t = below(threads);
                while (blocked[t]);
            }
            thread[i] = t;
            if (i >= LAST) {
                if (!tidy(i))
                    break;
                continue;
            }
            boolean fine = false;
            if (sum > 0 && below(100) >= accesses) {
                int kind = 0, at = below(sum);
                while (at >= weight[kind])
                    at -= weight[kind++];
                switch (kind) {
                    case 0: fine = monitorStep(i, t); break;
                    case 1: fine = lockStep(i, t); break;
                    case 2: fine = readWriteStep(i, t); break;
                    case 3: fine = semaphoreStep(i, t); break;
                    case 4: fine = atomicStep(i, t); break;
                    case 5: fine = collectionStep(i, t); break;
                    case 6: fine = parkStep(i, t); break;
                    default:
                        fine = meeting(i, t);
                        steps += fine ? 1 : 0;
                }
            }
            if (!fine) {
                boolean write = below(2) == 0;
                put(i, write ? What.WRITE : What.READ, below(VARIABLES));
                access(i, t, object[i], write);
            }
        }
    }

    /** Each step that needs no other thread, for its first use. */
    public static void makeTrial() {
        begin(0);
        steps = 0;
        for (What w : new What[] {What.ENTER, What.WAIT_EXPIRED, What.NOTIFY, What.EXIT})
            trial(w, 0);
        for (What w : What.values()) {
            if (w == What.TRY_FAILS || w == What.MEET || w == What.MET || (w.compareTo(What.ENTER) >= 0 && w.compareTo(What.NOTIFY) <= 0))
                continue;
            boolean atomic = w.compareTo(What.GET) >= 0 && w.compareTo(What.SET_OPAQUE) <= 0;
            int n = atomic ? ATOMS : w.compareTo(What.WRITE) <= 0 ? VARIABLES : 1;
            for (int o = 0; o < n; o++)
                trial(w, w == What.POLL ? 1 : o);
        }
    }

    private static void trial(What w, int o) {
        thread[steps] = 0;
        put(steps++, w, o);
    }

    // ---- what happens ----

    /** Is the access of step i one of those that race? */
    public static boolean races(int i) {
        return races[i] || may[i];
    }

    /** After the access of step i. */
    public static synchronized void told(long seed, int i, boolean race) {
        found += race ? 1 : 0;
        if (race == races[i] || (race && may[i]))
            return;
        if (wrong++ > 20)
            return;
        System.err.println("seed " + seed + ", step " + i + ": " + (race ? "a race that is none" : "a race that was not found") + "; what led to it:");
        for (int k = 0; k <= i; k++)
            if (what[k].compareTo(What.WRITE) > 0 || object[k] == object[i])
                System.err.println("  " + k + "  thread " + thread[k] + "  " + what[k] + " " + object[k]);
    }

    public static long found() {
        return found;
    }

    public static int wrong() {
        return wrong;
    }
}
