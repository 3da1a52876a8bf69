// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.ReservedStackAccess;

/**
 * An access that the filter did not know: the cell's transition. Simple ones are made here ({@link #quick};
 * docs/concurrency.md, C.9), the others by the core on a copy while the cell is locked.
 */
final class Access {
    private static final Unsafe U = Unsafe.getUnsafe();

    static final int READ = 0, WRITE = 1;
    static final int ATOMIC = 2; // with one of these: does not race with its like
    static final int ALL = 15; // the byte mask of a whole cell

    // As in core/cell.h and core/group.h; java/bridge.c asserts it.
    static final int SIDE = -1;                 // high half: there is a side record
    static final long LOCKED = 0xFFFFFFFEL << 32;
    static final long OFF = 0xFFFFFFFDL << 32;  // the variable is not checked any more; the core never makes nor sees it
    static final int GROUP_FIRST = (1 << 27) - (1 << 22) - 4;
    static final int HALF_SHIFT = 5, HALF_ATOMIC = 16;
    // As in struct gl_jthread and struct gl_thread.
    static final int FOREIGN = 24, NEXT = 28, BEFORE = 32, BEFORE_MASK = 255;
    private static final int LOW = 0, HIGH = 4; // where the halves of a long are: little-endian, as core/cell_inl.h

    // R.stopping; as in java/options.h.
    static final int NOTHING = 0, VARIABLE = 1, FIELD = 2, EVERYTHING = 3;

    private Access() {}

    /** A store with release. (Unsafe.putLongRelease() does the same, but C1 makes a call and a full fence of it.) */
    @ForceInline
    static void release(Object base, long at, long value) {
        U.storeFence(); // nothing from before comes after what is stored next
        U.putLong(base, at, value);
    }

    /** Does a half say that the segment `key` (without bytes) made a plain access to all bytes of `mask`? */
    private static boolean covers(int half, int key, int mask) {
        return ((half ^ (key | mask)) & (~15 | mask)) == 0;
    }

    static boolean isSide(long word) {
        return (int) (word >>> 32) == SIDE;
    }

    /** The same, also when it is a group. */
    @DontInline
    private static boolean halfSeen(T t, int half, int key, int mask) {
        if (half >>> HALF_SHIFT < GROUP_FIRST) {
            return covers(half, key, mask);
        }
        int[] groups = t.groups;
        if (groups == T.NO_GROUPS) {
            t.groups = groups = new int[2 * T.GROUPS];
        }
        int at = 2 * (half >>> HALF_SHIFT & T.GROUPS - 1);
        if (groups[at] != half || (groups[at + 1] & ~15) != key) {
            int mine = R.member(t.nat, half);
            groups[at] = half;
            groups[at + 1] = mine == 0 ? key : mine; // key without bytes: covers nothing
        }
        return covers(groups[at + 1], key, mask);
    }

    /** Is the read half of the word a group that is known to have the current segment, with all bytes? */
    @ForceInline
    static boolean inGroup(T t, long word) {
        if ((int) word >>> HALF_SHIFT < GROUP_FIRST) {
            return false;
        }
        int[] groups = t.groups;
        int at = 2 * ((int) word >>> HALF_SHIFT & T.GROUPS - 1);
        if (groups[at] != (int) word | groups[at + 1] != t.seg) {
            return false;
        }
        t.group = (int) word;
        return true;
    }

    // As in core/side.h.
    private static final int SIDE_CHUNK_BITS = 14, SIDE_UNIT = 64, SIDE_LOOK = 32;
    static final int SIDE_HEAD = 16, SIDE_CHANGES = 14;
    private static long sides; // where gl_sides.chunk is

    /** The core is there. */
    static void start() {
        sides = R.sides();
    }

    /** The side record that a cell's word names. */
    static long record(long word) {
        int number = (int) word >>> 4;
        long chunk = U.getLongAcquire(null, sides + ((long) (number >>> SIDE_CHUNK_BITS) << 3)); // pairs with take_units() of core/side.c
        return chunk + (long) (number & (1 << SIDE_CHUNK_BITS) - 1) * SIDE_UNIT;
    }

