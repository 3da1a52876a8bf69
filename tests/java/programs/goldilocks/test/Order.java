// SPDX-License-Identifier: Apache-2.0
package goldilocks.test;

/**
 * The order that a behaviour test needs and the detector must not see. A test says "this access, then that one, for certain"; a
 * lock or a latch would say it too, but would order the two accesses and so remove the race. The agent leaves classes of the
 * package goldilocks alone, so nothing that happens in here is synchronization for it. This class must use nothing of the JDK
 * that the agent watches: no java.util.concurrent, no VarHandle, no park, and no lambda or concatenation of strings, whose first
 * use is linked by way of concurrent maps.
 *
 * <p>A program is run twice: as it is, where {@link #racy} is true and the race happens, and with -Dtwin=true.
 */
public final class Order {
    private static final boolean RACY = !Boolean.getBoolean("twin");
    private static final long PATIENCE_NS = 40_000_000_000L;
    private static final int BUSY_ROUNDS = 500;

    private static volatile Meeting everyone = new Meeting();

    private static volatile int turns;
    private static volatile Object slot;
    private static volatile long sink;
    private static volatile Object objectSink;

    static {
        // Loading a class takes locks and concurrent maps: it must be over before the first access.
        new Patience();
    }

    private Order() {}

    public static boolean racy() {
        return RACY;
    }

    /** Ends the present turn. */
    public static synchronized void pass() {
        turns++;
    }

    /** Returns when at least n turns have passed. */
    public static void await(int n) {
        Patience patience = new Patience();
        while (turns < n)
            patience.wait("a turn never came");
    }

    /**
     * Turns are counted from here. For the thread that starts the others, before it does; a program that starts its threads
     * without the help of Run calls it first, so that this class is there when they run.
     */
    public static void begin() {
        turns = 0;
    }

    /** Between two programs in one JVM. */
    static void restart() {
        begin();
        everyone = new Meeting();
        slot = null;
    }

    /** Returns when n threads (the same n every time) have called it. */
    public static void meet(int n) {
        everyone.meet(n);
    }

    /** An invisible barrier that can be used again. */
    public static final class Meeting {
        private volatile int arrived;

        public void meet(int n) {
            int all = (arrive() / n + 1) * n;
            Patience patience = new Patience();
            while (arrived < all)
                patience.wait("not all of them met");
        }

        private synchronized int arrive() {
            return arrived++;
        }
    }

    /** Never returns. For a daemon thread that must not run its end. */
    public static void stay() {
        for (;;) {
            try {
                Thread.sleep(1000);
            } catch (InterruptedException e) {
                // It stays.
            }
        }
    }

    /** One reference passed from thread to thread behind the detector's back. */
    public static void hide(Object object) {
        slot = object;
    }

    public static Object hidden() {
        return slot;
    }

    /** A condition that the test rests on; a broken one ends the program with exit code 3. */
    public static void must(boolean condition) {
        if (!condition)
            fail(new AssertionError("a condition that the test rests on does not hold"));
    }

    public static void fail(Throwable why) {
        why.printStackTrace();
        Runtime.getRuntime().halt(3);
    }

    /** Reads of a variable end here, so that they are reads. */
    public static void use(long value) {
        sink = value;
    }

    public static void use(double value) {
        sink = (long) value;
    }

    public static void use(boolean value) {
        sink = value ? 1 : 0;
    }

    public static void use(Object value) {
        objectSink = value;
    }

    /** The line of the caller. */
    public static int line() {
        return new Throwable().getStackTrace()[1].getLineNumber();
    }

    /** Waits without synchronization: busy first, then asleep. A virtual thread stays busy, since sleeping would unmount it. */
    private static final class Patience {
        private final long start = System.nanoTime();
        // JDK 17 has no isVirtual().
        private final boolean virtual = Thread.currentThread().getClass().getName().contains("VirtualThread");
        private int rounds;
        private boolean sleepless;

        void wait(String complaint) {
            if (System.nanoTime() - start > PATIENCE_NS)
                fail(new AssertionError(complaint));
            if (virtual) {
                Thread.onSpinWait();
                return;
            }
            if (sleepless || ++rounds < BUSY_ROUNDS) {
                Thread.yield();
                return;
            }
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                // The interrupt was meant for the program.
                Thread.currentThread().interrupt();
                sleepless = true;
            }
        }
    }
}
