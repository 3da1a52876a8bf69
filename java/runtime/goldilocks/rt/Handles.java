// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;

/**
 * Method handles that get or set a field or an element: what the application asks a Lookup for comes with a probe in front, since
 * the code that such a handle runs is made where no agent looks. The place of the access is where the handle was made.
 *
 * The handle is of the same type and does the same; it is no direct one any more (MethodHandles.Lookup.revealDirect). A volatile field is
 * treated as by {@link Reflect}.
 */
public final class Handles {
    private static final MethodHandle READ = probe(Handles.class, "read", Object.class, int.class);
    private static final MethodHandle WRITE = probe(Handles.class, "write", Object.class, int.class);
    private static final MethodHandle SREAD = probe(R.class, "sread", int.class);
    private static final MethodHandle SWRITE = probe(R.class, "swrite", int.class);
    private static final MethodHandle AREAD = probe(Reflect.class, "aread", Object.class, int.class, int.class, int.class);
    private static final MethodHandle AWRITE = probe(Reflect.class, "awrite", Object.class, int.class, int.class, int.class);
    private static final MethodHandle ASTORE = probe(Reflect.class, "awrite", Object.class, int.class, Object.class, int.class);
    private static final MethodHandle TAKEN = probe(Handles.class, "taken", Object.class, Reflect.class);
    private static final MethodHandle GIVEN = probe(Handles.class, "given", Object.class, Reflect.class);

    private Handles() {}

    private static MethodHandle probe(Class<?> owner, String name, Class<?>... parameters) {
        try {
            return MethodHandles.lookup().findStatic(owner, name, MethodType.methodType(void.class, parameters));
        } catch (ReflectiveOperationException e) {
            throw new InternalError(e); // it is in our own classes
        }
    }

    // ---- in place of the methods of Lookup and MethodHandles ----

    public static MethodHandle findGetter(MethodHandles.Lookup l, Class<?> owner, String name, Class<?> type, int site)
            throws NoSuchFieldException, IllegalAccessException {
        return watched(l.findGetter(owner, name, type), l, null, site, false);
    }

    public static MethodHandle findSetter(MethodHandles.Lookup l, Class<?> owner, String name, Class<?> type, int site)
            throws NoSuchFieldException, IllegalAccessException {
        return watched(l.findSetter(owner, name, type), l, null, site, true);
    }

    public static MethodHandle findStaticGetter(MethodHandles.Lookup l, Class<?> owner, String name, Class<?> type, int site)
            throws NoSuchFieldException, IllegalAccessException {
        return watched(l.findStaticGetter(owner, name, type), l, null, site, false);
    }

    public static MethodHandle findStaticSetter(MethodHandles.Lookup l, Class<?> owner, String name, Class<?> type, int site)
            throws NoSuchFieldException, IllegalAccessException {
        return watched(l.findStaticSetter(owner, name, type), l, null, site, true);
    }

    public static MethodHandle unreflectGetter(MethodHandles.Lookup l, Field field, int site) throws IllegalAccessException {
        return watched(l.unreflectGetter(field), l, field, site, false);
    }

    public static MethodHandle unreflectSetter(MethodHandles.Lookup l, Field field, int site) throws IllegalAccessException {
        return watched(l.unreflectSetter(field), l, field, site, true);
    }

    public static MethodHandle arrayElementGetter(Class<?> array, int site) {
        return element(MethodHandles.arrayElementGetter(array), AREAD, site, array, int.class);
    }

    public static MethodHandle arrayElementSetter(Class<?> array, int site) {
        MethodHandle handle = MethodHandles.arrayElementSetter(array);
        Class<?> type = array.getComponentType();
        return type.isPrimitive() ? element(handle, AWRITE, site, array, int.class) : element(handle, ASTORE, site, array, int.class, type);
    }

    // ---- handles with probes ----

    private static MethodHandle element(MethodHandle handle, MethodHandle probe, int site, Class<?> array, Class<?>... rest) {
        T t = R.outside();
        if (t == null) {
            return handle;
        }
        t.busy = true;
        try {
            MethodHandle here = probe == ASTORE ? MethodHandles.insertArguments(probe, 3, site)
                    : MethodHandles.insertArguments(probe, 2, Reflect.ANY, site);
            return MethodHandles.foldArguments(handle, here.asType(MethodType.methodType(void.class, array, rest)));
        } finally {
            t.busy = false;
        }
    }

    /** @param field what the handle accesses; null: to be asked for */
    private static MethodHandle watched(MethodHandle handle, MethodHandles.Lookup l, Field field, int site, boolean write) {
        T t = R.outside();
        if (t == null) {
            return handle;
        }
        t.busy = true;
        try {
            Field is = field != null ? field : l.revealDirect(handle).reflectAs(Field.class, l);
            Reflect r = Reflect.at(is, site, write);
            if (r.site == 0) {
                return handle; // of a class that is not checked
            }
            Class<?> owner = r.field.isStatic ? is.getDeclaringClass() : null;
            return r.field.kind == F.VOLATILE ? ordering(handle, r, owner, write) : accessing(handle, r, write);
        } catch (IllegalArgumentException | SecurityException e) {
            return handle; // a field that reflection hides: of the JDK
        } finally {
            t.busy = false;
        }
    }

    /** A probe as the combiner of a handle whose first parameter, if it has one for the object, has this type. */
    private static MethodHandle on(MethodHandle handle, MethodHandle probe) {
        return probe.asType(MethodType.methodType(void.class, handle.type().parameterType(0)));
    }

    private static MethodHandle accessing(MethodHandle handle, Reflect r, boolean write) {
        if (r.field.isStatic) {
            return MethodHandles.foldArguments(handle, MethodHandles.insertArguments(write ? SWRITE : SREAD, 0, r.site));
        }
        return MethodHandles.foldArguments(handle, on(handle, MethodHandles.insertArguments(write ? WRITE : READ, 1, r.site)));
    }

    private static MethodHandle ordering(MethodHandle handle, Reflect r, Class<?> owner, boolean write) {
        MethodHandle probe = write ? GIVEN : TAKEN;
        probe = owner != null ? MethodHandles.insertArguments(probe, 0, owner, r) : on(handle, MethodHandles.insertArguments(probe, 1, r));
        if (write) {
            return MethodHandles.foldArguments(handle, probe);
        }
        Class<?> type = handle.type().returnType();
        MethodHandle value = MethodHandles.dropArguments(MethodHandles.identity(type), 0, Throwable.class);
        if (owner == null) {
            value = MethodHandles.dropArguments(value, 2, handle.type().parameterType(0));
        }
        probe = MethodHandles.dropArguments(probe, 0, Throwable.class, type);
        return MethodHandles.tryFinally(handle, MethodHandles.foldArguments(value, probe));
    }

    /** Before a plain field is read. */
    static void read(Object o, int site) {
        R.read(o, R.thread(), site);
    }

    /** Before it is written. */
    static void write(Object o, int site) {
        R.write(o, R.thread(), site);
    }

    /** After a volatile field was read. */
    static void taken(Object o, Reflect r) {
        T t = R.outside();
        if (t != null && o != null) {
            R.firstUse(r.field);
            Sync.sinkOn(t, o, r.field.off);
        }
    }

    /** Before a volatile field is written. */
    static void given(Object o, Reflect r) {
        T t = R.outside();
        if (t != null && o != null) {
            R.firstUse(r.field);
            Sync.sourceOf(t, o, r.field.off);
        }
    }
}
