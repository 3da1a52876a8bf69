// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import java.lang.ref.Reference;
import java.lang.reflect.Field;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * What instrumented code calls. Each probe begins with the filter: "has this thread's current segment made an access at least as
 * strong here?" That is all that is inlined into the program; what it does not know goes to {@link Access}.
 *
 * Probes throw nothing but a DataRaceException and what the access itself would throw. Nothing here, or called from here, is
 * instrumented or uses anything that is.
 */
public final class R extends RMonitors {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** Everything that is kept about objects. */
    static final Table TABLE = new Table();

    /** False before start() and after stop(): no probe does anything. */
    private static volatile boolean on;

    /** Cells remember stacks, not sites only. Set before start(). */
    static boolean stacks;

    /** What a race ends the checking of: one of Access.NOTHING ... EVERYTHING. Set before start(). */
    static int stopping;

    /** All accesses are told one by one: {@link Serial}. Set before start(). */
    static boolean serial;

    static int leaked;     // side records that will not be freed; racy: a statistic
    static int unshadowed; // accesses to arrays without shadow; racy: a statistic

    static final int RACED = 1; // a flag of struct gl_jthread

    private R() {}

    // ---- the thread ----

    /** The calling thread's T, or null. */
    @ForceInline
    static T cur() {
        Object o = U.getReference(Thread.currentThread(), Threads.AT); // stored by the thread itself, or before it was started
        return o instanceof T ? (T) o : null;
    }

    /** The same, made when there is none yet; null: checking has not begun, or is over. */
    static T curOrAttach() {
        if (!on) {
            return null;
        }
        T t = cur();
        return t != null ? t : Threads.attach(Thread.currentThread());
    }

    /**
     * What probes of accesses get as `t`: the calling thread's T, made when there is none; null: checking has not begun, or is over. Instrumented
     * code asks once per method and keeps it: a thread's T stays the same.
     */
    @ForceInline
    public static T thread() {
        T t = cur();
        return t != null ? t : attached();
    }

    @DontInline
    private static T attached() {
        return curOrAttach();
    }

    /** As curOrAttach(), but null as well when the thread is inside our own code. */
    static T outside() {
        T t = curOrAttach();
        return t == null || t.busy ? null : t;
    }

    /** Called by gl_jbridge_start(), when the natives are there. */
    static void start() {
        Access.start();
        on = true;
    }

    /** Checking is over: memory ran out, or the program ends. */
    static void stop() {
        on = false;
        stopCore();
    }

    /** For a daemon thread: after garbage collections, frees what was kept about objects that died. Returns when checking is over. */
    public static void reap() {
        T t = curOrAttach();
        if (t == null) {
            return;
        }
        t.busy = true;
        long rest = 0; // a sweep takes at most 1/16 of a processor
        while (on && awaitCollection(rest)) {
            Sweep.ids(); // is due when it pays
            long began = System.nanoTime();
            TABLE.sweep();
            rest = (System.nanoTime() - began) * 15;
        }
    }

    // ---- instance fields ----

    /** For the helper of a plain field: does the word say that the read is recorded? */
    @ForceInline
    public static boolean readHit(long w, T t) {
        return t != null && t.hasRead(w);
    }

    @ForceInline
    public static boolean writeHit(long w, T t) {
        return t != null && (int) (w >>> 32) == t.seg;
    }

    /** Before a read of an instance field. */
    @ForceInline
    public static void read(Object o, T t, int site) {
        if (o != null) { // else the access throws
            int off = Fields.offset(site);
            if (off == 0 || !readHit(U.getLong(o, off), t)) {
                firstRead(o, t, site);
            }
        }
    }

    /** Before a write of an instance field. */
    @ForceInline
    public static void write(Object o, T t, int site) {
        if (o != null) {
            int off = Fields.offset(site);
            if (off == 0 || !writeHit(U.getLong(o, off), t)) {
                firstWrite(o, t, site);
            }
        }
    }

