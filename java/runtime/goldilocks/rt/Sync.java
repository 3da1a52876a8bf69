// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.ReservedStackAccess;
import java.lang.ref.Reference;

/**
 * Sources and sinks. A volatile variable's S is locked over the record and the real access, so that a read finds the source of the
 * value that it read and no later one (docs/concurrency.md, D.2). A variable without S has had no source; a read of it holds
 * the lock of the stripe in which its S would be made, so that none is made before the value is read.
 *
 * What is called from many places of the program is not inlined there: it is long, and the compiler's time is the program's.
 */
final class Sync {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final Object OFF_HEAP = new Object(); // stands for memory outside the heap: its variables never die

    private static final int OWN = 4, VERSION = 16; // in struct gl_jsync
    private static final int SLOT1 = 16, AGAIN = 40, AGAIN_KEY = 48; // in struct gl_jthread
    private static final int NODE = 96; // bytes of the heap that an S and its lock take, about
    private static final int TELL = 256; // a power of 2: so many sources of which the core need not know, and it is called: a sweep of ids waits for that

    private Sync() {}

    /** The S of this key, or null: there has been none. */
    private static S find(T t, Object o, int hash, long id) {
        S[] cache = t.syncs;
        int at = Table.mix(hash, id) & cache.length - 1;
        S s = cache[at];
        if (s != null && s.hash == hash && s.id == id && s.refersTo(o)) {
            return s;
        }
        return findShared(t, o, hash, id);
    }

    @DontInline
    private static S findShared(T t, Object o, int hash, long id) {
        S s = (S) R.TABLE.find(o, hash, id);
        if (s != null) {
            cache(t, s);
        }
        return s;
    }

    /** Has room for more where many are used again and again. */
    private static void cache(T t, S s) {
        int n = t.syncs.length;
        if (n == 1 || (n < T.SYNCS_MOST && ++t.syncMisses > 8 * n)) {
            t.syncMisses = 0;
            t.busy = true;
            try {
                t.syncs = new S[n == 1 ? T.SYNCS : n * 4];
            } catch (OutOfMemoryError e) {
                return; // found in the table, always
            } finally {
                t.busy = false;
            }
        }
        t.syncs[Table.mix(s.hash, s.id) & t.syncs.length - 1] = s;
    }

    /** The S of this key, made if there was none. Null: no memory; then checking is over, for a lost source would make false races. */
    @ForceInline
    private static S get(T t, Object o, int hash, long id) {
        S s = find(t, o, hash, id);
        return s != null ? s : make(t, o, hash, id);
    }

    @DontInline
    private static S make(T t, Object o, int hash, long id) {
        t.busy = true;
        S s = null;
        try {
            s = added(t, o, hash, id);
        } catch (OutOfMemoryError e) {
            s = addedAfterSweep(t, o, hash, id);
        } finally {
            t.busy = false;
        }
        if (s == null) {
            R.stop();
        }
        return s;
    }

    /** Null: no memory outside the heap. */
    private static S added(T t, Object o, int hash, long id) {
        long nat = R.newSync();
        if (nat == 0) {
            return null;
        }
        S s, fresh = null;
        try {
            fresh = new S(o, hash, id, nat);
            s = (S) R.TABLE.add(o, fresh);
        } finally {
            if (fresh == null || !fresh.listed) { // add() may have done it and not returned
                R.freeSync(nat);
            }
        }
        A.account(t, NODE);
        A.accountOutside(t);
        cache(t, s);
        return s;
    }

    /** When the heap is full: what was kept of objects that are dead may have filled it. Null: it had not. */
    private static S addedAfterSweep(T t, Object o, int hash, long id) {
        try {
            if (t.stripe == null) {
                R.TABLE.sweep();
            }
            return added(t, o, hash, id);
        } catch (OutOfMemoryError e) {
            return null;
        }
    }

    // ---- volatile variables ----

    // What holds a lock beyond its return, or follows a real access, is in two methods. The inner one has ReservedStackAccess, so that a stack that
    // overflows lets it do its work to the end; the error is thrown when it returns, to the outer one. That takes back what was done before an access, so
    // that the error is one before it; behind an access, of which the program must see none, it drops the error. Where there was no room even for the
    // call of the inner one, as after compiled code was left for that very error, it gives up the lock by plain bytecodes: order may be lost, but nobody hangs.

