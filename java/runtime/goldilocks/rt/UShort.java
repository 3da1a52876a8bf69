// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import jdk.internal.misc.Unsafe;

/** Unsafe's ordered operations on variables of type byte, short and char: see {@link U}. */
class UShort extends UPlain {
    UShort() {}

    // ---- Byte ----

    public static byte getByteAcquire(Unsafe u, Object o, long at) {
        T t = Sync.beginRead(o, at);
        byte v = u.getByteAcquire(o, at);
        Sync.end(t);
        return v;
    }

    public static byte getByteOpaque(Unsafe u, Object o, long at) {
        Atomics.opaque(o, at, Access.READ);
        return u.getByteOpaque(o, at);
    }

    public static byte getByteVolatile(Unsafe u, Object o, long at) {
        T t = Sync.beginRead(o, at);
        byte v = u.getByteVolatile(o, at);
        Sync.end(t);
        return v;
    }

    public static void putByteOpaque(Unsafe u, Object o, long at, byte v) {
        Atomics.opaque(o, at, Access.WRITE);
        u.putByteOpaque(o, at, v);
    }

    public static void putByteRelease(Unsafe u, Object o, long at, byte v) {
        T t = Sync.beginWrite(o, at);
        u.putByteRelease(o, at, v);
        Sync.end(t);
    }

    public static void putByteVolatile(Unsafe u, Object o, long at, byte v) {
        T t = Sync.beginWrite(o, at);
        u.putByteVolatile(o, at, v);
        Sync.end(t);
    }

    public static boolean compareAndSetByte(Unsafe u, Object o, long at, byte expected, byte x) {
        S s = Sync.lock(o, at);
        boolean done = u.compareAndSetByte(o, at, expected, x);
        Sync.unlock(s, o, true, done);
        return done;
    }

    public static boolean weakCompareAndSetByte(Unsafe u, Object o, long at, byte expected, byte x) {
        S s = Sync.lock(o, at);
        boolean done = u.weakCompareAndSetByte(o, at, expected, x);
        Sync.unlock(s, o, true, done);
        return done;
    }

    public static boolean weakCompareAndSetByteAcquire(Unsafe u, Object o, long at, byte expected, byte x) {
        S s = Sync.lock(o, at);
        boolean done = u.weakCompareAndSetByteAcquire(o, at, expected, x);
        Sync.unlock(s, o, true, false, done);
        return done;
    }

    public static boolean weakCompareAndSetBytePlain(Unsafe u, Object o, long at, byte expected, byte x) {
        boolean done = u.weakCompareAndSetBytePlain(o, at, expected, x);
        Atomics.opaque(o, at, done ? Access.WRITE : Access.READ);
        return done;
    }

    public static boolean weakCompareAndSetByteRelease(Unsafe u, Object o, long at, byte expected, byte x) {
        S s = Sync.lock(o, at);
        boolean done = u.weakCompareAndSetByteRelease(o, at, expected, x);
        Sync.unlock(s, o, false, done);
        return done;
    }

    public static byte compareAndExchangeByte(Unsafe u, Object o, long at, byte expected, byte x) {
        S s = Sync.lock(o, at);
        byte was = u.compareAndExchangeByte(o, at, expected, x);
        Sync.unlock(s, o, true, was == expected);
        return was;
    }

    public static byte compareAndExchangeByteAcquire(Unsafe u, Object o, long at, byte expected, byte x) {
        S s = Sync.lock(o, at);
        byte was = u.compareAndExchangeByteAcquire(o, at, expected, x);
        Sync.unlock(s, o, true, false, was == expected);
        return was;
    }

    public static byte compareAndExchangeByteRelease(Unsafe u, Object o, long at, byte expected, byte x) {
        S s = Sync.lock(o, at);
        byte was = u.compareAndExchangeByteRelease(o, at, expected, x);
        Sync.unlock(s, o, false, was == expected);
        return was;
    }

