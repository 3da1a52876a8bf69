// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ReservedStackAccess;

/** The probes of {@link R} for monitors. */
class RMonitors extends RThreads {
    RMonitors() {}

    /**
     * Before monitorenter. A locked object is slow to tell its hash, and what is looked up now is not looked up under the lock. The object is kept here,
     * not on the stack of operands: JDK 24 and later do not keep those up to date that lie there while a virtual thread waits for a monitor.
     */
    public static void entering(Object o) {
        T t = o == null ? null : R.outside();
        if (t != null) {
            t.entering = Sync.monitor(t, o);
            t.enters = o;
        }
    }

    /** After monitorenter. */
    public static void enter() {
        T t = R.outside();
        Object o = t == null ? null : t.enters;
        if (o != null) {
            t.enters = null;
            Sync.entered(t, o);
        }
    }

    /** Before monitorexit; o may be null, or not held: the instruction throws. */
    public static void exit(Object o) {
        T t = R.outside();
        if (t != null && o != null) {
            Sync.exiting(t, o);
        }
    }

    /** A synchronized method begins. */
    public static void enterSync(Object o) {
        T t = R.outside();
        if (t == null) {
            return;
        }
        if (t.nLocked == t.locked.length) {
            Object[] more = new Object[Math.max(8, 2 * t.nLocked)];
            for (int i = 0; i < t.nLocked; i++) {
                more[i] = t.locked[i];
            }
            t.locked = more;
        }
        t.told = false;
        try {
            enterSync(t, o);
        } catch (StackOverflowError e) { // see Sync.entered()
            if (t.told) {
                exitSync(t);
            }
            throw e;
        }
    }

    /** A method that loads a class begins: the virtual machine holds the monitor of a loader that is not parallel capable, while it asks it. */
    public static void enterLoader(Object o) {
        enterSync(Thread.holdsLock(o) ? o : null);
    }

    /** null: it has none, and what comes at its end means none. */
    @DontInline
    @ReservedStackAccess
    private static void enterSync(T t, Object o) {
        t.locked[t.nLocked++] = o;
        if (o != null) {
            Sync.enteredNow(t, o);
        } else {
            t.told = true;
        }
    }

    /** It ends, the innermost that has not. */
    public static void exitSync() {
        T t = R.outside();
        if (t != null && t.nLocked > 0) {
            t.told = false;
            try {
                exitSync(t);
            } catch (StackOverflowError e) {
                if (!t.told) {
                    throw e;
                }
            }
        }
    }

    @DontInline
    @ReservedStackAccess
    private static void exitSync(T t) {
        Object o = t.locked[--t.nLocked];
        t.locked[t.nLocked] = null;
        if (o != null) {
            Sync.exitingNow(t, o);
        } else {
            t.told = true;
        }
    }

    /** A method of the JDK has entered the monitor of o, and does nothing with the program's data until it leaves it. */
    public static void passes(Object o) {
        T t = R.outside();
        if (t != null) {
            Sync.entered(t, o);
            Sync.exiting(t, o);
        }
    }

    /** java/jni_monitor.c: native code has entered the monitor of o. */
    public static void nativeEntered(Object o) {
        T t = R.outside();
        if (t != null) {
            Sync.entered(t, o);
        }
    }

    /** It is about to leave it; when the monitor is not held that is an error. */
    public static void nativeLeaves(Object o) {
        T t = R.outside();
        if (t != null && o != null && Thread.holdsLock(o)) {
            Sync.exiting(t, o);
        }
    }

    /** o.wait(millis) begins, whoever calls it and however. When the monitor is not held it throws at once. */
    public static void waits(Object o, long millis) {
        T t = R.outside();
        if (t != null && millis >= 0 && Thread.holdsLock(o)) {
            t.waitDepth = Sync.waitBegin(t, o);
            t.waitsFor = o;
        }
    }

    /** The monitor is held again: wait() returns, or has made its InterruptedException. */
    public static void waited() {
        T t = R.cur();
        Object o = t == null ? null : t.waitsFor;
        if (o != null) {
            t.waitsFor = null;
            Sync.waitEnd(t, o, t.waitDepth);
        }
    }
}
