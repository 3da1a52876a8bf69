// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import java.lang.ref.WeakReference;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * A thread of the program, platform or virtual. All fields are the thread's own but where it is said. What a thread that does
 * little would not need is allocated when it is needed: there may be 100,000 of them.
 */
final class T {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** The thread's current segment as a half with all bytes; 15 when it has none. What the filter compares with. */
    int seg = 15;
    /** The half of a group that is known to have the current segment, with all bytes: that of the last such read; 15: none. */
    int group = 15;
    /**
     * Bits in which halves of the thread's own batch of segments do not differ from {@link #seg}: gl_jthread.foreign, and no atomic ones. All, when
     * there is no segment.
     */
    int foreign = -1;
    final long nat; // struct gl_jthread
    /** Inside our own Java code: probes do nothing. */
    boolean busy;
    int quiet; // R.quiet() without R.loud()
    int rangeSite, rangePlace; // of the range of an array that is being accessed, with history=stack: its site, or 0; the number of its stack, or 0: not asked for yet

    // A volatile access, or a read-modify-write, that was begun and not yet ended: at most one of vol and stripe is set.
    S vol;               // locked
    Table.Stripe stripe; // locked: a volatile read of a variable without S
    boolean open;        // one of them may be set
    Object volOwner;     // keeps vol alive
    boolean volRead;     // post() sinks
    Throwable race;      // to be thrown after a read-modify-write, or null
    boolean told;        // the probe of a monitor has done its work

    Clones cloning; // Object's clone() is about to be called, or null

    // Where the thread is calling a VarHandle, or 0; and the variable that is accessed there, until it is checked.
    int atomicSite;
    Object atomicOwner;
    long atomicAt;

    // Shadows of arrays: those that the last accesses of a site used, by site, for the filter: an array and its shadow, and so on; and more
    // of them by identity hash. Others may set elements to null, at any time (forget()).
    Object[] arrays = NO_ARRAYS;
    Object[] moreArrays = NO_OBJECTS;
    long[][] moreShadows = NO_SHADOWS;
    int misses; // of the first since it grew, then of the second

    // Synchronization objects, by identity hash and id.
    S[] syncs = NO_SYNCS;
    int syncMisses; // since it grew
    S[] monitors = NO_MONITORS; // the last few, by recency: a locked object is slow to tell its hash
    int nextMonitor;
    int untold; // sources of which the core was not told, since they would have added nothing
    S entering; // of the monitor that is about to be entered, perhaps
    Object enters; // the object whose monitor is about to be entered in a block, or null
    Object waitsFor; // the object whose wait() has begun, or null
    int waitDepth;   // how often its monitor is held afterwards

    // Groups in which the thread looked for its current segment: the group's half, and what was found.
    int[] groups = NO_GROUPS;

    // Bit i: the initialization of class i, the linking of call site i is taken in. Both are copied before they are changed when they are lent.
    private long[] classes = NO_BITS;
    private long[] links = NO_BITS;
    private boolean lentClasses, lentLinks;
    Object[] locked = NO_LOCKED; // by synchronized methods
    int nLocked;

    private static final Object[] NO_ARRAYS = new Object[2], NO_OBJECTS = new Object[1];
    private static final Object[] NO_LOCKED = new Object[0];
    private static final long[][] NO_SHADOWS = new long[1][];
    private static final S[] NO_SYNCS = new S[1];
    private static final S[] NO_MONITORS = new S[0];
    // Places that were joined: the old one, the new one, its bytes, and what they became.
    private int[] joins = NO_JOINS;
    private int joinMisses;

    static final int[] NO_GROUPS = new int[2 * 32]; // never written
    private static final int[] NO_JOINS = new int[4]; // never written
    private static final long[] NO_BITS = new long[0];

    static final int ARRAYS_FIRST = 16, ARRAYS_MOST = 256, MORE_MOST = 2048, SYNCS = 32, SYNCS_MOST = 512, MONITORS = 4, GROUPS = 32, JOINS = 16, JOINS_MOST = 256; // powers of two

    T(long nat) {
        this.nat = nat;
    }

    /** After a native call that may have begun or ended a segment. */
    @ForceInline
    void refresh() {
        seg = U.getInt(nat) | 15;
        group = 15;
        foreign = R.stacks | seg == 15 ? -1 : U.getInt(nat + Access.FOREIGN) | Access.HALF_ATOMIC;
    }

    /** The filter of reads: does the word of a cell say that the current segment has accessed all of it? */
    @ForceInline
    boolean hasRead(long word) {
        int k = seg;
        return (int) word == k || (int) (word >>> 32) == k || (int) word == group;
    }

    /** {@link R#join}, looked up first among those that the thread has had. A cell is locked meanwhile; what it allocates, once, may be missing. */
    @ForceInline
    int joined(int old, int fresh, int bytes) {
        int[] all = joins;
        int at = joinAt(all, old, fresh, bytes);
        return all[at] == old && all[at + 1] == fresh && all[at + 2] == bytes ? all[at + 3] : join(old, fresh, bytes);
    }

    @ForceInline
    private static int joinAt(int[] all, int old, int fresh, int bytes) {
        return (old * 31 + fresh * 7 + bytes) * 0x9E3779B1 >>> 20 & all.length - 4;
    }