    /** Before a volatile read of (o, id). Returns what end() needs; null: nothing is recorded. */
    @DontInline
    static T beginRead(Object o, long id) {
        T t = R.curOrAttach();
        if (t == null || t.busy) {
            return null;
        }
        begin(t, o, id, READ);
        return t;
    }

    private static final int READ = 0, WRITE = 1, BOTH = 2;

    /** What is taken back is taken back without any call: there may be no room for one. */
    @ForceInline
    private static void begin(T t, Object o, long id, int how) {
        try {
            if (how == READ) {
                beginRead(t, o, id);
            } else if (how == WRITE) {
                beginWrite(t, o, id);
            } else {
                lock(t, o, id);
            }
        } catch (StackOverflowError e) {
            S s = t.vol;
            Table.Stripe stripe = t.stripe;
            t.vol = null;
            t.stripe = null;
            t.open = false;
            t.volOwner = null;
            t.atomicOwner = null;
            if (s != null) {
                s.held = 0; // a release, as of Lock.unlock()
            } else if (stripe != null) {
                stripe.held = 0;
            }
            throw e;
        }
    }

    @DontInline
    @ReservedStackAccess
    private static void beginRead(T t, Object o, long id) {
        t.atomicOwner = null;
        end(t);
        Atomics.begin(t, o, id);
        if (o == null) {
            o = OFF_HEAP;
        }
        int hash = System.identityHashCode(o);
        S s = find(t, o, hash, id);
        if (s == null) {
            s = locked(t, o, hash, id);
            if (s == null) {
                return;
            }
        }
        s.lock();
        t.vol = s;
        t.open = true;
        t.volOwner = o;
        t.volRead = true;
    }

    /** The S of a variable that seemed to have none. Null: it has none, and the lock of its stripe is held. */
    @DontInline
    @ReservedStackAccess
    private static S locked(T t, Object o, int hash, long id) {
        Table.Stripe stripe = R.TABLE.stripe(hash, id);
        stripe.lock();
        S s = (S) Table.findLocked(stripe, o, hash, id);
        if (s == null) {
            t.stripe = stripe;
            t.open = true;
        } else {
            stripe.unlock();
        }
        return s;
    }

    /** Before a volatile write of (o, id). */
    @DontInline
    static T beginWrite(Object o, long id) {
        T t = R.curOrAttach();
        if (t == null || t.busy) {
            return null;
        }
        begin(t, o, id, WRITE);
        return t;
    }

    @DontInline
    @ReservedStackAccess
    private static void beginWrite(T t, Object o, long id) {
        t.atomicOwner = null;
        end(t);
        if (t.atomicSite != 0) {
            Atomics.begin(t, o, id);
            Atomics.access(t, Access.WRITE | Access.ATOMIC); // the record is among what the source passes on
        }
        if (o == null) {
            o = OFF_HEAP;
        }
        S s = get(t, o, System.identityHashCode(o), id);
        if (s == null) {
            return;
        }
        s.lock();
        t.vol = s;
        t.open = true;
        t.volOwner = o;
        t.volRead = false;
        source(t, s);
    }

    /** After the access. Also when an access that was begun did not happen. */
    @DontInline
    static void end(T t) {
        if (t == null) {
            return;
        }
        try {
            ended(t);
        } catch (StackOverflowError e) {
            S s = t.vol;
            Table.Stripe stripe = t.stripe;
            t.vol = null; // if it did not even begin, nobody is to wait for this thread for ever
            t.stripe = null;
            if (s != null) {
                s.held = 0;
            } else if (stripe != null) {
                stripe.held = 0;
            }
        }
    }

    @DontInline
    @ReservedStackAccess
    private static void ended(T t) {
        t.open = false;
        S s = t.vol;
        if (s != null) {
            if (t.volRead) {
                sink(t, s);
            }
            t.vol = null;
            s.unlock();
            t.volOwner = null;
        } else if (t.stripe != null) {
            Table.Stripe stripe = t.stripe;
            t.stripe = null;
            stripe.unlock();
        }
        if (t.atomicOwner != null) {
            Atomics.access(t, Access.READ | Access.ATOMIC); // what the sink took in comes before it
        }
    }

    /** Before a read-modify-write of (o, id): its S, locked; null: nothing is recorded. */
    static S lock(Object o, long id) {
        T t = R.curOrAttach();
        if (t == null || t.busy) {
            return null;
        }
        begin(t, o, id, BOTH);
        return t.vol;
    }

