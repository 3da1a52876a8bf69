// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import java.lang.ref.WeakReference;
import jdk.internal.misc.Unsafe;

/** The T of threads: from fork to join. */
final class Threads {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** Where Thread.$gl is; -1: Thread has no such field, and a table by thread id stands in for it (tests without the agent). */
    private static long at = -1;
    private static T[] byId = new T[1024];
    private static final Lock LOCK = new Lock(); // guards the table and its elements

    private Threads() {}

    /** In the weak table: gives the thread's record back when its T is gone. */
    static final class Entry extends Node {
        private final WeakReference<T> thread;
        private final long nat;

        Entry(T t) {
            super(t, System.identityHashCode(t), THREAD);
            thread = new WeakReference<T>(t);
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

    static void start() {
        try {
            at = U.objectFieldOffset(Thread.class, "$gl");
        } catch (InternalError none) {
            at = -1;
        }
    }

    /** The T of a thread, or null. */
    static T of(Thread thread) {
        if (at >= 0) {
            return (T) U.getReferenceAcquire(thread, at); // pairs with set()
        }
        long id = thread.getId();
        T[] all = byId;
        return id < all.length ? all[(int) id] : null;
    }

    private static void set(Thread thread, T t) {
        if (at >= 0) {
            U.putReferenceRelease(thread, at, t);
            return;
        }
        int id = (int) thread.getId();
        T[] more = id < byId.length ? null : new T[Math.max(id + 1, 2 * byId.length)];
        LOCK.lock();
        if (more != null && more.length > byId.length) {
            for (int i = 0; i < byId.length; i++) {
                more[i] = byId[i];
            }
            byId = more;
        }
        byId[id] = t;
        LOCK.unlock();
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
            R.TABLE.add(t, new Entry(t));
            return t;
        } catch (OutOfMemoryError e) {
            R.stop();
            return null;
        }
    }
}
