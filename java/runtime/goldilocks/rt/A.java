// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.ReservedStackAccess;

/**
 * Arrays. The shadow of an array is a long[] in the side table: one cell per element, per 2 elements of 2 bytes, or per
 * 4 elements of one byte. A thread finds the shadows of the arrays it used last by the site that used them, and more by their
 * identity hashes. (docs/concurrency.md, F.13)
 */
final class A {
    private A() {}

    private static final Unsafe U = Unsafe.getUnsafe();

    /** The array's shadow, a long[], if the thread's last access of this site used it, else null. */
    @ForceInline
    static long[] atHand(T t, Object array, int site) {
        Object[] all = t.arrays;
        long at = Layout.REFERENCES + (long) (site & (all.length >> 1) - 1) * (2 * Layout.REFERENCE);
        return U.getReference(all, at) == array ? (long[]) U.getReference(all, at + Layout.REFERENCE) : null;
    }

    // What the shadow of an array has about an element that the array has. No index is checked twice.

    @ForceInline // C1 would not: it takes too much stack
    private static long wordAt(int cell) {
        return Layout.LONGS + 16L * cell;
    }

    @ForceInline
    static boolean readHit(T t, long[] shadow, int cell) {
        return t.hasRead(U.getLong(shadow, wordAt(cell)));
    }

    @ForceInline
    static boolean writeHit(T t, long[] shadow, int cell) {
        return (int) (U.getLong(shadow, wordAt(cell)) >>> 32) == t.seg;
    }

    /** The same for some bytes of a cell. */
    @ForceInline
    static boolean readHit(T t, long[] shadow, int cell, int mask) {
        long w = U.getLong(shadow, wordAt(cell));
        int k = t.seg ^ 15 ^ mask, care = ~15 | mask;
        return (((int) w ^ k) & care) == 0 | (((int) (w >>> 32) ^ k) & care) == 0;
    }

    @ForceInline
    static boolean writeHit(T t, long[] shadow, int cell, int mask) {
        return (((int) (U.getLong(shadow, wordAt(cell)) >>> 32) ^ t.seg ^ 15 ^ mask) & (~15 | mask)) == 0;
    }

    /** A read of an element with a cell of its own. The index is in range. */
    @ForceInline
    static void read(Object array, int i, T t, int site) {
        long[] shadow = null;
        if (t != null) {
            shadow = atHand(t, array, site);
            if (shadow != null && readHit(t, shadow, i)) {
                return;
            }
        }
        keptRead(array, i, shadow, t, site);
    }

    /** The same for a write. */
    @ForceInline
    static void write(Object array, int i, T t, int site) {
        long[] shadow = null;
        if (t != null) {
            shadow = atHand(t, array, site);
            if (shadow != null && writeHit(t, shadow, i)) {
                return;
            }
        }
        keptWrite(array, i, shadow, t, site);
    }

    /** The same for a write of x, which the array may refuse. */
    @ForceInline
    static void write(Object[] array, int i, Object x, T t, int site) {
        long[] shadow = null;
        if (t != null) {
            shadow = atHand(t, array, site);
            if (shadow != null && writeHit(t, shadow, i)) {
                return;
            }
        }
        keptStore(array, i, x, shadow, t, site);
    }

    /** False: a store of x ends in an ArrayStoreException. */
    static boolean takes(Object[] a, Object x) {
        return x == null || a.getClass().getComponentType().isInstance(x);
    }

    /** Is that known without a look at superclasses? */
    @ForceInline
    static boolean takesAtOnce(Object[] a, Object x) {
        return x == null || a.getClass() == Object[].class || a.getClass().getComponentType() == x.getClass();
    }

    // ---- with the shadow at hand: in a loop that has none inside what is commonest is done in place, too (docs/concurrency.md, C.10) ----

    /** False: nothing was done. */
    @ForceInline
    @ReservedStackAccess
    static boolean readInner(int i, long[] shadow, T t, int site) {
        long at = wordAt(i), word = U.getLong(shadow, at);
        return t.hasRead(word) || Access.ownHere(t, shadow, at, word, false, site);
    }