    /** gl_side_hit() of core/cell_inl.h, all but the looks at the changes and at the word; records with very many accesses are left to it. */
    @DontInline
    private static boolean beside(T t, long record, long word, int mask, int kind) {
        int counts = U.getIntAcquire(null, record + 4); // pairs with the release of the cell's word
        int n = (counts & 0xFFFF) + (kind == WRITE ? 0 : counts >>> 16);
        if (n > SIDE_LOOK || n > (SIDE_UNIT << (U.getInt(record) >>> 28)) - SIDE_HEAD >> 3) {
            return R.beside(t.nat, word, mask, kind);
        }
        int key = t.seg & ~15;
        for (int i = 0; i < n; i++) {
            if (covers(U.getInt(record + SIDE_HEAD + 8 * i), key, mask)) {
                return true;
            }
        }
        return false;
    }

    /** Has the thread's current segment made the access already? The filter's question (docs/concurrency.md, F), asked in full. */
    @DontInline
    static boolean seen(T t, Object base, long wordAt, long word, int mask, int kind) {
        int key = t.seg & ~15;
        if (key == 0 || word == 0) {
            return false;
        }
        if (isSide(word)) {
            long record = record(word);
            // A read stands among the writes for a moment while the record is changed: F.3.
            short changes = kind == WRITE ? U.getShortAcquire(null, record + SIDE_CHANGES) : 0; // pairs with gl_side_changes()
            if (kind == WRITE && U.getLongAcquire(base, wordAt) != word) { // pairs with the release of the cell's word
                return false;
            }
            if (!beside(t, record, word, mask, kind)) {
                return false;
            }
            U.loadFence(); // the record was read before what follows
            if (kind == WRITE && U.getShortAcquire(null, record + SIDE_CHANGES) != changes) {
                return false;
            }
            return U.getLong(base, wordAt) == word;
        }
        return halfSeen(t, (int) (word >>> 32), key, mask)
                || (kind == READ && halfSeen(t, (int) word, key, mask));
    }

    /** As gl_before_at_hand() of core/cell_inl.h: is the half's segment, or group, known to be ordered before the thread? */
    @ForceInline
    private static boolean before(T t, int half, int mine) {
        if (((half ^ mine) & t.foreign) == 0) {
            return true; // an earlier segment of its own
        }
        long known = U.getLong(t.nat + BEFORE); // answers are final
        int id = half >>> HALF_SHIFT;
        return known != 0 && U.getInt(known + ((id & BEFORE_MASK) << 2)) == id;
    }

    /** gl_plan() of core/cell_inl.h, word for word, with what is at hand. 0: not a simple case. */
    @ForceInline
    private static long plan(T t, long word, int mask, boolean write) {
        int w = (int) (word >>> 32), r = (int) word, mine = t.seg & (~15 | mask);
        if ((w | 1) == SIDE || ((w | r) & HALF_ATOMIC) != 0) { // a side record, or locked
            return 0;
        }
        if ((w & mask) != 0 && isOther(w, mine) && !before(t, w, mine)) {
            return 0;
        }
        if (!write) {
            if (r != 0 && isOther(r, mine) && ((r & ~mask & 15) != 0 || !before(t, r, mine))) {
                return 0;
            }
            return word >>> 32 << 32 | (mine | (isOther(r, mine) ? 0 : r & 15)) & 0xFFFFFFFFL;
        }
        if ((w & ~mask & 15) != 0 && isOther(w, mine)) {
            return 0;
        }
        if ((r & mask) != 0) {
            if (isOther(r, mine) && !before(t, r, mine)) {
                return 0;
            }
            if ((r & ~mask & 15) == 0) {
                r = 0;
            } else if (r >>> HALF_SHIFT >= GROUP_FIRST) {
                return 0;
            } else {
                r &= ~mask;
            }
        }
        return (long) (mine | (isOther(w, mine) ? 0 : w & 15)) << 32 | r & 0xFFFFFFFFL;
    }

    private static boolean isOther(int half, int mine) {
        return ((half ^ mine) & ~15) != 0;
    }