    /** Before a constructor writes a field of `this`, which no other thread can have yet (docs/concurrency.md, C.11). */
    @ForceInline
    public static void fresh(Object o, T t, int site) {
        long at = Fields.offsets(site);
        if (at != 0 && t != null && t.seg != 15 && t.foreign != -1 && !t.busy && U.getLong(o, (int) at) == 0) {
            U.putLong(o, at >>> 32, (long) site << 32);
            U.putLong(o, (int) at, (long) t.seg << 32);
            U.storeFence(); // before the object is given to anybody
        } else {
            write(o, t, site);
        }
    }

    /** A read of an instance field that is volatile, or that is not known to be recorded in this segment. What holds something is annotated itself. */
    @DontInline
    public static void firstRead(Object o, T t, int site) {
        long at = Fields.offsets(site);
        if (at == 0 || t == null || !Access.read(t, o, (int) at, (int) (at >>> 32), site)) {
            slowRead(o, site);
        }
    }

    /** The same for a write. */
    @DontInline
    public static void firstWrite(Object o, T t, int site) {
        long at = Fields.offsets(site);
        if (at == 0 || t == null || !Access.write(t, o, (int) at, (int) (at >>> 32), site)) {
            slowWrite(o, site);
        }
    }

    @DontInline
    private static void slowRead(Object o, int site) {
        F f = field(o, site);
        if (f == null) {
            return;
        }
        if (f.kind == F.PLAIN) {
            miss(o, f, Access.READ, site);
        } else if (f.kind == F.VOLATILE) {
            Sync.beginRead(o, f.off);
        }
    }

    @DontInline
    private static void slowWrite(Object o, int site) {
        F f = field(o, site);
        if (f == null) {
            return;
        }
        if (f.kind == F.PLAIN) {
            miss(o, f, Access.WRITE, site);
        } else if (f.kind == F.VOLATILE) {
            Sync.beginWrite(o, f.off);
        }
    }

    /** After an access that may have been volatile. */
    @ForceInline
    public static void post(T t) {
        if (t != null && t.open) {
            Sync.end(t);
        }
    }

    private static F field(Object o, int site) {
        F[] all = Fields.sites;
        F f = site < all.length ? all[site] : null;
        return f != null ? f : Fields.resolve(o, site);
    }

    private static void miss(Object o, F f, int kind, int site) {
        T t = outside();
        if (t != null) {
            Access.slow(t, o, f.off, f.soff, Access.ALL, kind, site, o, -1);
        }
    }

    // ---- static fields ----

    /** Before a read of a static field. */
    public static void sread(int site) {
        F f = field(null, site);
        if (f == null || f.kind == F.UNCHECKED) {
            return;
        }
        firstUse(f);
        if (f.kind == F.PLAIN) {
            if (!readHit(f.w, cur())) {
                missStatic(f, Access.READ, site);
            }
        } else if (f.kind == F.VOLATILE) {
            Sync.beginRead(f.declaring.get(), f.off);
        }
    }

    /** Before a write of a static field. */
    public static void swrite(int site) {
        F f = field(null, site);
        if (f == null || f.kind == F.UNCHECKED) {
            return;
        }
        firstUse(f);
        if (f.kind == F.PLAIN) {
            if (!writeHit(f.w, cur())) {
                missStatic(f, Access.WRITE, site);
            }
        } else if (f.kind == F.VOLATILE) {
            Sync.beginWrite(f.declaring.get(), f.off);
        }
    }

    @ForceInline
    static void firstUse(F f) {
        T t = cur();
        int id = f.classId;
        if (id >= 0 && (t == null || !t.knowsClass(id))) {
            t = outside();
            if (t != null) {
                Fields.firstUse(t, f);
            }
        }
    }

    private static final long W = U.objectFieldOffset(F.class, "w"), S_ = U.objectFieldOffset(F.class, "s");

    private static void missStatic(F f, int kind, int site) {
        T t = outside();
        if (t != null) {
            Access.slow(t, f, W, S_, Access.ALL, kind, site, null, -1);
        }
    }

    /** When the &lt;clinit&gt; begins that the class was written with. */
    public static void clinitBegins(int id) {
        T t = outside();
        if (t != null) {
            Initialization.initializes(t, id);
        }
    }

