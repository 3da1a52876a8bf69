// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import jdk.internal.misc.Unsafe;

/**
 * clone(). Object's method reads the fields of the object that it copies, and copies the shadow fields with them: those of the copy have to
 * be made fresh before anybody can have it, for a cell's history, and the side record that it may name, belong to one object.
 * Remembers, for a class and a site, what is copied there.
 */
public final class Clones extends Node {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final int[] NONE = new int[0];

    private final int[] sites; // for each field that is copied and checked; none: another clone() runs, whose own calls count

    private Clones(Class<?> c, int hash, long id, int[] sites) {
        super(c, hash, id);
        this.sites = sites;
    }

    @Override
    void died() {}

    /** Before o.clone(). */
    public static void cloning(Object o, int site) {
        begin(o, site, false);
    }

    /** Before super.clone(). */
    public static void cloningSuper(Object o, int site) {
        begin(o, site, true);
    }

    /** Before the clone() of an array. */
    public static void cloningArray(Object a, int site) {
        R.areadRange(a, 0, a == null ? 0 : A.length(a), site);
    }

    private static void begin(Object o, int site, boolean isSuper) {
        T t = R.outside();
        if (t == null || o == null) {
            return;
        }
        t.cloning = null;
        if (A.length(o) >= 0) {
            cloningArray(o, site);
            return;
        }
        Clones c = of(t, o, site, isSuper);
        for (int i = 0; i < c.sites.length; i++) {
            R.read(o, t, c.sites[i]);
        }
        t.cloning = c;
    }

    private static Clones of(T t, Object o, int site, boolean isSuper) {
        Class<?> c = o.getClass();
        int hash = System.identityHashCode(c);
        long id = CLONES - (2L * site + (isSuper ? 1 : 0));
        Clones found = (Clones) R.TABLE.find(c, hash, id);
        if (found != null) {
            return found;
        }
        t.busy = true;
        try {
            int[] sites = R.cloneSites(o, site, isSuper);
            return (Clones) R.TABLE.add(c, new Clones(c, hash, id, sites == null ? NONE : sites));
        } finally {
            t.busy = false;
        }
    }

    /** After clone(). */
    public static void cloned(Object copy) {
        T t = R.cur();
        Clones c = t == null ? null : t.cloning;
        if (c == null || copy == null) {
            return;
        }
        t.cloning = null;
        for (int i = 0; i < c.sites.length; i++) {
            F f = Fields.sites[c.sites[i]]; // resolved when the original was read
            if (f != null && f.kind == F.PLAIN) {
                U.putLong(copy, f.off, 0);
                U.putLong(copy, f.soff, 0);
            }
        }
    }
}
