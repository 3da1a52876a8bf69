// SPDX-License-Identifier: Apache-2.0
package goldilocks.test;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectStreamConstants;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.function.Supplier;

/**
 * What scenarios need beside Order and the agent must not see: objects that go from thread to thread without order, threads that do not end before the others do, and
 * exceptions that a static initializer may not declare.
 */
public final class Hidden {
    private static final Object[] OBJECTS = new Object[1 << 10];
    private static final Thread[] THREADS = new Thread[64];
    private static volatile int started, fence;
    private static volatile Throwable last;

    private Hidden() {}

    /** Two threads meet here by Order only, which is enough for the JVM: each step reads and writes volatile fields. */
    public static Object hide(int i, Object object) {
        OBJECTS[i] = object;
        fence = i;
        return object;
    }

    public static Object hidden(int i) {
        int none = fence;
        return OBJECTS[i];
    }

    public static void start(Thread thread) {
        synchronized (THREADS) {
            THREADS[started++] = thread;
        }
        thread.start();
    }

    /** Waits for all threads of a scenario; the last step lets them end. */
    public static void joinAll() throws InterruptedException {
        for (int i = 0; i < started; i++) {
            THREADS[i].join();
            THREADS[i] = null;
        }
        started = 0;
        for (int i = 0; i < OBJECTS.length; i++)
            OBJECTS[i] = null;
    }

    /** Loads and links them, and initializes none: later that would take locks. */
    public static void load(String... names) throws ClassNotFoundException {
        for (String name : names)
            Class.forName(name, false, Hidden.class.getClassLoader()).getDeclaredMethods();
    }

    public static Method method(Class<?> c, String name) throws NoSuchMethodException {
        Method method = c.getDeclaredMethod(name);
        method.setAccessible(true);
        return method;
    }

    public static Constructor<?> constructor(Class<?> c) throws NoSuchMethodException {
        Constructor<?> constructor = c.getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor;
    }

    public static Field field(Class<?> c, String name) throws NoSuchFieldException {
        Field field = c.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    @SuppressWarnings("removal")
    public static sun.misc.Unsafe unsafe() throws ReflectiveOperationException {
        return (sun.misc.Unsafe) field(sun.misc.Unsafe.class, "theUnsafe").get(null);
    }

    /** What ObjectOutputStream writes of an object without fields: no object is needed for it, which would initialize the class. */
    public static byte[] serialized(String name) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeShort(ObjectStreamConstants.STREAM_MAGIC);
        out.writeShort(ObjectStreamConstants.STREAM_VERSION);
        out.writeByte(ObjectStreamConstants.TC_OBJECT);
        out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
        out.writeUTF(name);
        out.writeLong(1);
        out.writeByte(ObjectStreamConstants.SC_SERIALIZABLE);
        out.writeShort(0);
        out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
        out.writeByte(ObjectStreamConstants.TC_NULL);
        return bytes.toByteArray();
    }

    public static void calls(Runnable runnable) {
        runnable.run();
    }

    public static void makes(Supplier<?> supplier) {
        supplier.get();
    }

    public static boolean yes() {
        return fence >= -1;
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> RuntimeException as(Throwable thrown) throws T {
        throw (T) thrown;
    }

    public static RuntimeException sneaky(Throwable thrown) {
        return Hidden.<RuntimeException>as(thrown);
    }

    /** The use of a class that cannot be used. */
    public static void refused(Throwable thrown) {
        Throwable why = thrown instanceof java.lang.reflect.InvocationTargetException ? thrown.getCause() : thrown;
        if (!(why instanceof ExceptionInInitializerError || why instanceof NoClassDefFoundError))
            Order.fail(thrown);
    }

    public static void fail(Throwable thrown) {
        Order.fail(thrown);
    }
}
