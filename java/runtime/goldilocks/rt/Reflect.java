// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import jdk.internal.misc.Unsafe;

/**
 * Accesses by java.lang.reflect.Field and Array, told in the method that calls them: before the call, which may still refuse.
 * Remembers, for a field and a site, another site that stands for the access.
 *
 * A volatile field is not accessed under the lock of its S, for the call runs code of the JDK that may wait for other threads. Its
 * sources come before a write, its sinks after a read: an access by another thread in between may be taken to be
 * ordered; none is missed.
 */
public final class Reflect extends Node {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final long SLOT = U.objectFieldOffset(Field.class, "slot"); // which field of its class it is

    final int site; // 0: a field that is not checked
    final F field;

    private Reflect(Class<?> c, int hash, long id, int site, F field) {
        super(c, hash, id);
        this.site = site;
        this.field = field;
    }

    @Override
    void died() {}

    /** Before Field.get...(o). */
    public static void read(Field field, Object o, int site) {
        T t = R.outside();
        if (t == null) {
            return;
        }
        t.reflected = null;
        Reflect r = of(t, field, o, site, false);
        if (r == null) {
            return;
        }
        if (r.field.kind == F.VOLATILE) {
            R.firstUse(r.field);
            t.reflectedOwner = r.field.isStatic ? field.getDeclaringClass() : o;
            t.reflected = r;
        } else if (r.field.isStatic) {
            R.sread(r.site);
        } else {
            R.read(o, t, r.site);
        }
    }

    /** After it. */
    public static void readDone() {
        T t = R.cur();
        Reflect r = t == null ? null : t.reflected;
        if (r != null) {
            t.reflected = null;
            Sync.sinkOn(t, t.reflectedOwner, r.field.off);
            t.reflectedOwner = null;
        }
    }

    /** Before Field.set...(o, value). */
    public static void write(Field field, Object o, int site) {
        T t = R.outside();
        Reflect r = t == null ? null : of(t, field, o, site, true);
        if (r == null) {
            return;
        }
        if (r.field.kind == F.VOLATILE) {
            R.firstUse(r.field);
            Sync.sourceOf(t, r.field.isStatic ? field.getDeclaringClass() : o, r.field.off);
        } else if (r.field.isStatic) {
            R.swrite(r.site);
        } else {
            R.write(o, t, r.site);
        }
    }

    /** Null: the call will refuse, or the field is not checked. */
    static Reflect of(T t, Field field, Object o, int site, boolean write) {
        if (field == null) {
            return null;
        }
        Class<?> c = field.getDeclaringClass();
        if (!Modifier.isStatic(field.getModifiers()) && !c.isInstance(o)) {
            return null;
        }
        boolean busy = t.busy;
        t.busy = true;
        try {
            Reflect r = at(field, site, write);
            return r.site == 0 ? null : r;
        } finally {
            t.busy = busy;
        }
    }

    /** Whatever object is accessed; the thread is busy. */
    static Reflect at(Field field, int site, boolean write) {
        Class<?> c = field.getDeclaringClass();
        int hash = System.identityHashCode(c);
        long id = REFLECTED - ((long) U.getInt(field, SLOT) << 24 | site);
        Reflect r = (Reflect) R.TABLE.find(c, hash, id);
        return r != null ? r : make(c, hash, id, field, site, write);
    }

    private static Reflect make(Class<?> c, int hash, long id, Field field, int site, boolean write) {
        int[] number = new int[1];
        F f = R.reflected(c, field, site, write, number);
        if (f != null) {
            Fields.put(number[0], f);
        }
        return (Reflect) R.TABLE.add(c, new Reflect(c, hash, id, number[0], f));
    }

    /** Before Array.get...(a, i). */
    public static void aread(Object a, int i, int site) {
        R.areadRange(a, i, i + 1, site);
    }

    /** Before Array.set...(a, i, value). */
    public static void awrite(Object a, int i, int site) {
        R.awriteRange(a, i, i + 1, site);
    }
}