    @DontInline
    @ReservedStackAccess
    private static void lock(T t, Object o, long id) {
        t.atomicOwner = null;
        end(t);
        Atomics.begin(t, o, id);
        if (o == null) {
            o = OFF_HEAP;
        }
        S s = get(t, o, System.identityHashCode(o), id);
        if (s != null) {
            s.lock();
            t.vol = s; // not open: post() is about other accesses
            t.volRead = false;
        }
    }

    static void unlock(S s, Object o, boolean sink, boolean source) {
        unlock(s, o, sink, source, source);
    }

    /** After it: takes in what the variable has, and adds to it, as said; wrote: the variable may have changed. */
    static void unlock(S s, Object o, boolean sink, boolean source, boolean wrote) {
        if (s == null) {
            return;
        }
        T t = R.cur();
        t.race = null;
        try {
            unlocked(t, s, sink, source, wrote);
        } catch (StackOverflowError e) {
            if (t.vol != null) { // as in end()
                t.vol = null;
                s.held = 0;
            }
        }
        Reference.reachabilityFence(o);
        if (t.race != null) {
            U.throwException(t.race);
        }
    }

    @DontInline
    @ReservedStackAccess
    private static void unlocked(T t, S s, boolean sink, boolean source, boolean wrote) {
        if (sink) {
            sink(t, s);
        }
        if (t.atomicOwner != null) {
            t.race = Atomics.race(t, wrote);
        }
        if (source) {
            source(t, s);
        }
        t.vol = null;
        s.unlock();
    }

    /** Under the lock of s. */
    private static void sink(T t, S s) {
        long nat = s.nat;
        if (U.getLong(nat + VERSION) != 0 && U.getInt(nat + OWN) != U.getInt(t.nat + SLOT1)) { // as gl_sink() begins: nothing new from itself
            R.sink(t.nat, nat);
        }
    }

    /** Under the lock of s. Merges: every earlier volatile write orders a later read (JLS 17.4.4). */
    private static void source(T t, S s) {
        if (R.serial || !isKnown(t, s)) {
            tellSource(t, s);
        }
    }

    @DontInline
    private static void tellSource(T t, S s) {
        R.source(t.nat, s.nat);
        t.refresh();
    }

    // ---- single events ----

    /** A source on (o, id) that no access goes with. */
    static void sourceOf(T t, Object o, long id) {
        S s = get(t, o, System.identityHashCode(o), id);
        if (s != null) {
            sourceOf(t, s);
        }
        Reference.reachabilityFence(o);
    }

    @ReservedStackAccess
    static void sourceOf(T t, S s) {
        s.lock();
        source(t, s);
        s.unlock();
    }

    /** A sink on (o, id). */
    static void sinkOn(T t, Object o, long id) {
        S s = find(t, o, System.identityHashCode(o), id);
        if (s == null) {
            s = (S) R.TABLE.findSurely(o, System.identityHashCode(o), id);
        }
        if (s != null) {
            sinkOn(t, s);
        }
        Reference.reachabilityFence(o);
    }

    @ReservedStackAccess
    static void sinkOn(T t, S s) {
        s.lock();
        sink(t, s);
        s.unlock();
    }

    // ---- monitors: they exclude by themselves ----

    @DontInline
    static S monitor(T t, Object o) {
        S[] recent = t.monitors;
        for (int i = 0; i < recent.length; i++) {
            S s = recent[i];
            if (s != null && s.refersTo(o)) {
                return s;
            }
        }
        S s = get(t, o, System.identityHashCode(o), Node.MONITOR);
        if (s != null) {
            if (recent.length == 0) {
                t.monitors = recent = new S[T.MONITORS];
            }
            recent[t.nextMonitor++ & T.MONITORS - 1] = s;
        }
        return s;
    }

    /** After the monitor of o was entered. Where the stack overflows it was not, for us: the program's handler leaves it. */
    static void entered(T t, Object o) {
        t.told = false;
        try {
            enteredNow(t, o);
        } catch (StackOverflowError e) {
            if (t.told) {
                exitingNow(t, o);
            }
            throw e;
        }
    }