    /** The segment begins that the core has said comes next, if it has; the core takes it over when it is called again. */
    private static boolean begin(T t) {
        int key = U.getInt(t.nat + NEXT);
        if (key == 0 || t.busy) {
            return false;
        }
        U.putInt(t.nat + NEXT, 0);
        U.putInt(t.nat, key);
        t.refresh();
        return true;
    }

    /**
     * gl_access_quick() of core/cell_inl.h for all bytes of a cell whose halves have all bytes or none: what is left of {@link #plan} then.
     * False: nothing was done, call {@link #byCore}. One copy for all, and short: it is compiled early, and again when it meets what it had not met.
     */
    @DontInline
    @ReservedStackAccess
    private static boolean quick(T t, Object base, long wordAt, long sitesAt, boolean write, int site) {
        long word = U.getLongAcquire(base, wordAt); // pairs with the release below: the segments named are known
        int w = (int) (word >>> 32), r = (int) word;
        if ((((w + 1) | (r + 1)) & 14 | (w | r) & HALF_ATOMIC) != 0 || !mayBegin(t)) { // some bytes; a side record, locked, or atomic
            return false;
        }
        int mine = t.seg;
        if (w == mine || !write && r == mine) {
            return true; // recorded, as the filter would have said
        }
        if (w != 0 && !before(t, w, mine) || r != 0 && !before(t, r, mine) || !U.compareAndSetLong(base, wordAt, word, LOCKED)) {
            return false;
        }
        long at = sitesAt + (write ? HIGH : LOW);
        if (U.getInt(base, at) != site) { // loops come from the same place: a line that is not written need not be written back
            U.putInt(base, at, site);
        }
        long next = write ? (long) mine << 32 : word >>> 32 << 32 | mine & 0xFFFFFFFFL;
        release(base, wordAt, next); // pairs with getLongAcquire() and compareAndSetLong()
        return true;
    }

    /** Is a transition ours to make? Not inside our code, nor when places are to be asked for, or all are told one by one. */
    private static boolean mayBegin(T t) {
        return !(t.busy | R.stacks | R.serial) && (t.seg != 15 || begin(t));
    }

    /** gl_access_quick() of core/cell_inl.h, in full, for some bytes of a cell. False: nothing was done, call {@link #byCore}. */
    @DontInline
    @ReservedStackAccess
    private static boolean quickPart(T t, Object base, long wordAt, long sitesAt, int mask, boolean write, int site) {
        if (!mayBegin(t)) {
            return false;
        }
        long word = U.getLongAcquire(base, wordAt); // pairs with the release below: the segments named are known
        int old = write ? (int) (word >>> 32) : (int) word, mine = t.seg & (~15 | mask);
        if (((old ^ mine) & (~15 | mask)) == 0 || (!write && (((int) (word >>> 32) ^ mine) & (~15 | mask)) == 0)) {
            return true; // recorded, as the filter would have said
        }
        long next = plan(t, word, mask, write), at = sitesAt + (write ? HIGH : LOW);
        boolean more = mask != ALL && old != 0 && !isOther(old, mine); // other bytes of this segment: from another place, both are kept
        if (next == 0 || !U.compareAndSetLong(base, wordAt, word, LOCKED)) {
            return false;
        }
        int was = U.getInt(base, at), place = more && was != site ? t.joined(was, site, mask & ~old) : site; // as gl_site_with(): some byte is new
        if (place == 0) {
            next = word;
        } else if (was != place) { // loops come from the same place: a line that is not written need not be written back
            U.putInt(base, at, place);
        }
        release(base, wordAt, next); // pairs with getLongAcquire() and compareAndSetLong()
        return place != 0;
    }