    /** Of a class without one all that it does. */
    public static void clinitOnly(int id) {
        T t = outside();
        if (t != null) {
            Initialization.initializes(t, id);
            Initialization.initialized(t, id);
        }
    }

    /** Before &lt;clinit&gt; returns. */
    public static void clinitDone(int id) {
        T t = outside();
        if (t != null) {
            Initialization.initialized(t, id);
        }
    }

    /** A static method or a constructor of a class that has an initializer begins. */
    @ForceInline
    public static void classUse(T t, int id) {
        if (t == null || !t.knowsClass(id)) {
            used(id);
        }
    }

    private static void used(int id) {
        T t = outside();
        if (t != null) {
            Initialization.mayUse(t, id);
        }
    }

    /** After the instruction `new`, before the arguments of the constructor are evaluated: a class that other code than its own uses. */
    public static void made(T t, int site) {
        F f = field(null, site);
        if (f != null && f.classId >= 0 && (t == null || !t.knowsClass(f.classId))) {
            firstUse(f);
        }
    }

    /** In place of Class.forName(): what it does not initialize, and takes no lock of, it orders nothing with. */
    public static Class<?> forName(String name, boolean initialize, ClassLoader loader) throws ClassNotFoundException {
        Class<?> c = Class.forName(name, initialize, loader);
        if (initialize) {
            initialized(c);
        }
        return c;
    }

    /** After ObjectStreamClass.newInstance(): an instance was created. */
    public static void instantiated(Object o) {
        T t = cur();
        if (o != null && (t == null || !t.knowsMade(o.getClass()))) {
            initialized(o.getClass());
            t = outside();
            if (t != null) {
                t.learnsMade(o.getClass());
            }
        }
    }

    /** After Class.forName(String), Lookup.ensureInitialized(). */
    public static void initialized(Class<?> c) {
        T t = outside();
        if (t != null && !U.shouldBeInitialized(c)) {
            int id;
            t.busy = true;
            try {
                id = classNumber(c);
            } finally {
                t.busy = false;
            }
            if (id > 0) {
                Initialization.uses(t, id);
            }
        }
    }

    /** After Class.getEnumConstants() and what the collections of enums use in its place. */
    public static void initialized(Object[] constants) {
        if (constants != null) {
            initialized(constants.getClass().getComponentType());
        }
    }

    /** After Enum.valueOf(). */
    public static void initialized(Enum<?> constant) {
        initialized(constant.getDeclaringClass());
    }

    /** A class that loadClass() is to return. */
    private static final class Found extends Error {
        private static final long serialVersionUID = 1;
        final transient Class<?> found;

        Found(Class<?> found) {
            super(null, null, false, false);
            this.found = found;
        }
    }

    /**
     * First in loadClass(): a loader that keeps its classes apart (OSGi, JBoss Modules) does not ask the boot loader for packages that it does
     * not know. What is ours is thrown.
     */
    public static void ours(String name) {
        if (name != null && name.startsWith("goldilocks.")) {
            Class<?> c;
            try {
                c = Class.forName(name, false, null);
            } catch (ClassNotFoundException e) {
                return;
            }
            throw new Found(c);
        }
    }

    /** What loadClass() throws: of ours() it is what to return. */
    public static Class<?> found(Throwable thrown) {
        if (thrown instanceof Found) {
            return ((Found) thrown).found;
        }
        U.throwException(thrown);
        return null;
    }

    /** A dynamic constant was loaded. */
    public static void constant(Object value) {
        Links.got(value);
    }

    private static long valueAt; // offset of ClassValue.Entry.value; 0: not asked for yet

    /** A ClassValue.Entry has been made, of a value that was computed before; its field is read as a volatile one. */
    public static void holdsValue(Object entry) {
        T t = outside();
        if (t != null) {
            if (valueAt == 0) {
                valueAt = U.objectFieldOffset(entry.getClass(), "value");
            }
            Sync.sourceOf(t, entry, valueAt);
        }
    }

    // ---- VarHandle ----

    /** Before a VarHandle is called. */
    @ForceInline
    public static void at(int site) {
        T t = cur();
        if (t != null) {
            t.atomicSite = site;
        }
    }

