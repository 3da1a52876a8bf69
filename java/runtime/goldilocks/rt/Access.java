// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.ReservedStackAccess;

/** An access that the filter did not know: the cell's transition, made by the core on a copy while the cell is locked. */
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
    static final int BATCH_SHIFT = 5; // core/segment.h

    // R.stopping; as in java/options.h.
    static final int NOTHING = 0, VARIABLE = 1, FIELD = 2, EVERYTHING = 3;

    private Access() {}

    /** Does a half say that the segment `key` (without bytes) made a plain access to all bytes of `mask`? */
    private static boolean covers(int half, int key, int mask) {
        return ((half ^ (key | mask)) & (~15 | mask)) == 0;
    }

    private static boolean isSide(long word) {
        return (int) (word >>> 32) == SIDE;
    }

    /** The same, also when it is a group. */
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
        int[] groups = t.groups;
        int at = 2 * ((int) word >>> HALF_SHIFT & T.GROUPS - 1);
        return groups[at] == (int) word & groups[at + 1] == t.seg;
    }

    /** Has the thread's current segment made the access already? The filter's question (docs/concurrency.md, F), asked in full. */
    private static boolean seen(T t, Object base, long wordAt, long word, int mask, int kind) {
        int key = t.seg & ~15;
        if (key == 0 || word == 0) {
            return false;
        }
        if (isSide(word)) {
            if (!R.beside(t.nat, word, mask, kind)) {
                return false;
            }
            U.loadFence(); // the record was read before the word is looked at again: F.3
            return U.getLong(base, wordAt) == word;
        }
        return halfSeen(t, (int) (word >>> 32), key, mask)
                || (kind == READ && halfSeen(t, (int) word, key, mask));
    }

    /**
     * The word after an access to a fresh cell, or after one to a whole cell that only this thread has accessed lately: what it has done is
     * ordered before now, as gl_plan() of core/cell_inl.h finds in the end. Segment ids come in batches of 32, each for one thread
     * (core/segment.h). 0: not so simple.
     */
    private static long afterOwn(T t, long word, int mask, int kind) {
        int mine = t.seg & (~15 | mask);
        if (t.seg == 15) {
            return 0; // a segment has to begin
        }
        if (word != 0) {
            if (((word >>> 32 | word) & HALF_ATOMIC) != 0) {
                return 0;
            }
            int write = (int) (word >>> 32), read = (int) word;
            if (mask != ALL || (write != 0 && !ofBatch(write, mine)) || (read != 0 && !ofBatch(read, mine))) {
                return 0;
            }
        }
        return kind == READ ? word >>> 32 << 32 | mine & 0xFFFFFFFFL : (long) mine << 32;
    }

    private static boolean ofBatch(int half, int mine) {
        return (half ^ mine) >>> HALF_SHIFT + BATCH_SHIFT == 0;
    }

    /**
     * One access to the cell at (base, wordAt), (base, sitesAt).
     *
     * @param subject whose field or element it is, for a report; null for a static field
     * @param index of the element; -1 for a field
     */
    @ReservedStackAccess
    static void slow(T t, Object base, long wordAt, long sitesAt, int mask, int kind, int site, Object subject, int index) {
        if (t.busy) {
            return;
        }
        if (R.serial) {
            long now = Serial.access(t, base, wordAt, mask, kind, site, subject, index);
            if ((t.flags() & R.RACED) != 0) {
                raced(t, base, wordAt, sitesAt, now, 0, now, site, subject, index);
            }
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
                place = R.place(site);
            }
            if (U.compareAndSetLong(base, wordAt, word, LOCKED)) {
                break;
            }
        }
        long sites = U.getLong(base, sitesAt);
        long own = kind < ATOMIC ? afterOwn(t, word, mask, kind) : 0;
        if (own != 0) {
            U.putLong(base, sitesAt, kind == READ ? sites >>> 32 << 32 | place & 0xFFFFFFFFL : (long) place << 32);
            U.putLongRelease(base, wordAt, own); // pairs as below
            return;
        }
        long next = R.access(t.nat, word, sites, mask, kind, place);
        boolean races = (t.flags() & R.RACED) != 0;
        if (races && R.stopping != NOTHING) {
            if (isSide(next)) {
                R.freeSide(next);
            }
            next = OFF;
        }
        if ((isSide(next) || isSide(word)) && next != word) {
            noteSide(t, base, wordAt, next, subject, index);
        }
        U.putLong(base, sitesAt, U.getLong(t.nat + 8));
        U.putLongRelease(base, wordAt, next); // pairs with getLongAcquire() and compareAndSetLong() above
        t.refresh();
        if (races) {
            raced(t, base, wordAt, sitesAt, word, sites, next, site, subject, index);
        }
    }

    /** Sees to it that the record is freed when the object dies. Under the cell's lock: must not fail. */
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
            U.putLongRelease(base, wordAt, word);
        }
        U.throwException(x);
    }
}