    @DontInline
    private int join(int old, int fresh, int bytes) {
        int[] all = joins;
        int at = joinAt(all, old, fresh, bytes);
        int number = R.join(old, fresh, bytes);
        if (number == 0) {
            return 0;
        }
        if (all == NO_JOINS || all.length == 4 * JOINS && ++joinMisses > 4 * JOINS) {
            try {
                joins = all = new int[4 * (all == NO_JOINS ? JOINS : JOINS_MOST)];
            } catch (OutOfMemoryError e) {
                return number;
            }
            at = joinAt(all, old, fresh, bytes);
        }
        all[at] = old;
        all[at + 1] = fresh;
        all[at + 2] = bytes;
        all[at + 3] = number;
        return number;
    }

    @ForceInline
    int flags() {
        return U.getInt(nat + 4);
    }

    /** Keeps the shadow of an array at hand for the next access of the site. */
    @DontInline
    void keep(Object array, int site, long[] shadow) {
        int n = arrays.length >> 1;
        if (n < ARRAYS_MOST && (n == 1 || ++misses > 4 * n)) {
            n = n == 1 ? ARRAYS_FIRST : n * 4;
            misses = 0;
            arrays = new Object[2 * n]; // whoever forgets for us may still hold the old ones: of no use any more
        }
        int at = 2 * (site & n - 1);
        arrays[at + 1] = shadow;
        arrays[at] = array;
    }

    /** The same for any site. */
    @DontInline
    void keepLonger(Object array, int hash, long[] shadow) {
        int n = moreArrays.length;
        if (n < MORE_MOST && (n == 1 || ++misses > n) && !hasMore(n == 1 ? ARRAYS_FIRST : n * 2)) {
            return;
        }
        int at = hash & moreArrays.length - 1;
        moreShadows[at] = shadow;
        moreArrays[at] = array;
    }

    /** Makes room for so many. False: there is no memory. */
    @DontInline
    private boolean hasMore(int n) {
        boolean was = busy;
        busy = true;
        try {
            long[][] values = new long[n][];
            Object[] keys = new Object[n];
            for (int i = 0; i < moreArrays.length; i++) {
                Object key = moreArrays[i];
                if (key != null) {
                    int at = System.identityHashCode(key) & n - 1;
                    values[at] = moreShadows[i]; // null when it is being forgotten: a miss
                    keys[at] = key;
                }
            }
            misses = 0;
            moreShadows = values;
            moreArrays = keys;
            return true;
        } catch (OutOfMemoryError e) {
            return false;
        } finally {
            busy = was;
        }
    }

    /**
     * Lets arrays die. By any thread, at any time: the owner that finds its key still there may find no shadow beside it, never
     * another array's, for only the owner stores what is not null.
     */
    void forget() {
        if (arrays != NO_ARRAYS) {
            forget(arrays);
        }
        if (moreArrays != NO_OBJECTS) {
            forget(moreArrays);
            forget(moreShadows);
        }
    }

    private static void forget(Object[] all) {
        for (int i = 0; i < all.length; i++) {
            all[i] = null;
        }
    }

    /** A bit that is set once: has the thread taken in the initialization of this class? */
    boolean knowsClass(int id) {
        return id >>> 6 < classes.length && (classes[id >>> 6] >>> id & 1) != 0;
    }

    void learnsClass(int id) {
        classes = set(classes, id, lentClasses);
        lentClasses = false;
    }

    /** Classes of objects that were deserialized, of which the same is true: by their identity hash, the last of each. */
    private WeakReference<Object>[] made;
    private static final int MADE = 16;

    boolean knowsMade(Class<?> c) {
        WeakReference<Object> w = made == null ? null : made[System.identityHashCode(c) & MADE - 1];
        return w != null && w.refersTo(c);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    void learnsMade(Class<?> c) {
        busy = true;
        try {
            if (made == null) {
                made = new WeakReference[MADE];
            }
            made[System.identityHashCode(c) & MADE - 1] = new WeakReference<>(c);
        } catch (OutOfMemoryError e) {
            R.unshadowed++; // asked again the next time
        } finally {
            busy = false;
        }
    }

    /** The same of a call site. */
    boolean knowsLink(int id) {
        return id >>> 6 < links.length && (links[id >>> 6] >>> id & 1) != 0;
    }

    void learnsLink(int id) {
        links = set(links, id, lentLinks);
        lentLinks = false;
    }

    /** What the parent has taken in comes before all that its child does. Called by the parent, before the child runs. */
    void inherit(T parent) {
        classes = parent.classes;
        links = parent.links;
        lentClasses = lentLinks = parent.lentClasses = parent.lentLinks = true;
    }

    private static long[] set(long[] bits, int id, boolean copy) {
        int n = bits.length;
        if (copy || id >>> 6 >= n) {
            long[] more = new long[id >>> 6 < n ? n : (id >>> 6) + 1 + (n >> 1)];
            for (int i = 0; i < n; i++) {
                more[i] = bits[i];
            }
            bits = more;
        }
        bits[id >>> 6] |= 1L << id;
        return bits;
    }
}
