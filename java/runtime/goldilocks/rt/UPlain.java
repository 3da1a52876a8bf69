// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import jdk.internal.misc.Unsafe;

/** The plain operations of Unsafe: accesses like any other if a VarHandle makes them for the application. */
class UPlain {
    UPlain() {}

    public static int getInt(Unsafe u, Object o, long at) {
        Atomics.plain(o, at, Access.READ);
        return u.getInt(o, at);
    }

    public static void putInt(Unsafe u, Object o, long at, int v) {
        Atomics.plain(o, at, Access.WRITE);
        u.putInt(o, at, v);
    }

    public static long getLong(Unsafe u, Object o, long at) {
        Atomics.plain(o, at, Access.READ);
        return u.getLong(o, at);
    }

    public static void putLong(Unsafe u, Object o, long at, long v) {
        Atomics.plain(o, at, Access.WRITE);
        u.putLong(o, at, v);
    }

    public static Object getReference(Unsafe u, Object o, long at) {
        Atomics.plain(o, at, Access.READ);
        return u.getReference(o, at);
    }

    public static void putReference(Unsafe u, Object o, long at, Object v) {
        Atomics.plain(o, at, Access.WRITE);
        u.putReference(o, at, v);
    }

    public static boolean getBoolean(Unsafe u, Object o, long at) {
        Atomics.plain(o, at, Access.READ);
        return u.getBoolean(o, at);
    }

    public static void putBoolean(Unsafe u, Object o, long at, boolean v) {
        Atomics.plain(o, at, Access.WRITE);
        u.putBoolean(o, at, v);
    }

    public static byte getByte(Unsafe u, Object o, long at) {
        Atomics.plain(o, at, Access.READ);
        return u.getByte(o, at);
    }

    public static void putByte(Unsafe u, Object o, long at, byte v) {
        Atomics.plain(o, at, Access.WRITE);
        u.putByte(o, at, v);
    }

    public static short getShort(Unsafe u, Object o, long at) {
        Atomics.plain(o, at, Access.READ);
        return u.getShort(o, at);
    }

    public static void putShort(Unsafe u, Object o, long at, short v) {
        Atomics.plain(o, at, Access.WRITE);
        u.putShort(o, at, v);
    }

    public static char getChar(Unsafe u, Object o, long at) {
        Atomics.plain(o, at, Access.READ);
        return u.getChar(o, at);
    }

    public static void putChar(Unsafe u, Object o, long at, char v) {
        Atomics.plain(o, at, Access.WRITE);
        u.putChar(o, at, v);
    }

    public static float getFloat(Unsafe u, Object o, long at) {
        Atomics.plain(o, at, Access.READ);
        return u.getFloat(o, at);
    }

    public static void putFloat(Unsafe u, Object o, long at, float v) {
        Atomics.plain(o, at, Access.WRITE);
        u.putFloat(o, at, v);
    }

    public static double getDouble(Unsafe u, Object o, long at) {
        Atomics.plain(o, at, Access.READ);
        return u.getDouble(o, at);
    }

    public static void putDouble(Unsafe u, Object o, long at, double v) {
        Atomics.plain(o, at, Access.WRITE);
        u.putDouble(o, at, v);
    }
}
