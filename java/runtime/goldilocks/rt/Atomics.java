// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import jdk.internal.misc.Unsafe;

/**
 * Accesses that a VarHandle makes for the application to variables which are not volatile: those in volatile, acquire, release and
 * opaque mode race with plain accesses, not with one another. The application says before it calls the VarHandle at which site
 * that is ({@link R#at}); only then something is done here.
 *
 * Remembers, for a class and an offset, which field is there.
 */
final class Atomics extends Node {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final long W = U.objectFieldOffset(F.class, "w"), S_ = U.objectFieldOffset(F.class, "s");

    private final Field field; // null: none that is checked

    private Atomics(Class<?> c, int hash, long id, Field field) {
        super(c, hash, id);
        this.field = field;
    }

    @Override
    void died() {}

    /** A plain access. */
    static void plain(Object o, long at, int kind) {
        T t = R.cur();
        if (t != null && t.atomicSite != 0) {
            begin(t, o, at);
            access(t, kind);
        }
    }

    /** An access that is atomic and orders nothing. */
    static void opaque(Object o, long at, int kind) {
        T t = R.cur();
        if (t != null && t.atomicSite != 0) {
            begin(t, o, at);
            access(t, kind | Access.ATOMIC);
        }
    }

    /** An access begins: access() makes it, when its order is right. */
    static void begin(T t, Object o, long at) {
        t.atomicOwner = t.atomicSite != 0 && at >= 0 ? o : null;
        t.atomicAt = at;
    }

    /** Checks the access that was begun, if any. Throws what a race throws. */
    static void access(T t, int kind) {
        Object o = t.atomicOwner;
        if (o == null) {
            return;
        }
        t.atomicOwner = null;
        if (t.busy) {
            return;
        }
        long at = t.atomicAt;
        int site = t.atomicSite;
        int length = A.length(o);
        if (length >= 0) {
            long i = (at - Layout.base(o)) >> Layout.shift(o);
            if (0 <= i && i < length) {
                A.element(t, o, (int) i, kind, site);
            }
            return;
        }
        Field field = of(t, o, at).field;
        Reflect r = field == null ? null : Reflect.of(t, field, o, site, (kind & Access.WRITE) != 0);
        if (r == null) {
            return;
        }
        F f = r.field;
        if (f.isStatic) {
            R.firstUse(f);
        }
        if (f.kind != F.PLAIN) {
            return;
        }
        if (f.isStatic) {
            Access.slow(t, f, W, S_, Access.ALL, kind, r.site, null, -1);
        } else {
            Access.slow(t, o, f.off, f.soff, Access.ALL, kind, r.site, o, -1);
        }
    }

    /** The same, after a read-modify-write; returns what a race throws. */
    static Throwable race(T t, boolean wrote) {
        try {
            access(t, (wrote ? Access.WRITE : Access.READ) | Access.ATOMIC);
            return null;
        } catch (Throwable x) {
            return x;
        }
    }

    private static Atomics of(T t, Object o, long at) {
        boolean isStatic = o instanceof Class; // static fields are in the mirror of their class
        Class<?> c = isStatic ? (Class<?>) o : o.getClass();
        int hash = System.identityHashCode(c);
        long id = ATOMICS - 2 * at - (isStatic ? 1 : 0);
        Atomics found = (Atomics) R.TABLE.find(c, hash, id);
        if (found == null) {
            t.busy = true;
            try {
                found = (Atomics) R.TABLE.add(c, new Atomics(c, hash, id, look(c, at, isStatic)));
            } finally {
                t.busy = false;
            }
        }
        return found;
    }

    private static Field look(Class<?> c, long at, boolean isStatic) {
        for (Class<?> k = c; k != null && k.getClassLoader() != null; k = isStatic ? null : k.getSuperclass()) {
            Field[] all;
            try {
                all = k.getDeclaredFields();
            } catch (LinkageError e) {
                return null; // a field's type cannot be loaded
            }
            for (int i = 0; i < all.length; i++) {
                Field f = all[i];
                if (Modifier.isStatic(f.getModifiers()) == isStatic
                        && (isStatic ? U.staticFieldOffset(f) : U.objectFieldOffset(f)) == at) {
                    return f;
                }
            }
        }
        return null;
    }
}