    /**
     * The commonest of these transitions: all bytes of a cell that nobody, or only segments of this thread's batch are in. From the place where the
     * last such access was made, nothing is locked (docs/concurrency.md, C.10). False: nothing was done. The caller, or who inlines it, has
     * ReservedStackAccess.
     */
    @ForceInline
    private static boolean own(T t, Object base, long wordAt, long sitesAt, boolean write, int site) {
        long word = U.getLong(base, wordAt);
        int w = (int) (word >>> 32), r = (int) word, mine = t.seg, foreign = t.foreign;
        if ((((w ^ mine) & foreign) != 0 && w != 0) || (((r ^ mine) & foreign) != 0 && r != 0) || foreign == -1) {
            return false; // of another batch, a group, a side record, locked, or it is not for us to say (of no batch, R.stacks)
        }
        if (w == mine || (!write && r == mine)) {
            return true;
        }
        long next = write ? (long) mine << 32 : word >>> 32 << 32 | mine & 0xFFFFFFFFL;
        long at = sitesAt + (write ? HIGH : LOW);
        if (t.busy) {
            return false;
        }
        if (U.getInt(base, at) == site && word != 0) {
            return U.compareAndSetLong(base, wordAt, word, next);
        }
        if (!U.compareAndSetLong(base, wordAt, word, LOCKED)) {
            return false;
        }
        U.putInt(base, at, site);
        release(base, wordAt, next); // pairs with getLongAcquire() and compareAndSetLong()
        return true;
    }

    /**
     * The same of an element whose cell was written by this thread's batch, with as little code as can be, for it is put into the program. `word` is
     * what the cell holds, and not this very access. False: nothing was done.
     */
    @ForceInline
    static boolean ownHere(T t, long[] cells, long at, long word, boolean write, int site) {
        int w = (int) (word >>> 32), r = (int) word, mine = t.seg, foreign = t.foreign; // foreign == -1: nothing is this thread's
        if (((w ^ mine) & foreign) != 0 || ((r ^ mine) & foreign) != 0 && r != 0 || t.busy
                || !U.compareAndSetLong(cells, at, word, LOCKED)) {
            return false;
        }
        U.putInt(cells, at + 8 + (write ? HIGH : LOW), site);
        release(cells, at, write ? (long) mine << 32 : word >>> 32 << 32 | mine & 0xFFFFFFFFL); // pairs as in own()
        return true;
    }

    /** A read of all bytes of a cell that the filter did not know. False: nothing was done, call {@link #slow}. */
    @ForceInline
    static boolean read(T t, Object base, long wordAt, long sitesAt, int site) {
        return inGroup(t, U.getLong(base, wordAt))
                || (t.seg != 15 || begin(t)) && own(t, base, wordAt, sitesAt, false, site) || readOther(t, base, wordAt, sitesAt, site);
    }

    /** The same for a write. */
    @ForceInline
    static boolean write(T t, Object base, long wordAt, long sitesAt, int site) {
        return (t.seg != 15 || begin(t)) && own(t, base, wordAt, sitesAt, true, site) || quick(t, base, wordAt, sitesAt, true, site);
    }

    @DontInline
    private static boolean readOther(T t, Object base, long wordAt, long sitesAt, int site) {
        long word = U.getLongAcquire(base, wordAt);
        return isSide(word) && seen(t, base, wordAt, word, ALL, READ) || quick(t, base, wordAt, sitesAt, false, site);
    }

    /**
     * One access to the cell at (base, wordAt), (base, sitesAt).
     *
     * @param subject whose field or element it is, for a report; null for a static field
     * @param index of the element; -1 for a field
     */
    @DontInline
    @ReservedStackAccess
    static void slow(T t, Object base, long wordAt, long sitesAt, int mask, int kind, int site, Object subject, int index) {
        if (kind < ATOMIC && (mask == ALL ? quick(t, base, wordAt, sitesAt, kind == WRITE, site)
                : quickPart(t, base, wordAt, sitesAt, mask, kind == WRITE, site))) {
            return;
        }
        byCore(t, base, wordAt, sitesAt, mask, kind, site, subject, index);
    }