    public static byte getAndAddByte(Unsafe u, Object o, long at, byte x) {
        S s = Sync.lock(o, at);
        byte was = u.getAndAddByte(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static byte getAndAddByteAcquire(Unsafe u, Object o, long at, byte x) {
        S s = Sync.lock(o, at);
        byte was = u.getAndAddByteAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static byte getAndAddByteRelease(Unsafe u, Object o, long at, byte x) {
        S s = Sync.lock(o, at);
        byte was = u.getAndAddByteRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    public static byte getAndBitwiseAndByte(Unsafe u, Object o, long at, byte x) {
        S s = Sync.lock(o, at);
        byte was = u.getAndBitwiseAndByte(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static byte getAndBitwiseAndByteAcquire(Unsafe u, Object o, long at, byte x) {
        S s = Sync.lock(o, at);
        byte was = u.getAndBitwiseAndByteAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static byte getAndBitwiseAndByteRelease(Unsafe u, Object o, long at, byte x) {
        S s = Sync.lock(o, at);
        byte was = u.getAndBitwiseAndByteRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    public static byte getAndBitwiseOrByte(Unsafe u, Object o, long at, byte x) {
        S s = Sync.lock(o, at);
        byte was = u.getAndBitwiseOrByte(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static byte getAndBitwiseOrByteAcquire(Unsafe u, Object o, long at, byte x) {
        S s = Sync.lock(o, at);
        byte was = u.getAndBitwiseOrByteAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static byte getAndBitwiseOrByteRelease(Unsafe u, Object o, long at, byte x) {
        S s = Sync.lock(o, at);
        byte was = u.getAndBitwiseOrByteRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    public static byte getAndBitwiseXorByte(Unsafe u, Object o, long at, byte x) {
        S s = Sync.lock(o, at);
        byte was = u.getAndBitwiseXorByte(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static byte getAndBitwiseXorByteAcquire(Unsafe u, Object o, long at, byte x) {
        S s = Sync.lock(o, at);
        byte was = u.getAndBitwiseXorByteAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static byte getAndBitwiseXorByteRelease(Unsafe u, Object o, long at, byte x) {
        S s = Sync.lock(o, at);
        byte was = u.getAndBitwiseXorByteRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    public static byte getAndSetByte(Unsafe u, Object o, long at, byte x) {
        S s = Sync.lock(o, at);
        byte was = u.getAndSetByte(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static byte getAndSetByteAcquire(Unsafe u, Object o, long at, byte x) {
        S s = Sync.lock(o, at);
        byte was = u.getAndSetByteAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static byte getAndSetByteRelease(Unsafe u, Object o, long at, byte x) {
        S s = Sync.lock(o, at);
        byte was = u.getAndSetByteRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    // ---- Short ----

    public static short getShortAcquire(Unsafe u, Object o, long at) {
        T t = Sync.beginRead(o, at);
        short v = u.getShortAcquire(o, at);
        Sync.end(t);
        return v;
    }

    public static short getShortOpaque(Unsafe u, Object o, long at) {
        Atomics.opaque(o, at, Access.READ);
        return u.getShortOpaque(o, at);
    }

    public static short getShortVolatile(Unsafe u, Object o, long at) {
        T t = Sync.beginRead(o, at);
        short v = u.getShortVolatile(o, at);
        Sync.end(t);
        return v;
    }

    public static void putShortOpaque(Unsafe u, Object o, long at, short v) {
        Atomics.opaque(o, at, Access.WRITE);
        u.putShortOpaque(o, at, v);
    }

    public static void putShortRelease(Unsafe u, Object o, long at, short v) {
        T t = Sync.beginWrite(o, at);
        u.putShortRelease(o, at, v);
        Sync.end(t);
    }

    public static void putShortVolatile(Unsafe u, Object o, long at, short v) {
        T t = Sync.beginWrite(o, at);
        u.putShortVolatile(o, at, v);
        Sync.end(t);
    }

    public static boolean compareAndSetShort(Unsafe u, Object o, long at, short expected, short x) {
        S s = Sync.lock(o, at);
        boolean done = u.compareAndSetShort(o, at, expected, x);
        Sync.unlock(s, o, true, done);
        return done;
    }

    public static boolean weakCompareAndSetShort(Unsafe u, Object o, long at, short expected, short x) {
        S s = Sync.lock(o, at);
        boolean done = u.weakCompareAndSetShort(o, at, expected, x);
        Sync.unlock(s, o, true, done);
        return done;
    }

    public static boolean weakCompareAndSetShortAcquire(Unsafe u, Object o, long at, short expected, short x) {
        S s = Sync.lock(o, at);
        boolean done = u.weakCompareAndSetShortAcquire(o, at, expected, x);
        Sync.unlock(s, o, true, false, done);
        return done;
    }

    public static boolean weakCompareAndSetShortPlain(Unsafe u, Object o, long at, short expected, short x) {
        boolean done = u.weakCompareAndSetShortPlain(o, at, expected, x);
        Atomics.opaque(o, at, done ? Access.WRITE : Access.READ);
        return done;
    }

    public static boolean weakCompareAndSetShortRelease(Unsafe u, Object o, long at, short expected, short x) {
        S s = Sync.lock(o, at);
        boolean done = u.weakCompareAndSetShortRelease(o, at, expected, x);
        Sync.unlock(s, o, false, done);
        return done;
    }

    public static short compareAndExchangeShort(Unsafe u, Object o, long at, short expected, short x) {
        S s = Sync.lock(o, at);
        short was = u.compareAndExchangeShort(o, at, expected, x);
        Sync.unlock(s, o, true, was == expected);
        return was;
    }

    public static short compareAndExchangeShortAcquire(Unsafe u, Object o, long at, short expected, short x) {
        S s = Sync.lock(o, at);
        short was = u.compareAndExchangeShortAcquire(o, at, expected, x);
        Sync.unlock(s, o, true, false, was == expected);
        return was;
    }

    public static short compareAndExchangeShortRelease(Unsafe u, Object o, long at, short expected, short x) {
        S s = Sync.lock(o, at);
        short was = u.compareAndExchangeShortRelease(o, at, expected, x);
        Sync.unlock(s, o, false, was == expected);
        return was;
    }

    public static short getAndAddShort(Unsafe u, Object o, long at, short x) {
        S s = Sync.lock(o, at);
        short was = u.getAndAddShort(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static short getAndAddShortAcquire(Unsafe u, Object o, long at, short x) {
        S s = Sync.lock(o, at);
        short was = u.getAndAddShortAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static short getAndAddShortRelease(Unsafe u, Object o, long at, short x) {
        S s = Sync.lock(o, at);
        short was = u.getAndAddShortRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    public static short getAndBitwiseAndShort(Unsafe u, Object o, long at, short x) {
        S s = Sync.lock(o, at);
        short was = u.getAndBitwiseAndShort(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static short getAndBitwiseAndShortAcquire(Unsafe u, Object o, long at, short x) {
        S s = Sync.lock(o, at);
        short was = u.getAndBitwiseAndShortAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static short getAndBitwiseAndShortRelease(Unsafe u, Object o, long at, short x) {
        S s = Sync.lock(o, at);
        short was = u.getAndBitwiseAndShortRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    public static short getAndBitwiseOrShort(Unsafe u, Object o, long at, short x) {
        S s = Sync.lock(o, at);
        short was = u.getAndBitwiseOrShort(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static short getAndBitwiseOrShortAcquire(Unsafe u, Object o, long at, short x) {
        S s = Sync.lock(o, at);
        short was = u.getAndBitwiseOrShortAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static short getAndBitwiseOrShortRelease(Unsafe u, Object o, long at, short x) {
        S s = Sync.lock(o, at);
        short was = u.getAndBitwiseOrShortRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    public static short getAndBitwiseXorShort(Unsafe u, Object o, long at, short x) {
        S s = Sync.lock(o, at);
        short was = u.getAndBitwiseXorShort(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static short getAndBitwiseXorShortAcquire(Unsafe u, Object o, long at, short x) {
        S s = Sync.lock(o, at);
        short was = u.getAndBitwiseXorShortAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static short getAndBitwiseXorShortRelease(Unsafe u, Object o, long at, short x) {
        S s = Sync.lock(o, at);
        short was = u.getAndBitwiseXorShortRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    public static short getAndSetShort(Unsafe u, Object o, long at, short x) {
        S s = Sync.lock(o, at);
        short was = u.getAndSetShort(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static short getAndSetShortAcquire(Unsafe u, Object o, long at, short x) {
        S s = Sync.lock(o, at);
        short was = u.getAndSetShortAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static short getAndSetShortRelease(Unsafe u, Object o, long at, short x) {
        S s = Sync.lock(o, at);
        short was = u.getAndSetShortRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    // ---- Char ----

    public static char getCharAcquire(Unsafe u, Object o, long at) {
        T t = Sync.beginRead(o, at);
        char v = u.getCharAcquire(o, at);
        Sync.end(t);
        return v;
    }

    public static char getCharOpaque(Unsafe u, Object o, long at) {
        Atomics.opaque(o, at, Access.READ);
        return u.getCharOpaque(o, at);
    }

    public static char getCharVolatile(Unsafe u, Object o, long at) {
        T t = Sync.beginRead(o, at);
        char v = u.getCharVolatile(o, at);
        Sync.end(t);
        return v;
    }

    public static void putCharOpaque(Unsafe u, Object o, long at, char v) {
        Atomics.opaque(o, at, Access.WRITE);
        u.putCharOpaque(o, at, v);
    }

    public static void putCharRelease(Unsafe u, Object o, long at, char v) {
        T t = Sync.beginWrite(o, at);
        u.putCharRelease(o, at, v);
        Sync.end(t);
    }

    public static void putCharVolatile(Unsafe u, Object o, long at, char v) {
        T t = Sync.beginWrite(o, at);
        u.putCharVolatile(o, at, v);
        Sync.end(t);
    }

    public static boolean compareAndSetChar(Unsafe u, Object o, long at, char expected, char x) {
        S s = Sync.lock(o, at);
        boolean done = u.compareAndSetChar(o, at, expected, x);
        Sync.unlock(s, o, true, done);
        return done;
    }

    public static boolean weakCompareAndSetChar(Unsafe u, Object o, long at, char expected, char x) {
        S s = Sync.lock(o, at);
        boolean done = u.weakCompareAndSetChar(o, at, expected, x);
        Sync.unlock(s, o, true, done);
        return done;
    }

    public static boolean weakCompareAndSetCharAcquire(Unsafe u, Object o, long at, char expected, char x) {
        S s = Sync.lock(o, at);
        boolean done = u.weakCompareAndSetCharAcquire(o, at, expected, x);
        Sync.unlock(s, o, true, false, done);
        return done;
    }

    public static boolean weakCompareAndSetCharPlain(Unsafe u, Object o, long at, char expected, char x) {
        boolean done = u.weakCompareAndSetCharPlain(o, at, expected, x);
        Atomics.opaque(o, at, done ? Access.WRITE : Access.READ);
        return done;
    }

    public static boolean weakCompareAndSetCharRelease(Unsafe u, Object o, long at, char expected, char x) {
        S s = Sync.lock(o, at);
        boolean done = u.weakCompareAndSetCharRelease(o, at, expected, x);
        Sync.unlock(s, o, false, done);
        return done;
    }

    public static char compareAndExchangeChar(Unsafe u, Object o, long at, char expected, char x) {
        S s = Sync.lock(o, at);
        char was = u.compareAndExchangeChar(o, at, expected, x);
        Sync.unlock(s, o, true, was == expected);
        return was;
    }

    public static char compareAndExchangeCharAcquire(Unsafe u, Object o, long at, char expected, char x) {
        S s = Sync.lock(o, at);
        char was = u.compareAndExchangeCharAcquire(o, at, expected, x);
        Sync.unlock(s, o, true, false, was == expected);
        return was;
    }

    public static char compareAndExchangeCharRelease(Unsafe u, Object o, long at, char expected, char x) {
        S s = Sync.lock(o, at);
        char was = u.compareAndExchangeCharRelease(o, at, expected, x);
        Sync.unlock(s, o, false, was == expected);
        return was;
    }

    public static char getAndAddChar(Unsafe u, Object o, long at, char x) {
        S s = Sync.lock(o, at);
        char was = u.getAndAddChar(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static char getAndAddCharAcquire(Unsafe u, Object o, long at, char x) {
        S s = Sync.lock(o, at);
        char was = u.getAndAddCharAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static char getAndAddCharRelease(Unsafe u, Object o, long at, char x) {
        S s = Sync.lock(o, at);
        char was = u.getAndAddCharRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    public static char getAndBitwiseAndChar(Unsafe u, Object o, long at, char x) {
        S s = Sync.lock(o, at);
        char was = u.getAndBitwiseAndChar(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static char getAndBitwiseAndCharAcquire(Unsafe u, Object o, long at, char x) {
        S s = Sync.lock(o, at);
        char was = u.getAndBitwiseAndCharAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static char getAndBitwiseAndCharRelease(Unsafe u, Object o, long at, char x) {
        S s = Sync.lock(o, at);
        char was = u.getAndBitwiseAndCharRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    public static char getAndBitwiseOrChar(Unsafe u, Object o, long at, char x) {
        S s = Sync.lock(o, at);
        char was = u.getAndBitwiseOrChar(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static char getAndBitwiseOrCharAcquire(Unsafe u, Object o, long at, char x) {
        S s = Sync.lock(o, at);
        char was = u.getAndBitwiseOrCharAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static char getAndBitwiseOrCharRelease(Unsafe u, Object o, long at, char x) {
        S s = Sync.lock(o, at);
        char was = u.getAndBitwiseOrCharRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    public static char getAndBitwiseXorChar(Unsafe u, Object o, long at, char x) {
        S s = Sync.lock(o, at);
        char was = u.getAndBitwiseXorChar(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static char getAndBitwiseXorCharAcquire(Unsafe u, Object o, long at, char x) {
        S s = Sync.lock(o, at);
        char was = u.getAndBitwiseXorCharAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static char getAndBitwiseXorCharRelease(Unsafe u, Object o, long at, char x) {
        S s = Sync.lock(o, at);
        char was = u.getAndBitwiseXorCharRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    public static char getAndSetChar(Unsafe u, Object o, long at, char x) {
        S s = Sync.lock(o, at);
        char was = u.getAndSetChar(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static char getAndSetCharAcquire(Unsafe u, Object o, long at, char x) {
        S s = Sync.lock(o, at);
        char was = u.getAndSetCharAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static char getAndSetCharRelease(Unsafe u, Object o, long at, char x) {
        S s = Sync.lock(o, at);
        char was = u.getAndSetCharRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }
}
