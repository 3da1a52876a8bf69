// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import jdk.internal.misc.Unsafe;

/** Unsafe's ordered operations on variables of type boolean, float and double: see {@link U}. */
class UMore extends UShort {
    UMore() {}

    // ---- Boolean ----

    public static boolean getBooleanAcquire(Unsafe u, Object o, long at) {
        T t = Sync.beginRead(o, at);
        boolean v = u.getBooleanAcquire(o, at);
        Sync.end(t);
        return v;
    }

    public static boolean getBooleanOpaque(Unsafe u, Object o, long at) {
        Atomics.opaque(o, at, Access.READ);
        return u.getBooleanOpaque(o, at);
    }

    public static boolean getBooleanVolatile(Unsafe u, Object o, long at) {
        T t = Sync.beginRead(o, at);
        boolean v = u.getBooleanVolatile(o, at);
        Sync.end(t);
        return v;
    }

    public static void putBooleanOpaque(Unsafe u, Object o, long at, boolean v) {
        Atomics.opaque(o, at, Access.WRITE);
        u.putBooleanOpaque(o, at, v);
    }

    public static void putBooleanRelease(Unsafe u, Object o, long at, boolean v) {
        T t = Sync.beginWrite(o, at);
        u.putBooleanRelease(o, at, v);
        Sync.end(t);
    }

    public static void putBooleanVolatile(Unsafe u, Object o, long at, boolean v) {
        T t = Sync.beginWrite(o, at);
        u.putBooleanVolatile(o, at, v);
        Sync.end(t);
    }

    public static boolean compareAndSetBoolean(Unsafe u, Object o, long at, boolean expected, boolean x) {
        S s = Sync.lock(o, at);
        boolean done = u.compareAndSetBoolean(o, at, expected, x);
        Sync.unlock(s, o, true, done);
        return done;
    }

    public static boolean weakCompareAndSetBoolean(Unsafe u, Object o, long at, boolean expected, boolean x) {
        S s = Sync.lock(o, at);
        boolean done = u.weakCompareAndSetBoolean(o, at, expected, x);
        Sync.unlock(s, o, true, done);
        return done;
    }

    public static boolean weakCompareAndSetBooleanAcquire(Unsafe u, Object o, long at, boolean expected, boolean x) {
        S s = Sync.lock(o, at);
        boolean done = u.weakCompareAndSetBooleanAcquire(o, at, expected, x);
        Sync.unlock(s, o, true, false, done);
        return done;
    }

    public static boolean weakCompareAndSetBooleanPlain(Unsafe u, Object o, long at, boolean expected, boolean x) {
        boolean done = u.weakCompareAndSetBooleanPlain(o, at, expected, x);
        Atomics.opaque(o, at, done ? Access.WRITE : Access.READ);
        return done;
    }

    public static boolean weakCompareAndSetBooleanRelease(Unsafe u, Object o, long at, boolean expected, boolean x) {
        S s = Sync.lock(o, at);
        boolean done = u.weakCompareAndSetBooleanRelease(o, at, expected, x);
        Sync.unlock(s, o, false, done);
        return done;
    }

    public static boolean compareAndExchangeBoolean(Unsafe u, Object o, long at, boolean expected, boolean x) {
        S s = Sync.lock(o, at);
        boolean was = u.compareAndExchangeBoolean(o, at, expected, x);
        Sync.unlock(s, o, true, was == expected);
        return was;
    }

    public static boolean compareAndExchangeBooleanAcquire(Unsafe u, Object o, long at, boolean expected, boolean x) {
        S s = Sync.lock(o, at);
        boolean was = u.compareAndExchangeBooleanAcquire(o, at, expected, x);
        Sync.unlock(s, o, true, false, was == expected);
        return was;
    }

    public static boolean compareAndExchangeBooleanRelease(Unsafe u, Object o, long at, boolean expected, boolean x) {
        S s = Sync.lock(o, at);
        boolean was = u.compareAndExchangeBooleanRelease(o, at, expected, x);
        Sync.unlock(s, o, false, was == expected);
        return was;
    }

