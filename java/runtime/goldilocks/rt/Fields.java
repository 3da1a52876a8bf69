// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import java.lang.reflect.Field;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.ReservedStackAccess;

/** From sites to fields. One F per field of the program, whatever the number of sites: it has the cell of a static field. */
final class Fields {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final Lock LOCK = new Lock();
    private static final F NOTHING = new F(Fields.class, 0, "", F.UNCHECKED, false, -1);

    /** By site; null: not yet resolved. */
    static F[] sites = new F[1024];

    /**
     * By site, for the first so many: where the word of its field is, and in the high half its sites; 0: not known, or not a plain
     * instance field. Not in the heap: one load.
     */
    private static final long OFFSETS;
    private static final int OFFSETS_MOST = 1 << 22;

    static {
        OFFSETS = R.table(2 * OFFSETS_MOST);
        if (OFFSETS == 0) {
            throw new OutOfMemoryError();
        }
    }

    private Fields() {}

    @ForceInline
    static int offset(int site) {
        return site < OFFSETS_MOST ? U.getInt(OFFSETS + 8L * site) : 0;
    }

    /** Both; 0 also when a race may end the checks of the field. */
    @ForceInline
    static long offsets(int site) {
        return site < OFFSETS_MOST && R.stopping != Access.FIELD ? U.getLong(OFFSETS + 8L * site) : 0;
    }

    /** The field of a site that is not yet known; null: ask again the next time. */
    static F resolve(Object o, int site) {
        T t = R.curOrAttach();
        if (t == null || t.busy) {
            return null;
        }
        t.busy = true;
        try {
            F f = R.resolve(o, site);
            if (f == null) {
                f = NOTHING;
            }
            put(site, f);
            return f;
        } catch (OutOfMemoryError e) {
            R.unshadowed++;
            return null;
        } finally {
            t.busy = false;
        }
    }

    @ReservedStackAccess
    static void put(int site, F f) {
        while (site >= sites.length) {
            F[] old = sites;
            F[] more = new F[Math.max(site + 1, old.length + (old.length >> 1))];
            LOCK.lock();
            if (sites == old) {
                for (int i = 0; i < old.length; i++) {
                    more[i] = old[i];
                }
                U.storeFence(); // the elements before the array
                sites = more;
            }
            LOCK.unlock();
        }
        LOCK.lock(); // or an element stored into an array that is being replaced would be lost: resolved again
        U.putReferenceRelease(sites, Layout.REFERENCES + (long) site * Layout.REFERENCE, f);
        LOCK.unlock();
        if (f.kind == F.PLAIN && !f.isStatic && site < OFFSETS_MOST) {
            U.putLong(OFFSETS + 8L * site, f.soff << 32 | f.off); // all that the reader uses: needs no order
        }
    }

    /**
     * The F of a field; called by the bridge when it has found out what a site means.
     *
     * @param field the field itself when it is volatile, else null
     * @param key its name and descriptor
     * @param word name of the shadow field for the word, and sites for the sites, when it is plain and not static
     */
    @ReservedStackAccess
    static F of(Class<?> declaring, Field field, String key, String word, String sites, int kind, boolean isStatic, int classId) {
        int hash = System.identityHashCode(declaring);
        F f = new F(declaring, hash, key, kind, isStatic, classId);
        if (kind == F.VOLATILE) {
            f.off = isStatic ? U.staticFieldOffset(field) : U.objectFieldOffset(field);
        } else if (kind == F.PLAIN && !isStatic) {
            f.off = U.objectFieldOffset(declaring, word);
            f.soff = U.objectFieldOffset(declaring, sites);
        }
        // The first of the class is in the table; the others follow it.
        F first = (F) R.TABLE.add(declaring, f);
        if (first == f) {
            return f;
        }
        LOCK.lock();
        F at = first;
        for (;;) {
            if (at.key.equals(key) && at.isStatic == isStatic) {
                f = at;
                break;
            }
            if (at.other == null) {
                at.other = f;
                break;
            }
            at = at.other;
        }
        LOCK.unlock();
        return f;
    }

    /**
     * Before a thread's first use of a static field of a class: initializes the class, as the access itself would, and
     * takes in what the initialization did. Not while the thread itself initializes it: then nothing is to be taken in, and the next
     * use asks again.
     */
    static void firstUse(T t, F f) {
        Class<?> c = f.declaring.get();
        if (c == null) {
            return;
        }
        U.ensureClassInitialized(c);
        if (!U.shouldBeInitialized(c)) {
            Initialization.uses(t, f.classId);
        }
    }
}
