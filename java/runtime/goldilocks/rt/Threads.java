// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import java.lang.ref.WeakReference;
import jdk.internal.misc.Unsafe;

/** The T of threads: from fork to join. */
final class Threads {
    private static final Unsafe U = Unsafe.getUnsafe();

    /**
     * Where a thread keeps its T: in place of the object that Thread.interrupt() locks while it looks whether the thread is in an operation
     * of a channel. Any object serves for that. It is there from the thread's birth; a field of our own could be added to Thread only
     * by an agent that sees classes so early that the JVM does without its archive of classes.
     */
    static final long AT = offset("interruptLock", "blockerLock"); // JDK 19 and later; 17

    private Threads() {}

    /** In the weak table: gives the thread's record back when its T is gone. */
    static final class Entry extends Node {
        final WeakReference<T> thread;
        final WeakReference<Thread> runs;
        final long nat;

        Entry(T t, Thread runs) {
            super(t, System.identityHashCode(t), THREAD);
            thread = new WeakReference<T>(t);
            this.runs = new WeakReference<Thread>(runs);
            nat = t.nat;
        }

        @Override
        void died() {
            R.freeThread(nat);
        }

        @Override
        void collected() {
            T t = thread.get();
            if (t != null) {
                t.forget();
            }
        }
    }

    private static long offset(String... names) {
        for (String name : names) {
            try {
                return U.objectFieldOffset(Thread.class, name);
            } catch (InternalError none) {
                continue;
            }
        }
        throw new InternalError("java.lang.Thread has no " + names[0]);
    }

    /** The T of a thread, or null. */
    static T of(Thread thread) {
        Object o = U.getReferenceAcquire(thread, AT); // pairs with set()
        return o instanceof T ? (T) o : null;
    }

    /** Who is just interrupting the thread may still hold what was there: a thread that natives attached, perhaps. Then that is not waited for. */
    private static void set(Thread thread, T t) {
        U.putReferenceRelease(thread, AT, t);
    }

    /** A thread that nobody started under our eyes: ordered after nothing. */
    static T attach(Thread thread) {
        T mine = new T(R.shared()); // for the time being: what we call may call us
        mine.busy = true;
        set(thread, mine);
        T t = make(0, thread);
        set(thread, t);
        return t;
    }

    /** `parent` starts `child`. */
    static void fork(T parent, Thread child) {
        if (of(child) != null) {
            return;
        }
        parent.busy = true;
        try {
            T t = make(parent.nat, child);
            if (t != null) {
                t.inherit(parent);
                set(child, t);
            }
            parent.refresh();
        } finally {
            parent.busy = false;
        }
    }

    private static T make(long parent, Thread thread) {
        try {
            long nat = R.newThread(parent, thread.getName());
            if (nat == 0) {
                R.stop();
                return null;
            }
            T t = new T(nat);
            R.TABLE.add(t, new Entry(t, thread));
            return t;
        } catch (OutOfMemoryError e) {
            R.stop();
            return null;
        }
    }
}