    public static boolean getAndBitwiseAndBoolean(Unsafe u, Object o, long at, boolean x) {
        S s = Sync.lock(o, at);
        boolean was = u.getAndBitwiseAndBoolean(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static boolean getAndBitwiseAndBooleanAcquire(Unsafe u, Object o, long at, boolean x) {
        S s = Sync.lock(o, at);
        boolean was = u.getAndBitwiseAndBooleanAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static boolean getAndBitwiseAndBooleanRelease(Unsafe u, Object o, long at, boolean x) {
        S s = Sync.lock(o, at);
        boolean was = u.getAndBitwiseAndBooleanRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    public static boolean getAndBitwiseOrBoolean(Unsafe u, Object o, long at, boolean x) {
        S s = Sync.lock(o, at);
        boolean was = u.getAndBitwiseOrBoolean(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static boolean getAndBitwiseOrBooleanAcquire(Unsafe u, Object o, long at, boolean x) {
        S s = Sync.lock(o, at);
        boolean was = u.getAndBitwiseOrBooleanAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static boolean getAndBitwiseOrBooleanRelease(Unsafe u, Object o, long at, boolean x) {
        S s = Sync.lock(o, at);
        boolean was = u.getAndBitwiseOrBooleanRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    public static boolean getAndBitwiseXorBoolean(Unsafe u, Object o, long at, boolean x) {
        S s = Sync.lock(o, at);
        boolean was = u.getAndBitwiseXorBoolean(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static boolean getAndBitwiseXorBooleanAcquire(Unsafe u, Object o, long at, boolean x) {
        S s = Sync.lock(o, at);
        boolean was = u.getAndBitwiseXorBooleanAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static boolean getAndBitwiseXorBooleanRelease(Unsafe u, Object o, long at, boolean x) {
        S s = Sync.lock(o, at);
        boolean was = u.getAndBitwiseXorBooleanRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    public static boolean getAndSetBoolean(Unsafe u, Object o, long at, boolean x) {
        S s = Sync.lock(o, at);
        boolean was = u.getAndSetBoolean(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static boolean getAndSetBooleanAcquire(Unsafe u, Object o, long at, boolean x) {
        S s = Sync.lock(o, at);
        boolean was = u.getAndSetBooleanAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static boolean getAndSetBooleanRelease(Unsafe u, Object o, long at, boolean x) {
        S s = Sync.lock(o, at);
        boolean was = u.getAndSetBooleanRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    // ---- Float ----

    public static float getFloatAcquire(Unsafe u, Object o, long at) {
        T t = Sync.beginRead(o, at);
        float v = u.getFloatAcquire(o, at);
        Sync.end(t);
        return v;
    }

    public static float getFloatOpaque(Unsafe u, Object o, long at) {
        Atomics.opaque(o, at, Access.READ);
        return u.getFloatOpaque(o, at);
    }

    public static float getFloatVolatile(Unsafe u, Object o, long at) {
        T t = Sync.beginRead(o, at);
        float v = u.getFloatVolatile(o, at);
        Sync.end(t);
        return v;
    }

    public static void putFloatOpaque(Unsafe u, Object o, long at, float v) {
        Atomics.opaque(o, at, Access.WRITE);
        u.putFloatOpaque(o, at, v);
    }

    public static void putFloatRelease(Unsafe u, Object o, long at, float v) {
        T t = Sync.beginWrite(o, at);
        u.putFloatRelease(o, at, v);
        Sync.end(t);
    }

    public static void putFloatVolatile(Unsafe u, Object o, long at, float v) {
        T t = Sync.beginWrite(o, at);
        u.putFloatVolatile(o, at, v);
        Sync.end(t);
    }

    public static boolean compareAndSetFloat(Unsafe u, Object o, long at, float expected, float x) {
        S s = Sync.lock(o, at);
        boolean done = u.compareAndSetFloat(o, at, expected, x);
        Sync.unlock(s, o, true, done);
        return done;
    }

    public static boolean weakCompareAndSetFloat(Unsafe u, Object o, long at, float expected, float x) {
        S s = Sync.lock(o, at);
        boolean done = u.weakCompareAndSetFloat(o, at, expected, x);
        Sync.unlock(s, o, true, done);
        return done;
    }

    public static boolean weakCompareAndSetFloatAcquire(Unsafe u, Object o, long at, float expected, float x) {
        S s = Sync.lock(o, at);
        boolean done = u.weakCompareAndSetFloatAcquire(o, at, expected, x);
        Sync.unlock(s, o, true, false, done);
        return done;
    }

    public static boolean weakCompareAndSetFloatPlain(Unsafe u, Object o, long at, float expected, float x) {
        boolean done = u.weakCompareAndSetFloatPlain(o, at, expected, x);
        Atomics.opaque(o, at, done ? Access.WRITE : Access.READ);
        return done;
    }

    public static boolean weakCompareAndSetFloatRelease(Unsafe u, Object o, long at, float expected, float x) {
        S s = Sync.lock(o, at);
        boolean done = u.weakCompareAndSetFloatRelease(o, at, expected, x);
        Sync.unlock(s, o, false, done);
        return done;
    }

    public static float compareAndExchangeFloat(Unsafe u, Object o, long at, float expected, float x) {
        S s = Sync.lock(o, at);
        float was = u.compareAndExchangeFloat(o, at, expected, x);
        Sync.unlock(s, o, true, Float.floatToRawIntBits(was) == Float.floatToRawIntBits(expected));
        return was;
    }

    public static float compareAndExchangeFloatAcquire(Unsafe u, Object o, long at, float expected, float x) {
        S s = Sync.lock(o, at);
        float was = u.compareAndExchangeFloatAcquire(o, at, expected, x);
        Sync.unlock(s, o, true, false, Float.floatToRawIntBits(was) == Float.floatToRawIntBits(expected));
        return was;
    }

    public static float compareAndExchangeFloatRelease(Unsafe u, Object o, long at, float expected, float x) {
        S s = Sync.lock(o, at);
        float was = u.compareAndExchangeFloatRelease(o, at, expected, x);
        Sync.unlock(s, o, false, Float.floatToRawIntBits(was) == Float.floatToRawIntBits(expected));
        return was;
    }

    public static float getAndAddFloat(Unsafe u, Object o, long at, float x) {
        S s = Sync.lock(o, at);
        float was = u.getAndAddFloat(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static float getAndAddFloatAcquire(Unsafe u, Object o, long at, float x) {
        S s = Sync.lock(o, at);
        float was = u.getAndAddFloatAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static float getAndAddFloatRelease(Unsafe u, Object o, long at, float x) {
        S s = Sync.lock(o, at);
        float was = u.getAndAddFloatRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    public static float getAndSetFloat(Unsafe u, Object o, long at, float x) {
        S s = Sync.lock(o, at);
        float was = u.getAndSetFloat(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static float getAndSetFloatAcquire(Unsafe u, Object o, long at, float x) {
        S s = Sync.lock(o, at);
        float was = u.getAndSetFloatAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static float getAndSetFloatRelease(Unsafe u, Object o, long at, float x) {
        S s = Sync.lock(o, at);
        float was = u.getAndSetFloatRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    // ---- Double ----

    public static double getDoubleAcquire(Unsafe u, Object o, long at) {
        T t = Sync.beginRead(o, at);
        double v = u.getDoubleAcquire(o, at);
        Sync.end(t);
        return v;
    }

    public static double getDoubleOpaque(Unsafe u, Object o, long at) {
        Atomics.opaque(o, at, Access.READ);
        return u.getDoubleOpaque(o, at);
    }

    public static double getDoubleVolatile(Unsafe u, Object o, long at) {
        T t = Sync.beginRead(o, at);
        double v = u.getDoubleVolatile(o, at);
        Sync.end(t);
        return v;
    }

    public static void putDoubleOpaque(Unsafe u, Object o, long at, double v) {
        Atomics.opaque(o, at, Access.WRITE);
        u.putDoubleOpaque(o, at, v);
    }

    public static void putDoubleRelease(Unsafe u, Object o, long at, double v) {
        T t = Sync.beginWrite(o, at);
        u.putDoubleRelease(o, at, v);
        Sync.end(t);
    }

    public static void putDoubleVolatile(Unsafe u, Object o, long at, double v) {
        T t = Sync.beginWrite(o, at);
        u.putDoubleVolatile(o, at, v);
        Sync.end(t);
    }

    public static boolean compareAndSetDouble(Unsafe u, Object o, long at, double expected, double x) {
        S s = Sync.lock(o, at);
        boolean done = u.compareAndSetDouble(o, at, expected, x);
        Sync.unlock(s, o, true, done);
        return done;
    }

    public static boolean weakCompareAndSetDouble(Unsafe u, Object o, long at, double expected, double x) {
        S s = Sync.lock(o, at);
        boolean done = u.weakCompareAndSetDouble(o, at, expected, x);
        Sync.unlock(s, o, true, done);
        return done;
    }

    public static boolean weakCompareAndSetDoubleAcquire(Unsafe u, Object o, long at, double expected, double x) {
        S s = Sync.lock(o, at);
        boolean done = u.weakCompareAndSetDoubleAcquire(o, at, expected, x);
        Sync.unlock(s, o, true, false, done);
        return done;
    }

    public static boolean weakCompareAndSetDoublePlain(Unsafe u, Object o, long at, double expected, double x) {
        boolean done = u.weakCompareAndSetDoublePlain(o, at, expected, x);
        Atomics.opaque(o, at, done ? Access.WRITE : Access.READ);
        return done;
    }

    public static boolean weakCompareAndSetDoubleRelease(Unsafe u, Object o, long at, double expected, double x) {
        S s = Sync.lock(o, at);
        boolean done = u.weakCompareAndSetDoubleRelease(o, at, expected, x);
        Sync.unlock(s, o, false, done);
        return done;
    }

    public static double compareAndExchangeDouble(Unsafe u, Object o, long at, double expected, double x) {
        S s = Sync.lock(o, at);
        double was = u.compareAndExchangeDouble(o, at, expected, x);
        Sync.unlock(s, o, true, Double.doubleToRawLongBits(was) == Double.doubleToRawLongBits(expected));
        return was;
    }

    public static double compareAndExchangeDoubleAcquire(Unsafe u, Object o, long at, double expected, double x) {
        S s = Sync.lock(o, at);
        double was = u.compareAndExchangeDoubleAcquire(o, at, expected, x);
        Sync.unlock(s, o, true, false, Double.doubleToRawLongBits(was) == Double.doubleToRawLongBits(expected));
        return was;
    }

    public static double compareAndExchangeDoubleRelease(Unsafe u, Object o, long at, double expected, double x) {
        S s = Sync.lock(o, at);
        double was = u.compareAndExchangeDoubleRelease(o, at, expected, x);
        Sync.unlock(s, o, false, Double.doubleToRawLongBits(was) == Double.doubleToRawLongBits(expected));
        return was;
    }

    public static double getAndAddDouble(Unsafe u, Object o, long at, double x) {
        S s = Sync.lock(o, at);
        double was = u.getAndAddDouble(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static double getAndAddDoubleAcquire(Unsafe u, Object o, long at, double x) {
        S s = Sync.lock(o, at);
        double was = u.getAndAddDoubleAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static double getAndAddDoubleRelease(Unsafe u, Object o, long at, double x) {
        S s = Sync.lock(o, at);
        double was = u.getAndAddDoubleRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    public static double getAndSetDouble(Unsafe u, Object o, long at, double x) {
        S s = Sync.lock(o, at);
        double was = u.getAndSetDouble(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static double getAndSetDoubleAcquire(Unsafe u, Object o, long at, double x) {
        S s = Sync.lock(o, at);
        double was = u.getAndSetDoubleAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static double getAndSetDoubleRelease(Unsafe u, Object o, long at, double x) {
        S s = Sync.lock(o, at);
        double was = u.getAndSetDoubleRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    // ---- the initialization of classes ----

    public static Object allocateInstance(Unsafe u, Class<?> c) throws InstantiationException {
        Object o = u.allocateInstance(c);
        R.initialized(c);
        return o;
    }

    public static void ensureClassInitialized(Unsafe u, Class<?> c) {
        u.ensureClassInitialized(c);
        R.initialized(c);
    }
}
