// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import jdk.internal.misc.Unsafe;
import jdk.internal.reflect.CallerSensitive;
import jdk.internal.reflect.Reflection;

/**
 * Accesses by java.lang.reflect.Field and Array, told in the method that calls them: before the call, unless the call will refuse.
 * Remembers, for a field and a site, another site that stands for the access.
 *
 * A volatile field is not accessed under the lock of its S, for the call runs code of the JDK that may wait for other threads. Its
 * sources come before a write, its sinks after a read: an access by another thread in between may be taken to be
 * ordered; none is missed.
 */
public final class Reflect extends Node {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final long SLOT = U.objectFieldOffset(Field.class, "slot"); // which field of its class it is
    private static final long OVERRIDE = U.objectFieldOffset(AccessibleObject.class, "override"); // setAccessible(true)

    /** The letter of a type, as descriptors begin: any type. */
    static final int ANY = 'L';
    private static final String WIDENING = "BSIJFD"; // each to those behind it; C as S, and nothing to C

    final int site; // 0: a field that is not checked
    final F field;

    private Reflect(Class<?> c, int hash, long id, int site, F field) {
        super(c, hash, id);
        this.site = site;
        this.field = field;
    }

    @Override
    void died() {}

    /** The read of a volatile field that is being made; stands on the stack of the method that makes it. */
    private static final class Taking {
        final F field;
        final Object owner;

        Taking(F field, Object owner) {
            this.field = field;
            this.owner = owner;
        }
    }

    /** Before Field.get...(o), for values of that type. What it returns is for readDone(). */
    @CallerSensitive
    public static Object read(Field field, Object o, int type, int site) {
        T t = R.outside();
        Reflect r = t == null ? null : of(t, field, o, site, false);
        if (r == null || type != ANY && !widens(letter(field.getType()), type)
                || !permitted(field, o, isOpen(field) ? null : Reflection.getCallerClass())) {
            return null;
        }
        if (r.field.kind == F.VOLATILE) {
            R.firstUse(r.field);
            return new Taking(r.field, r.field.isStatic ? field.getDeclaringClass() : o);
        }
        if (r.field.isStatic) {
            R.sread(r.site);
        } else {
            R.read(o, t, r.site);
        }
        return null;
    }

    /** After it. */
    public static void readDone(Object taking) {
        T t = taking == null ? null : R.cur();
        if (t != null) {
            Sync.sinkOn(t, ((Taking) taking).owner, ((Taking) taking).field.off);
        }
    }

    /** Before Field.set...(o, value) with a value of that primitive type. */
    @CallerSensitive
    public static void write(Field field, Object o, int type, int site) {
        T t = R.outside();
        Reflect r = t == null ? null : of(t, field, o, site, true);
        if (r != null && widens(type, letter(field.getType()))
                && permitted(field, o, isOpen(field) ? null : Reflection.getCallerClass())) {
            written(t, r, field, o);
        }
    }

    /** Before Field.set(o, value). */
    @CallerSensitive
    public static void write(Field field, Object o, Object value, int site) {
        T t = R.outside();
        Reflect r = t == null ? null : of(t, field, o, site, true);
        if (r != null && takes(field.getType(), value)
                && permitted(field, o, isOpen(field) ? null : Reflection.getCallerClass())) {
            written(t, r, field, o);
        }
    }

    private static void written(T t, Reflect r, Field field, Object o) {
        if (r.field.kind == F.VOLATILE) {
            R.firstUse(r.field);
            Sync.sourceOf(t, r.field.isStatic ? field.getDeclaringClass() : o, r.field.off);
        } else if (r.field.isStatic) {
            R.swrite(r.site);
        } else {
            R.write(o, t, r.site);
        }
    }

    // ---- what the call will refuse ----

    private static boolean isOpen(Field field) {
        return U.getBoolean(field, OVERRIDE);
    }

    /** May code of that class access the field? Null: whoever. Asks as the call does: a class loader may run. */
    private static boolean permitted(Field field, Object o, Class<?> caller) {
        Class<?> c = field.getDeclaringClass();
        int modifiers = field.getModifiers();
        return caller == null || caller == c
                || Reflection.verifyMemberAccess(caller, c, Modifier.isStatic(modifiers) ? null : o.getClass(), modifiers);
    }

    /** How a descriptor of that type begins, but L for arrays. */
    private static int letter(Class<?> type) {
        return !type.isPrimitive() ? ANY
                : type == int.class ? 'I'
                : type == long.class ? 'J'
                : type == boolean.class ? 'Z'
                : type == double.class ? 'D'
                : type == float.class ? 'F'
                : type == byte.class ? 'B'
                : type == char.class ? 'C' : 'S';
    }

    private static int unboxed(Object value) {
        return value instanceof Integer ? 'I'
                : value instanceof Long ? 'J'
                : value instanceof Boolean ? 'Z'
                : value instanceof Double ? 'D'
                : value instanceof Float ? 'F'
                : value instanceof Byte ? 'B'
                : value instanceof Character ? 'C'
                : value instanceof Short ? 'S' : ANY;
    }

    /** JLS 5.1.2, or the same primitive type: no other conversion is made. */
    private static boolean widens(int from, int to) {
        if (from == to) {
            return from != ANY;
        }
        int at = WIDENING.indexOf(from == 'C' ? 'S' : from);
        return at >= 0 && WIDENING.indexOf(to) > at;
    }

    /** Does a variable of that type take the value, unboxed if need be? */
    private static boolean takes(Class<?> type, Object value) {
        return type.isPrimitive() ? widens(unboxed(value), letter(type)) : value == null || type.isInstance(value);
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

    /** Before Array.get...(a, i), for values of that type. */
    public static void aread(Object a, int i, int type, int site) {
        Class<?> element = a == null ? null : a.getClass().getComponentType();
        if (element != null && (type == ANY || widens(letter(element), type))) {
            R.areadRange(a, i, i + 1, site);
        }
    }

    /** Before Array.set...(a, i, value) with a value of that primitive type, or of that of the elements. */
    public static void awrite(Object a, int i, int type, int site) {
        Class<?> element = a == null ? null : a.getClass().getComponentType();
        if (element != null && (type == ANY || widens(type, letter(element)))) {
            R.awriteRange(a, i, i + 1, site);
        }
    }

    /** Before Array.set(a, i, value). */
    public static void awrite(Object a, int i, Object value, int site) {
        Class<?> element = a == null ? null : a.getClass().getComponentType();
        if (element != null && takes(element, value)) {
            R.awriteRange(a, i, i + 1, site);
        }
    }
}