    /** After it. */
    @ForceInline
    public static void atDone() {
        T t = cur();
        if (t != null) {
            t.atomicSite = 0;
        }
    }

    // ---- the end of objects ----

    /** A constructor returns, of a class whose objects may have a finalizer. */
    public static void constructed(Object o) {
        T t = outside();
        if (t != null && Finalizable.is(t, o.getClass())) {
            Sync.sourceOf(t, o, Node.FINALIZER);
        }
    }

    /** A finalizer begins. */
    public static void finalizing(Object o) {
        T t = outside();
        if (t != null) {
            Sync.sinkOn(t, o, Node.FINALIZER);
        }
    }

    private static final Object REACHABLE = new Object();

    /**
     * Before reachabilityFence(). The object is gone when the reference to it leaves its queue: one variable stands for all objects, which
     * may hide a race.
     */
    public static void reachable(Object o) {
        T t = outside();
        if (t != null) {
            Sync.sourceOf(t, REACHABLE, Node.FINALIZER);
        }
    }

    /** A reference was taken from its queue. */
    public static void dequeued(Reference<?> reference) {
        T t = reference == null ? null : outside();
        if (t != null) {
            Sync.sinkOn(t, REACHABLE, Node.FINALIZER);
        }
    }

    // ---- ranges ----

    /** In place of System.arraycopy. What it would refuse is left to it: nothing is accessed then. */
    public static void arraycopy(Object from, int fromAt, Object to, int toAt, int n, int site) {
        T t = outside();
        if (t != null && n > 0 && from != null && to != null && fromAt >= 0 && toAt >= 0
                && fromAt <= A.length(from) - n && toAt <= A.length(to) - n
                && (from.getClass() == to.getClass() || from instanceof Object[] && to instanceof Object[])) {
            int stored = from.getClass() == to.getClass() ? n : stored((Object[]) from, fromAt, n, to.getClass());
            A.range(t, from, fromAt, fromAt + Math.min(stored + 1, n), Access.READ, site);
            if (stored > 0) {
                A.range(t, to, toAt, toAt + stored, Access.WRITE, site);
            }
        }
        System.arraycopy(from, fromAt, to, toAt, n);
    }

    /** How many of the n elements from `at` on are stored into an array of class `to`, before one is that it does not take. */
    static int stored(Object[] from, int at, int n, Class<?> to) {
        Class<?> element = to.getComponentType();
        if (element == null || element.isAssignableFrom(from.getClass().getComponentType())) {
            return n;
        }
        int i = 0;
        while (i < n && (from[at + i] == null || element.isInstance(from[at + i]))) {
            i++;
        }
        return i;
    }

    /** Before elements from..to - 1 are read in one step. A range that is not inside the array is left to the real access. */
    public static void areadRange(Object array, int from, int to, int site) {
        range(array, from, to, Access.READ, site);
    }

    /** Before elements from..to - 1 are written in one step. */
    public static void awriteRange(Object array, int from, int to, int site) {
        range(array, from, to, Access.WRITE, site);
    }

    private static void range(Object array, int from, int to, int kind, int site) {
        T t = outside();
        if (t != null && array != null && 0 <= from && from < to && to <= A.length(array)) {
            A.range(t, array, from, to, kind, site);
        }
    }

    // ---- for the bridge ----

    /** The exception for a race; for found.c. Stacks may be null: not known. */
    static RuntimeException exception(String message, String explanation, String variable,
            boolean write, String thread, String place, StackTraceElement[] stack,
            boolean thenWrite, String thenThread, String thenPlace, StackTraceElement[] thenStack) {
        RuntimeException x = new goldilocks.DataRaceException(message, explanation, variable,
                new goldilocks.DataRaceException.Access(write, thread, place, stack),
                new goldilocks.DataRaceException.Access(thenWrite, thenThread, thenPlace, thenStack));
        if (stack != null) {
            x.setStackTrace(stack); // as if the access itself had thrown it
        }
        return x;
    }

    /** By the bridge: {@link Fields#of}. */
    static F declare(Class<?> declaring, Field field, String key, String word, String sites, int kind, boolean isStatic, int classId) {
        return Fields.of(declaring, field, key, word, sites, kind, isStatic, classId);
    }