    @ForceInline
    @ReservedStackAccess
    static boolean writeInner(int i, long[] shadow, T t, int site) {
        long at = wordAt(i), word = U.getLong(shadow, at);
        return (int) (word >>> 32) == t.seg || Access.ownHere(t, shadow, at, word, true, site);
    }

    // ---- what the filter did not know, or the shadow is null, and nothing was asked yet ----

    @DontInline
    @ReservedStackAccess
    static void keptRead(Object array, int i, long[] shadow, T t, int site) {
        if (shadow == null) {
            unkept(array, i, Access.READ, t, site);
        } else if (!Access.read(t, shadow, wordAt(i), wordAt(i) + 8, site)) {
            byCore(t, shadow, i, Access.READ, site, array);
        }
    }

    @DontInline
    @ReservedStackAccess
    static void keptWrite(Object array, int i, long[] shadow, T t, int site) {
        if (shadow == null) {
            unkept(array, i, Access.WRITE, t, site);
        } else if (!Access.write(t, shadow, wordAt(i), wordAt(i) + 8, site)) {
            byCore(t, shadow, i, Access.WRITE, site, array);
        }
    }

    /** The same for a write of x. */
    @DontInline
    @ReservedStackAccess
    static void keptStore(Object[] array, int i, Object x, long[] shadow, T t, int site) {
        if (array != null && takes(array, x)) {
            keptWrite(array, i, shadow, t, site);
        }
    }

    /** Of an element that shares its cell: 1 << shift do. */
    @DontInline
    static void partRead(Object array, int i, int shift, long[] shadow, T t, int site) {
        part(array, i, shift, shadow, Access.READ, t, site);
    }

    @DontInline
    static void partWrite(Object array, int i, int shift, long[] shadow, T t, int site) {
        part(array, i, shift, shadow, Access.WRITE, t, site);
    }

    @ForceInline
    private static void part(Object array, int i, int shift, long[] shadow, int kind, T t, int site) {
        if (shadow == null) {
            unkept(array, i, kind, t, site);
        } else {
            slow(t, shadow, i >>> shift, maskOf(i, shift), kind, site, array, i);
        }
    }

    /** The array has no shadow at hand, is null, or the index is out of range. */
    @DontInline
    private static void unkept(Object array, int i, int kind, T t, int site) {
        if (array != null && i >= 0 && i < length(array)) {
            int shift = shift(array);
            slow(array, i, i >>> shift, maskOf(i, shift), kind, t, site, cellsOf(array));
        }
    }

    /** The bytes of a cell that an element has: all, 2 or 1. */
    @ForceInline
    private static int maskOf(int i, int shift) {
        return shift == 0 ? Access.ALL : shift == 1 ? 3 << 2 * (i & 1) : 1 << (i & 3);
    }

    /** What the filter did not know. The index is in range. */
    @DontInline
    static void slow(Object array, int index, int cell, int mask, int kind, T t, int site, int cells) {
        if (t == null || t.busy) {
            return;
        }
        long[] shadow = atHand(t, array, site);
        if (shadow != null) {
            if (kind == Access.READ && mask == Access.ALL && Access.inGroup(t, U.getLong(shadow, wordAt(cell)))) {
                return;
            }
        } else {
            shadow = known(t, array);
            if (shadow == null) {
                shadow = shadow(t, array, cells);
            }
            if (shadow == null) {
                return;
            }
            t.busy = true;
            try {
                t.keep(array, site, shadow);
            } catch (OutOfMemoryError e) {
                R.unshadowed++;
            } finally {
                t.busy = false;
            }
            if (kind == Access.READ ? readHit(t, shadow, cell, mask) : writeHit(t, shadow, cell, mask)) {
                return;
            }
        }
        slow(t, shadow, cell, mask, kind, site, array, index);
    }

    /** The shadow of an array; null: there is no memory for one, or it would be larger than an array can be. */
    static long[] shadow(T t, Object array) {
        long[] shadow = known(t, array);
        return shadow != null ? shadow : shadow(t, array, cellsOf(array));
    }

