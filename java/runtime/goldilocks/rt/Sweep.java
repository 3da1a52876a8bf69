// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import java.lang.ref.Reference;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ReservedStackAccess;

/**
 * Ids of segments that no cell names any more are handed out again, so that a program may run for weeks (core/sweep.h; docs/concurrency.md,
 * L.10). All run on meanwhile: every cell is looked at once, at a moment of its own. That is enough, for an id moves only inside of its cell;
 * and what a thread has read of a cell is in its variables for one access only, between two sweeps.
 */
final class Sweep {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final long STATIC = U.objectFieldOffset(F.class, "w");
    private static final int AT_ONCE = 512, ROUNDS = 20000;

    private final long nat; // struct gl_sweep
    private final long[] words = new long[AT_ONCE];
    private int n;
    private long last, cells;

    private Sweep(long nat) {
        this.nat = nat;
    }

    /** By the thread that runs R.reap(): a sweep, if one is due and can be. */
    static void ids() {
        if (!due()) {
            return;
        }
        try {
            Node[] threads = R.TABLE.all(Node.THREAD);
            long nat = allPassed(threads) ? begin() : 0;
            if (nat != 0) {
                sweep(nat, threads);
                return;
            }
        } catch (OutOfMemoryError e) {
            // another time
        }
        putOff();
    }

    private static void sweep(long nat, Node[] threads) {
        boolean whole = false;
        Sweep s = null;
        try {
            s = new Sweep(nat);
            whole = s.look(threads);
        } finally {
            end(nat, whole, s == null ? 0 : s.cells);
        }
    }

    // ---- threads ----

    /**
     * Was every thread outside of an access since the last sweep: has it synchronized, or does it wait for something now? What waits in the middle of
     * an access is ours, and busy.
     */
    private static boolean allPassed(Node[] threads) {
        for (int i = 0; i < threads.length && threads[i] != null; i++) {
            Threads.Entry e = (Threads.Entry) threads[i];
            T t = e.thread.get();
            Thread thread = e.runs.get();
            if (t == null || thread == null || t == R.cur() || !standing(t.nat)) {
                continue;
            }
            Thread.State state = thread.getState();
            if (t.busy || state == Thread.State.RUNNABLE && (isVirtual(thread) || !inNative(thread))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isVirtual(Thread thread) {
        return VIRTUAL != null && VIRTUAL.isInstance(thread);
    }

    private static final Class<?> VIRTUAL = virtual();

    private static Class<?> virtual() {
        try {
            return Class.forName("java.lang.BaseVirtualThread", false, null);
        } catch (ClassNotFoundException e) {
            return null; // JDK 20 and before
        }
    }

    // ---- cells ----

    private boolean look(Node[] threads) {
        // Of a virtual thread that is not mounted, objects may be in its stack in parts: they name its own segments.
        long[] virtual = new long[threads.length];
        T[] alive = new T[threads.length]; // a record goes with its T
        int nVirtual = 0;
        for (int i = 0; i < threads.length && threads[i] != null; i++) {
            Threads.Entry e = (Threads.Entry) threads[i];
            Thread thread = e.runs.get();
            T t = e.thread.get();
            if (t != null && thread != null && isVirtual(thread)) {
                alive[nVirtual] = t;
                virtual[nVirtual++] = t.nat;
            }
        }
        if (nVirtual > 0) {
            keep(nat, virtual, nVirtual);
        }
        Reference.reachabilityFence(alive);
        Node[] all = R.TABLE.all(Node.CELLS);
        for (int i = 0; i < all.length && all[i] != null; i++) {
            long[] array = ((Cells) all[i]).cells;
            for (int k = 0; k < array.length; k += 2) {
                if (!cell(array, Layout.LONGS + 8L * k)) {
                    return false;
                }
            }
        }
        all = R.TABLE.all(Node.FIELDS);
        for (int i = 0; i < all.length && all[i] != null; i++) {
            for (F f = (F) all[i]; f != null; f = f.other) {
                if (f.isStatic && !cell(f, STATIC)) {
                    return false;
                }
            }
        }
        Object[] again = fields(nat); // in threes: object, class and name of a field whose cell was locked
        for (int i = 0; again != null && i < again.length; i += 3) {
            if (!cell(again[i], U.objectFieldOffset((Class<?>) again[i + 1], (String) again[i + 2]))) {
                return false;
            }
        }
        flush();
        return again != null;
    }

    /** One cell, when it is not locked. False: it stays locked. */
    @ReservedStackAccess
    private boolean cell(Object base, long at) {
        cells++;
        for (int rounds = 0; rounds < ROUNDS; rounds++) {
            long word = U.getLongAcquire(base, at); // pairs with Access.release(): what the word names is there
            if (word == last || word == 0 || word == Access.OFF) {
                return true;
            }
            if (word == Access.LOCKED) {
                R.pause(rounds);
            } else if (!Access.isSide(word)) {
                last = word;
                words[n++] = word;
                if (n == AT_ONCE) {
                    flush();
                }
                return true;
            } else if (U.compareAndSetLong(base, at, word, Access.LOCKED)) { // its record changes under the cell's lock
                words[n++] = word;
                flush();
                U.putLongRelease(base, at, word); // as it was; pairs with getLongAcquire()
                return true;
            }
        }
        return false;
    }

    private void flush() {
        words(nat, words, n);
        n = 0;
    }

    // ---- natives: java/sweep.c ----

    /** A sweep is due; not twice for one reason. */
    static native boolean due();

    /** It cannot be done now. */
    private static native void putOff();

    /** 0: it cannot be done now. Threads may go on in the core. */
    private static native long begin();

    /** Has not synchronized since the last sweep. */
    private static native boolean standing(long nat);

    /** Runs code of a library, which is not ours. */
    private static native boolean inNative(Thread thread);

    /** All ids of these threads stay. */
    private static native void keep(long sweep, long[] threads, int n);

    /** What cells hold. */
    private static native void words(long sweep, long[] words, int n);

    /** The cells of all objects' fields, but for those that are locked. Null: it went wrong. */
    private static native Object[] fields(long sweep);

    /** whole: all were told. */
    private static native void end(long sweep, boolean whole, long cells);
}