    @DontInline
    @ReservedStackAccess
    static void enteredNow(T t, Object o) {
        S s = t.entering;
        if (s == null || !s.refersTo(o)) {
            s = monitor(t, o);
        }
        if (s != null) {
            if (R.serial) {
                R.acquired(t.nat, s.nat, s.hash);
            } else if (s.holder == t) {
                s.depth++;
            } else {
                s.holder = t;
                s.depth = 1;
                s.alone = isOwn(t, s);
                if (s.alone) {
                    goOn(t, s);
                } else {
                    R.acquired(t.nat, s.nat, s.hash);
                }
            }
        }
        Reference.reachabilityFence(o);
        t.told = true;
    }

    /** Has nobody but the thread itself left the monitor since all that came before was replaced, or nobody at all? Then gl_sink() does nothing. */
    private static boolean isOwn(T t, S s) {
        return U.getLong(s.nat + VERSION) == 0 || U.getInt(s.nat + OWN) == U.getInt(t.nat + SLOT1);
    }

    /**
     * gl_segment_resume(), the core not being told: if the thread's last segment ended when it left this very monitor, and it has told the core
     * nothing since, the segment goes on. The core takes that over when it is called again.
     */
    @ForceInline
    private static void goOn(T t, S s) {
        int key = U.getInt(t.nat + AGAIN_KEY);
        if (key != 0 && U.getInt(t.nat) == 0 && U.getLong(t.nat + AGAIN) == U.getLong(s.nat + VERSION)) {
            U.putInt(t.nat, key);
            t.refresh();
        }
    }

    /**
     * Would a source to s add nothing? Its last one was the core's last record of the thread, and what the thread has accessed since, if it has, belongs to
     * the segment that goes on, which ends here.
     */
    @ForceInline
    private static boolean isKnown(T t, S s) {
        long nat = t.nat, version = U.getLong(s.nat + VERSION);
        int key = U.getInt(nat);
        if (version == 0 || U.getLong(nat + AGAIN) != version || key != 0 && key != U.getInt(nat + AGAIN_KEY) || (++t.untold & TELL - 1) == 0) {
            return false;
        }
        if (key != 0) {
            t.seg = t.group = 15; // first: nothing is taken for seen that comes after
            t.foreign = -1;
            U.putInt(nat, 0);
        }
        return true;
    }

    /** Before the monitor of o is left. */
    static void exiting(T t, Object o) {
        t.told = false;
        try {
            exitingNow(t, o);
        } catch (StackOverflowError e) {
            if (!t.told) {
                throw e;
            }
        }
    }

    @DontInline
    @ReservedStackAccess
    static void exitingNow(T t, Object o) {
        S s = monitor(t, o);
        if (s != null) {
            if (s.holder != t) { // told one by one; or the core knows what to do about it
                R.releasing(t.nat, s.nat);
                t.refresh();
            } else if (--s.depth == 0) {
                s.holder = null;
                if (!s.alone || !isKnown(t, s)) {
                    tellExit(t, s);
                }
            }
        }
        Reference.reachabilityFence(o);
        t.told = true;
    }

    @DontInline
    private static void tellExit(T t, S s) {
        if (s.alone) {
            R.releasingAlone(t.nat, s.nat);
        } else {
            R.releasing(t.nat, s.nat);
        }
        t.refresh();
    }

    /** Before Object.wait, the monitor being held: the depth to come back to. */
    static int waitBegin(T t, Object o) {
        S s = monitor(t, o);
        int depth = 0;
        if (s != null) {
            if (s.holder == t) {
                depth = s.depth;
                s.holder = null;
                if (s.alone) {
                    R.acquired(t.nat, s.nat, s.hash);
                }
            }
            int told = R.waitBegin(t.nat, s.nat);
            depth = R.serial ? told : depth;
            t.refresh();
        }
        Reference.reachabilityFence(o);
        return depth;
    }

    static void waitEnd(T t, Object o, int depth) {
        t.told = false;
        try {
            waitEndNow(t, o, depth);
        } catch (StackOverflowError e) {
            if (!t.told) {
                throw e;
            }
        }
    }

    @DontInline
    @ReservedStackAccess
    private static void waitEndNow(T t, Object o, int depth) {
        S s = monitor(t, o);
        if (s != null) {
            R.waitEnd(t.nat, s.nat, R.serial ? depth : Math.min(depth, 1), s.hash);
            if (!R.serial && depth > 0) {
                s.holder = t;
                s.depth = depth;
                s.alone = false;
            }
        }
        Reference.reachabilityFence(o);
        t.told = true;
    }
}