    /** The shadow of an array that the thread used not long ago, or null. */
    @ForceInline
    private static long[] known(T t, Object array) {
        Object[] keys = t.moreArrays;
        int at = System.identityHashCode(array) & keys.length - 1;
        return keys[at] == array ? t.moreShadows[at] : null;
    }

    /** The same of one that is not known, with so many cells. */
    @DontInline
    static long[] shadow(T t, Object array, int cells) {
        int hash = System.identityHashCode(array);
        Cells c = (Cells) R.TABLE.find(array, hash, Node.CELLS);
        if (c == null) {
            return fresh(t, array, hash, cells);
        }
        t.keepLonger(array, hash, c.cells);
        return c.cells;
    }

    /** The same, made now, or by another thread meanwhile. */
    @DontInline
    private static long[] fresh(T t, Object array, int hash, int cells) {
        if (cells > Integer.MAX_VALUE / 2 - 8) {
            R.unshadowed++;
            return null;
        }
        t.busy = true;
        try {
            return added(t, array, hash, cells);
        } catch (OutOfMemoryError e) {
            return addedAfterSweep(t, array, hash, cells);
        } finally {
            t.busy = false;
        }
    }

    private static long[] added(T t, Object array, int hash, int cells) {
        Cells c = (Cells) R.TABLE.add(array, new Cells(array, hash, new long[2 * cells]));
        t.keepLonger(array, hash, c.cells);
        account(t, 16L * cells);
        return c.cells;
    }

    /** When the heap is full: what was kept of objects that are dead may have filled it. */
    private static long[] addedAfterSweep(T t, Object array, int hash, int cells) {
        try {
            if (t.stripe == null) {
                R.TABLE.sweep();
            }
            return added(t, array, hash, cells);
        } catch (OutOfMemoryError e) {
            R.unshadowed++; // a race may be missed; the program goes on with what memory it has
            return null;
        }
    }

    private static final Runtime VM = Runtime.getRuntime();
    private static final long MOST = VM.maxMemory();
    private static final long SWEEP_AT = Math.max(1 << 20, MOST / 8);
    private static final int LOOK_BITS = 15; // so many bytes are made between two looks, as a power of 2
    private static long allocated; // bytes of nodes and shadows since a sweep; racy: some may be lost
    private static int sweptAt;   // collections at the last sweep

    /**
     * What is kept of dead objects is in the heap until it is swept. Whoever makes much of it sweeps, where R.reap() is not fast enough: after
     * each collection while the heap is three quarters full, else when an eighth of it may be waiting for that. Of a thread that
     * holds a stripe's lock others sweep.
     */
    @DontInline
    static void account(T t, long bytes) {
        long before = allocated;
        long n = before + bytes;
        allocated = n;
        if (n >> LOOK_BITS == before >> LOOK_BITS || t.stripe != null) {
            return;
        }
        int collections = R.collections();
        if (collections == sweptAt) {
            return;
        }
        if (n < SWEEP_AT && VM.totalMemory() - VM.freeMemory() < MOST - MOST / 4) {
            return;
        }
        sweptAt = collections;
        allocated = 0;
        R.TABLE.sweep();
    }

    private static final int OUTSIDE_OF_ONE = 224; // bytes outside the heap of each S, about
    private static final long OUTSIDE = Math.max(256L << 20, MOST / 16);
    private static long outside;               // bytes made there since a sweep; racy: some may be lost
    private static long mostOutside = OUTSIDE; // to be made until one

    /**
     * What each S has outside the heap no collector sees, so that none comes for it: whoever has made much of it sweeps, and where that frees too little, because what died is old, asks for a
     * collection. What is kept then is at most some twice what lives.
     */
    @DontInline
    static void accountOutside(T t) {
        long n = outside + OUTSIDE_OF_ONE;
        outside = n;
        if (n < mostOutside || t.stripe != null) {
            return;
        }
        outside = 0;
        R.TABLE.sweep();
        if ((long) R.TABLE.size() * OUTSIDE_OF_ONE >= mostOutside) {
            VM.gc();
            R.TABLE.sweep();
        }
        mostOutside = Math.max(OUTSIDE, (long) R.TABLE.size() * OUTSIDE_OF_ONE);
    }