    /** By the bridge: the record of a thread, or 0. */
    static long natOf(Thread thread) {
        T t = Threads.of(thread);
        return t == null ? 0 : t.nat;
    }

    /** By the agent: watchWait(), called from here. */
    static boolean watch() {
        return watchWait();
    }

    /** Waits a moment; `rounds`: how many times before. */
    static void pause(int rounds) {
        if (rounds < 64) {
            Thread.onSpinWait();
        } else {
            giveWay(rounds);
        }
    }

    // ---- natives: java/bridge.c ----

    /** What a cell remembers of an access that is made now at the site: the number of the stack. */
    static native int place(int site);

    /** The transition of a cell, on its word and sites; the new sites are in the thread's record. */
    static native long access(long nat, long word, long sites, int mask, int kind, int site);

    /** The word after one access to the variable whose number the word is, or none yet; by {@link Serial}. */
    static native long told(long nat, long word, int mask, int kind, int place, int site, Object subject, int index);

    /** The number of a place that is `fresh` on these bytes and `old` on the others; 0: none. java/join.h. */
    static native int join(int old, int fresh, int bytes);

    /** The half of the current segment in a group, or 0. */
    static native int member(long nat, int group);

    /** Does the side record have the access of the current segment? Holds only if the cell's word is the same afterwards. */
    static native boolean beside(long nat, long word, int mask, int kind);

    /** Where the chunks of side records are found: gl_sides.chunk. */
    static native long sides();

    /** Tells the race that access() found; what to throw, or null. */
    static native Throwable raced(long nat, Object o, int site, int index);

    static native void freeSide(long word);

    static native F resolve(Object o, int site);

    /** The same for a field that is accessed by reflection; number[0] gets the number of a site that stands for the access. */
    static native F reflected(Class<?> declaring, Field field, int site, boolean write, int[] number);

    /** Sites for the fields that o.clone() copies, if it is Object's method that will run. */
    static native int[] cloneSites(Object o, int site, boolean isSuper);

    /** As clinitBegins() gets it; 0: it is not instrumented. */
    static native int classNumber(Class<?> c);

    /** Of a class by number; 0: none that is instrumented. */
    static native int superclass(int number);

    /** Does the class itself have a static initializer of its own, as it was written? */
    static native boolean hasInitializer(Class<?> c);

    /** Is the method native as it was written, and is not any more? By its name and descriptor; null: is there any of the class? */
    static native boolean isNative(Class<?> c, String name, String desc);

    /** Have objects of the class a finalizer? */
    static native boolean finalizes(Class<?> c);

    static native long newThread(long parent, String name);

    static native void freeThread(long nat);

    static native void rename(long nat, String name);

    static native void join(long nat, long child);

    static native void ended(long nat);

    /** Memory for so many ints, all 0, for good; 0: there is none. */
    static native long table(int ints);

    /** A struct gl_jthread of no thread. */
    static native long shared();

    static native long newSync();

    static native void freeSync(long sync);

    static native void source(long nat, long sync);

    static native void sink(long nat, long sync);

    static native void acquired(long nat, long sync, int cookie);

    static native void releasing(long nat, long sync);

    /** The same for a monitor of whose entering the core was not told. */
    static native void releasingAlone(long nat, long sync);

    static native int waitBegin(long nat, long sync);

    static native void waitEnd(long nat, long sync, int depth, int cookie);

    static native void giveWay(int rounds);

    /** java/wait.c: Object.wait() calls waits() and waited(), where it is a native method. False: it does not. */
    static native boolean watchWait();

    /** Waits for a garbage collection that was not yet awaited, and at least so many nanoseconds. False: checking is over. */
    static native boolean awaitCollection(long nanos);

    /** How many garbage collections there were. */
    static native int collections();

    static native void stopCore();

    /** The value of a constant of Unsafe, whether it is an int or a long. */
    static native long unsafeNumber(String constant);

    /** Defines the classes of {@link Elements}, once. False: there is no memory for them. */
    static native boolean defineElements();
}