    /** The same, when {@link #quick} or {@link #quickPart} has not done it. */
    @DontInline
    @ReservedStackAccess
    static void byCore(T t, Object base, long wordAt, long sitesAt, int mask, int kind, int site, Object subject, int index) {
        if (t.busy) {
            return;
        }
        if (R.serial) {
            serial(t, base, wordAt, sitesAt, mask, kind, site, subject, index);
            return;
        }
        long word;
        int rounds = 0, place = R.stacks ? 0 : site;
        for (;;) {
            word = U.getLongAcquire(base, wordAt);
            if (word == LOCKED) {
                R.pause(rounds++);
                continue;
            }
            if (word == OFF) {
                return;
            }
            if (kind < ATOMIC && seen(t, base, wordAt, word, mask, kind)) {
                return;
            }
            if (place == 0) {
                place = t.rangeSite == site ? t.rangePlace : 0;
                if (place == 0) {
                    place = t.rangePlace = R.place(site);
                }
            }
            if (U.compareAndSetLong(base, wordAt, word, LOCKED)) {
                break;
            }
        }
        long sites = U.getLong(base, sitesAt);
        long next = R.access(t.nat, word, sites, mask, kind, place);
        boolean races = (t.flags() & R.RACED) != 0;
        if (races) {
            next = stopped(next);
        }
        if (next != word && (isSide(next) || isSide(word))) {
            noteSide(t, base, wordAt, next, subject, index);
        }
        U.putLong(base, sitesAt, U.getLong(t.nat + 8));
        release(base, wordAt, next); // pairs with getLongAcquire() and compareAndSetLong() above
        t.refresh();
        if (races) {
            raced(t, base, wordAt, sitesAt, word, sites, next, site, subject, index);
        }
    }

    @DontInline
    private static void serial(T t, Object base, long wordAt, long sitesAt, int mask, int kind, int site, Object subject, int index) {
        long now = Serial.access(t, base, wordAt, mask, kind, site, subject, index);
        if ((t.flags() & R.RACED) != 0) {
            raced(t, base, wordAt, sitesAt, now, 0, now, site, subject, index);
        }
    }

    /** The word after a race. */
    @DontInline
    private static long stopped(long next) {
        if (R.stopping == NOTHING) {
            return next;
        }
        if (isSide(next)) {
            R.freeSide(next);
        }
        return OFF;
    }

    /** Sees to it that the record is freed when the object dies. Under the cell's lock: must not fail. */
    @DontInline
    private static void noteSide(T t, Object base, long wordAt, long next, Object subject, int index) {
        if (subject == null) {
            return; // a static field's: F.died()
        }
        t.busy = true;
        try {
            int hash = System.identityHashCode(subject);
            if (index >= 0) {
                Cells c = (Cells) R.TABLE.findSurely(subject, hash, Node.CELLS);
                if (c != null) { // it is there: the shadow came from it
                    c.sides = true;
                }
                return;
            }
            Side s = (Side) R.TABLE.findSurely(subject, hash, wordAt);
            if (s == null) {
                if (!isSide(next)) {
                    return;
                }
                s = (Side) R.TABLE.add(subject, new Side(subject, hash, wordAt));
            }
            s.word = next;
        } catch (OutOfMemoryError e) {
            R.leaked++; // the record stays until the end of the run
        } finally {
            t.busy = false;
        }
    }

    /** Tells the race; where that means an exception, the access did not happen, and the cell becomes what it was. */
    @DontInline
    private static void raced(T t, Object base, long wordAt, long sitesAt, long word, long sites, long next, int site,
            Object subject, int index) {
        Throwable x;
        t.busy = true;
        try {
            x = R.raced(t.nat, subject, site, index);
        } finally {
            t.busy = false;
        }
        if (R.stopping == FIELD && index < 0) {
            Fields.sites[site].kind = F.DROPPED;
        } else if (R.stopping == EVERYTHING) {
            R.stop();
        }
        if (x == null) {
            return;
        }
        // A side record was changed in place: then the access stays recorded, and may be found once more. So does one that others
        // have met meanwhile.
        if (next != word && next != OFF && !isSide(word) && !isSide(next) && U.compareAndSetLong(base, wordAt, next, LOCKED)) {
            U.putLong(base, sitesAt, sites);
            release(base, wordAt, word);
        }
        U.throwException(x);
    }
}