    static int cellsOf(Object array) {
        if (array instanceof byte[]) {
            return (((byte[]) array).length + 3) >>> 2;
        }
        if (array instanceof boolean[]) {
            return (((boolean[]) array).length + 3) >>> 2;
        }
        if (array instanceof char[]) {
            return (((char[]) array).length + 1) >>> 1;
        }
        if (array instanceof short[]) {
            return (((short[]) array).length + 1) >>> 1;
        }
        return length(array);
    }

    /** -1: not an array. */
    static int length(Object array) {
        if (array instanceof Object[]) {
            return ((Object[]) array).length;
        }
        if (array instanceof byte[]) {
            return ((byte[]) array).length;
        }
        if (array instanceof int[]) {
            return ((int[]) array).length;
        }
        if (array instanceof char[]) {
            return ((char[]) array).length;
        }
        if (array instanceof long[]) {
            return ((long[]) array).length;
        }
        if (array instanceof double[]) {
            return ((double[]) array).length;
        }
        if (array instanceof float[]) {
            return ((float[]) array).length;
        }
        if (array instanceof short[]) {
            return ((short[]) array).length;
        }
        if (array instanceof boolean[]) {
            return ((boolean[]) array).length;
        }
        return -1;
    }

    /** How many elements share a cell, as a power of two. */
    static int shift(Object array) {
        if (array instanceof byte[] || array instanceof boolean[]) {
            return 2;
        }
        return array instanceof char[] || array instanceof short[] ? 1 : 0;
    }

    /** One element is accessed, in a way that the filter has no part in. The index is in range. */
    static void element(T t, Object array, int i, int kind, int site) {
        long[] shadow = shadow(t, array);
        if (shadow != null) {
            int shift = shift(array);
            slow(t, shadow, i >>> shift, maskOf(i, shift), kind, site, array, i);
        }
    }

    /** Elements from..to - 1 are accessed in one step; the range is inside the array and not empty. */
    static void range(T t, Object array, int from, int to, int kind, int site) {
        if (!R.stacks) {
            rangeOf(t, array, from, to, kind, site);
            return;
        }
        t.rangeSite = site; // all its elements have one stack
        t.rangePlace = 0;
        try {
            rangeOf(t, array, from, to, kind, site);
        } finally {
            t.rangeSite = 0;
        }
    }

    private static void rangeOf(T t, Object array, int from, int to, int kind, int site) {
        long[] shadow = shadow(t, array);
        if (shadow == null) {
            return;
        }
        int shift = shift(array);
        if (shift == 0) {
            for (int i = from; i < to; i++) {
                if (kind == Access.READ) {
                    if (!readHit(t, shadow, i)) {
                        keptRead(array, i, shadow, t, site);
                    }
                } else if (!writeHit(t, shadow, i)) {
                    keptWrite(array, i, shadow, t, site);
                }
            }
            return;
        }
        int first = shift == 1 ? 3 : 1; // the bytes of the first element of a cell
        int per = 1 << shift, width = 4 >> shift;
        for (int i = from; i < to;) {
            int cell = i >>> shift;
            int end = Math.min(to, (cell + 1) << shift);
            int mask = 0;
            for (int k = i; k < end; k++) {
                mask |= first << (k & per - 1) * width;
            }
            if (kind == Access.READ ? !readHit(t, shadow, cell, mask) : !writeHit(t, shadow, cell, mask)) {
                slow(t, shadow, cell, mask, kind, site, array, i);
            }
            i = end;
        }
    }

    private static void slow(T t, long[] shadow, int cell, int mask, int kind, int site, Object array, int index) {
        long at = wordAt(cell);
        Access.slow(t, shadow, at, at + 8, mask, kind, site, array, index);
    }

    private static void byCore(T t, long[] shadow, int cell, int kind, int site, Object array) {
        long at = wordAt(cell);
        Access.byCore(t, shadow, at, at + 8, Access.ALL, kind, site, array, cell);
    }
}
