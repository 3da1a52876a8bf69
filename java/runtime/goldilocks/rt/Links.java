// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import jdk.internal.misc.Unsafe;

/**
 * Call sites of invokedynamic and dynamic constants: the JVM installs what a bootstrap method has made visibly to all threads (package
 * java.lang.invoke, "Timing of linkage"), so what the method did comes before the site calls its target, and before the constant is got.
 *
 * Several threads may link one site at the same time, and the JVM takes the site that one of them made. So the order goes
 * with that: its target has a probe in front.
 */
public final class Links {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** The probe; only where there are such sites, for it makes the JVM's first handles. */
    private static final class Probe {
        static final MethodHandle USES = find();

        private static MethodHandle find() {
            try {
                return MethodHandles.lookup().findStatic(Links.class, "uses", MethodType.methodType(void.class, Link.class));
            } catch (ReflectiveOperationException e) {
                throw new InternalError(e); // it is in our own classes
            }
        }
    }

    /** A call site that was linked. */
    static final class Link {
        final int number;

        Link(int number) {
            this.number = number;
        }
    }

    /** How many call sites were linked. */
    private static final class Count {
        static final Count LINKS = new Count();
        static final long AT = U.objectFieldOffset(Count.class, "n");
        int n;
    }

    private static final long TARGET = U.objectFieldOffset(CallSite.class, "target");

    private Links() {}

    /** In place of the site that CallSite.makeSite() is about to return. */
    public static CallSite linked(CallSite site, MethodHandle bootstrap, String name, MethodType type, Object info, Class<?> caller) {
        T t = R.outside();
        if (t == null) {
            return site;
        }
        CallSite ordered = site;
        Link link = null;
        t.busy = true;
        try {
            if (!isOfJdk(bootstrap)) {
                link = new Link(U.getAndAddInt(Count.LINKS, Count.AT, 1));
                ordered = new ConstantCallSite(MethodHandles.foldArguments(site.dynamicInvoker(), Probe.USES.bindTo(link)));
            }
        } catch (OutOfMemoryError | StackOverflowError | IllegalArgumentException none) {
            link = null; // or it has as many arguments as there can be
        } finally {
            t.busy = false;
        }
        if (link != null) {
            Sync.sourceOf(t, link, Node.LINK);
        }
        return ordered;
    }

    /** Before the target of a call site is called. */
    static void uses(Link link) {
        T t = R.cur();
        if (t == null || !t.knowsLink(link.number)) {
            firstUse(link);
        }
    }

    private static void firstUse(Link link) {
        T t = R.outside();
        if (t == null) {
            return;
        }
        Sync.sinkOn(t, link, Node.LINK);
        t.busy = true;
        try {
            t.learnsLink(link.number);
        } catch (OutOfMemoryError e) {
            R.unshadowed++; // asked again the next time
        } finally {
            t.busy = false;
        }
    }

    /** What javac links: nothing of the application is behind it. */
    private static boolean isOfJdk(MethodHandle bootstrap) {
        Class<?> owner = Owner.of(bootstrap.asFixedArity());
        if (owner == null) {
            return false;
        }
        ClassLoader loader = owner.getClassLoader();
        return loader == null || loader == ClassLoader.getPlatformClassLoader();
    }

    /** The class of the method that a direct handle calls. */
    private static final class Owner {
        private static final String DIRECT = "java.lang.invoke.DirectMethodHandle", MEMBER = "java.lang.invoke.MemberName";
        private static final Class<?> HANDLE = find(DIRECT);
        private static final long AT = U.objectFieldOffset(HANDLE, "member"), CLASS = U.objectFieldOffset(find(MEMBER), "clazz");

        private static Class<?> find(String name) {
            try {
                return Class.forName(name);
            } catch (ClassNotFoundException e) {
                throw new InternalError(e);
            }
        }

        /** null: it is not a direct one. */
        static Class<?> of(MethodHandle handle) {
            return HANDLE.isInstance(handle) ? (Class<?>) U.getReference(U.getReference(handle, AT), CLASS) : null;
        }
    }

    /** A bootstrap method has made a dynamic constant. */
    public static void made(Object value) {
        T t = value == null ? null : R.outside();
        if (t != null) {
            Sync.sourceOf(t, value, Node.LINK);
        }
    }

    /** One was loaded: it is what some thread has made. */
    static void got(Object value) {
        T t = value == null ? null : R.outside();
        if (t != null) {
            Sync.sinkOn(t, value, Node.LINK);
        }
    }

    /** Before the target of a VolatileCallSite is set. */
    public static void setsTarget(CallSite site) {
        T t = R.outside();
        if (t != null) {
            Sync.sourceOf(t, site, TARGET);
        }
    }
}
