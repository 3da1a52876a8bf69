// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import jdk.internal.misc.Unsafe;

/**
 * Unsafe's ordered operations, in place of which the JDK's synchronization classes call these: each is one step with its record, under
 * the lock of the variable's S. Names and arguments are those of jdk.internal.misc.Unsafe in JDK 17 and in JDK 25, after the
 * Unsafe itself.
 *
 * Which order is recorded
 *   volatile read, acquire    sink. JLS 17.4.4 orders a volatile read after every earlier write of the variable.
 *   volatile write, release   source, merged with the earlier ones. For a release-mode write that is more than the memory model says:
 *                             an acquire-mode read is ordered after the writes whose value it reads, and after those which a
 *                             volatile write precedes; to replace what was there would be exact for a variable that is used in
 *                             release and acquire mode alone, and would make false races where modes are mixed, as the JDK does. Merging
 *                             may hide a race, never makes one.
 *   read-modify-write         sink, then source. In acquire mode no source, in release mode no sink.
 *   compareAndSet and its like that fail   as a read: sink, but in release mode nothing
 *   opaque, plain             nothing: no other access is ordered
 */
public final class U extends UMore {
    private U() {}

    // ---- Int ----

    public static int getIntAcquire(Unsafe u, Object o, long at) {
        T t = Sync.beginRead(o, at);
        int v = u.getIntAcquire(o, at);
        Sync.end(t);
        return v;
    }

    public static int getIntOpaque(Unsafe u, Object o, long at) {
        Atomics.opaque(o, at, Access.READ);
        return u.getIntOpaque(o, at);
    }

    public static int getIntVolatile(Unsafe u, Object o, long at) {
        T t = Sync.beginRead(o, at);
        int v = u.getIntVolatile(o, at);
        Sync.end(t);
        return v;
    }

    public static void putIntOpaque(Unsafe u, Object o, long at, int v) {
        Atomics.opaque(o, at, Access.WRITE);
        u.putIntOpaque(o, at, v);
    }

    public static void putIntRelease(Unsafe u, Object o, long at, int v) {
        T t = Sync.beginWrite(o, at);
        u.putIntRelease(o, at, v);
        Sync.end(t);
    }

    public static void putIntVolatile(Unsafe u, Object o, long at, int v) {
        T t = Sync.beginWrite(o, at);
        u.putIntVolatile(o, at, v);
        Sync.end(t);
    }

    public static boolean compareAndSetInt(Unsafe u, Object o, long at, int expected, int x) {
        S s = Sync.lock(o, at);
        boolean done = u.compareAndSetInt(o, at, expected, x);
        Sync.unlock(s, o, true, done);
        return done;
    }

    public static boolean weakCompareAndSetInt(Unsafe u, Object o, long at, int expected, int x) {
        S s = Sync.lock(o, at);
        boolean done = u.weakCompareAndSetInt(o, at, expected, x);
        Sync.unlock(s, o, true, done);
        return done;
    }

    public static boolean weakCompareAndSetIntAcquire(Unsafe u, Object o, long at, int expected, int x) {
        S s = Sync.lock(o, at);
        boolean done = u.weakCompareAndSetIntAcquire(o, at, expected, x);
        Sync.unlock(s, o, true, false, done);
        return done;
    }

    public static boolean weakCompareAndSetIntPlain(Unsafe u, Object o, long at, int expected, int x) {
        boolean done = u.weakCompareAndSetIntPlain(o, at, expected, x);
        Atomics.opaque(o, at, done ? Access.WRITE : Access.READ);
        return done;
    }

    public static boolean weakCompareAndSetIntRelease(Unsafe u, Object o, long at, int expected, int x) {
        S s = Sync.lock(o, at);
        boolean done = u.weakCompareAndSetIntRelease(o, at, expected, x);
        Sync.unlock(s, o, false, done);
        return done;
    }

    public static int compareAndExchangeInt(Unsafe u, Object o, long at, int expected, int x) {
        S s = Sync.lock(o, at);
        int was = u.compareAndExchangeInt(o, at, expected, x);
        Sync.unlock(s, o, true, was == expected);
        return was;
    }

    public static int compareAndExchangeIntAcquire(Unsafe u, Object o, long at, int expected, int x) {
        S s = Sync.lock(o, at);
        int was = u.compareAndExchangeIntAcquire(o, at, expected, x);
        Sync.unlock(s, o, true, false, was == expected);
        return was;
    }

    public static int compareAndExchangeIntRelease(Unsafe u, Object o, long at, int expected, int x) {
        S s = Sync.lock(o, at);
        int was = u.compareAndExchangeIntRelease(o, at, expected, x);
        Sync.unlock(s, o, false, was == expected);
        return was;
    }

    public static int getAndAddInt(Unsafe u, Object o, long at, int x) {
        S s = Sync.lock(o, at);
        int was = u.getAndAddInt(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static int getAndAddIntAcquire(Unsafe u, Object o, long at, int x) {
        S s = Sync.lock(o, at);
        int was = u.getAndAddIntAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static int getAndAddIntRelease(Unsafe u, Object o, long at, int x) {
        S s = Sync.lock(o, at);
        int was = u.getAndAddIntRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    public static int getAndBitwiseAndInt(Unsafe u, Object o, long at, int x) {
        S s = Sync.lock(o, at);
        int was = u.getAndBitwiseAndInt(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static int getAndBitwiseAndIntAcquire(Unsafe u, Object o, long at, int x) {
        S s = Sync.lock(o, at);
        int was = u.getAndBitwiseAndIntAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static int getAndBitwiseAndIntRelease(Unsafe u, Object o, long at, int x) {
        S s = Sync.lock(o, at);
        int was = u.getAndBitwiseAndIntRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    public static int getAndBitwiseOrInt(Unsafe u, Object o, long at, int x) {
        S s = Sync.lock(o, at);
        int was = u.getAndBitwiseOrInt(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static int getAndBitwiseOrIntAcquire(Unsafe u, Object o, long at, int x) {
        S s = Sync.lock(o, at);
        int was = u.getAndBitwiseOrIntAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static int getAndBitwiseOrIntRelease(Unsafe u, Object o, long at, int x) {
        S s = Sync.lock(o, at);
        int was = u.getAndBitwiseOrIntRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    public static int getAndBitwiseXorInt(Unsafe u, Object o, long at, int x) {
        S s = Sync.lock(o, at);
        int was = u.getAndBitwiseXorInt(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static int getAndBitwiseXorIntAcquire(Unsafe u, Object o, long at, int x) {
        S s = Sync.lock(o, at);
        int was = u.getAndBitwiseXorIntAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static int getAndBitwiseXorIntRelease(Unsafe u, Object o, long at, int x) {
        S s = Sync.lock(o, at);
        int was = u.getAndBitwiseXorIntRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    public static int getAndSetInt(Unsafe u, Object o, long at, int x) {
        S s = Sync.lock(o, at);
        int was = u.getAndSetInt(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static int getAndSetIntAcquire(Unsafe u, Object o, long at, int x) {
        S s = Sync.lock(o, at);
        int was = u.getAndSetIntAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static int getAndSetIntRelease(Unsafe u, Object o, long at, int x) {
        S s = Sync.lock(o, at);
        int was = u.getAndSetIntRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    // ---- Long ----

    public static long getLongAcquire(Unsafe u, Object o, long at) {
        T t = Sync.beginRead(o, at);
        long v = u.getLongAcquire(o, at);
        Sync.end(t);
        return v;
    }

    public static long getLongOpaque(Unsafe u, Object o, long at) {
        Atomics.opaque(o, at, Access.READ);
        return u.getLongOpaque(o, at);
    }

    public static long getLongVolatile(Unsafe u, Object o, long at) {
        T t = Sync.beginRead(o, at);
        long v = u.getLongVolatile(o, at);
        Sync.end(t);
        return v;
    }

    public static void putLongOpaque(Unsafe u, Object o, long at, long v) {
        Atomics.opaque(o, at, Access.WRITE);
        u.putLongOpaque(o, at, v);
    }

    public static void putLongRelease(Unsafe u, Object o, long at, long v) {
        T t = Sync.beginWrite(o, at);
        u.putLongRelease(o, at, v);
        Sync.end(t);
    }

    public static void putLongVolatile(Unsafe u, Object o, long at, long v) {
        T t = Sync.beginWrite(o, at);
        u.putLongVolatile(o, at, v);
        Sync.end(t);
    }

    public static boolean compareAndSetLong(Unsafe u, Object o, long at, long expected, long x) {
        S s = Sync.lock(o, at);
        boolean done = u.compareAndSetLong(o, at, expected, x);
        Sync.unlock(s, o, true, done);
        return done;
    }

    public static boolean weakCompareAndSetLong(Unsafe u, Object o, long at, long expected, long x) {
        S s = Sync.lock(o, at);
        boolean done = u.weakCompareAndSetLong(o, at, expected, x);
        Sync.unlock(s, o, true, done);
        return done;
    }

    public static boolean weakCompareAndSetLongAcquire(Unsafe u, Object o, long at, long expected, long x) {
        S s = Sync.lock(o, at);
        boolean done = u.weakCompareAndSetLongAcquire(o, at, expected, x);
        Sync.unlock(s, o, true, false, done);
        return done;
    }

    public static boolean weakCompareAndSetLongPlain(Unsafe u, Object o, long at, long expected, long x) {
        boolean done = u.weakCompareAndSetLongPlain(o, at, expected, x);
        Atomics.opaque(o, at, done ? Access.WRITE : Access.READ);
        return done;
    }

    public static boolean weakCompareAndSetLongRelease(Unsafe u, Object o, long at, long expected, long x) {
        S s = Sync.lock(o, at);
        boolean done = u.weakCompareAndSetLongRelease(o, at, expected, x);
        Sync.unlock(s, o, false, done);
        return done;
    }

    public static long compareAndExchangeLong(Unsafe u, Object o, long at, long expected, long x) {
        S s = Sync.lock(o, at);
        long was = u.compareAndExchangeLong(o, at, expected, x);
        Sync.unlock(s, o, true, was == expected);
        return was;
    }

    public static long compareAndExchangeLongAcquire(Unsafe u, Object o, long at, long expected, long x) {
        S s = Sync.lock(o, at);
        long was = u.compareAndExchangeLongAcquire(o, at, expected, x);
        Sync.unlock(s, o, true, false, was == expected);
        return was;
    }

    public static long compareAndExchangeLongRelease(Unsafe u, Object o, long at, long expected, long x) {
        S s = Sync.lock(o, at);
        long was = u.compareAndExchangeLongRelease(o, at, expected, x);
        Sync.unlock(s, o, false, was == expected);
        return was;
    }

    public static long getAndAddLong(Unsafe u, Object o, long at, long x) {
        S s = Sync.lock(o, at);
        long was = u.getAndAddLong(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static long getAndAddLongAcquire(Unsafe u, Object o, long at, long x) {
        S s = Sync.lock(o, at);
        long was = u.getAndAddLongAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static long getAndAddLongRelease(Unsafe u, Object o, long at, long x) {
        S s = Sync.lock(o, at);
        long was = u.getAndAddLongRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    public static long getAndBitwiseAndLong(Unsafe u, Object o, long at, long x) {
        S s = Sync.lock(o, at);
        long was = u.getAndBitwiseAndLong(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static long getAndBitwiseAndLongAcquire(Unsafe u, Object o, long at, long x) {
        S s = Sync.lock(o, at);
        long was = u.getAndBitwiseAndLongAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static long getAndBitwiseAndLongRelease(Unsafe u, Object o, long at, long x) {
        S s = Sync.lock(o, at);
        long was = u.getAndBitwiseAndLongRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    public static long getAndBitwiseOrLong(Unsafe u, Object o, long at, long x) {
        S s = Sync.lock(o, at);
        long was = u.getAndBitwiseOrLong(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static long getAndBitwiseOrLongAcquire(Unsafe u, Object o, long at, long x) {
        S s = Sync.lock(o, at);
        long was = u.getAndBitwiseOrLongAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static long getAndBitwiseOrLongRelease(Unsafe u, Object o, long at, long x) {
        S s = Sync.lock(o, at);
        long was = u.getAndBitwiseOrLongRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    public static long getAndBitwiseXorLong(Unsafe u, Object o, long at, long x) {
        S s = Sync.lock(o, at);
        long was = u.getAndBitwiseXorLong(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static long getAndBitwiseXorLongAcquire(Unsafe u, Object o, long at, long x) {
        S s = Sync.lock(o, at);
        long was = u.getAndBitwiseXorLongAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static long getAndBitwiseXorLongRelease(Unsafe u, Object o, long at, long x) {
        S s = Sync.lock(o, at);
        long was = u.getAndBitwiseXorLongRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    public static long getAndSetLong(Unsafe u, Object o, long at, long x) {
        S s = Sync.lock(o, at);
        long was = u.getAndSetLong(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static long getAndSetLongAcquire(Unsafe u, Object o, long at, long x) {
        S s = Sync.lock(o, at);
        long was = u.getAndSetLongAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static long getAndSetLongRelease(Unsafe u, Object o, long at, long x) {
        S s = Sync.lock(o, at);
        long was = u.getAndSetLongRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    // ---- Reference ----

    public static Object getReferenceAcquire(Unsafe u, Object o, long at) {
        T t = Sync.beginRead(o, at);
        Object v = u.getReferenceAcquire(o, at);
        Sync.end(t);
        return v;
    }

    public static Object getReferenceOpaque(Unsafe u, Object o, long at) {
        Atomics.opaque(o, at, Access.READ);
        return u.getReferenceOpaque(o, at);
    }

    public static Object getReferenceVolatile(Unsafe u, Object o, long at) {
        T t = Sync.beginRead(o, at);
        Object v = u.getReferenceVolatile(o, at);
        Sync.end(t);
        return v;
    }

    public static void putReferenceOpaque(Unsafe u, Object o, long at, Object v) {
        Atomics.opaque(o, at, Access.WRITE);
        u.putReferenceOpaque(o, at, v);
    }

    public static void putReferenceRelease(Unsafe u, Object o, long at, Object v) {
        T t = Sync.beginWrite(o, at);
        u.putReferenceRelease(o, at, v);
        Sync.end(t);
    }

    public static void putReferenceVolatile(Unsafe u, Object o, long at, Object v) {
        T t = Sync.beginWrite(o, at);
        u.putReferenceVolatile(o, at, v);
        Sync.end(t);
    }

    public static boolean compareAndSetReference(Unsafe u, Object o, long at, Object expected, Object x) {
        S s = Sync.lock(o, at);
        boolean done = u.compareAndSetReference(o, at, expected, x);
        Sync.unlock(s, o, true, done);
        return done;
    }

    public static boolean weakCompareAndSetReference(Unsafe u, Object o, long at, Object expected, Object x) {
        S s = Sync.lock(o, at);
        boolean done = u.weakCompareAndSetReference(o, at, expected, x);
        Sync.unlock(s, o, true, done);
        return done;
    }

    public static boolean weakCompareAndSetReferenceAcquire(Unsafe u, Object o, long at, Object expected, Object x) {
        S s = Sync.lock(o, at);
        boolean done = u.weakCompareAndSetReferenceAcquire(o, at, expected, x);
        Sync.unlock(s, o, true, false, done);
        return done;
    }

    public static boolean weakCompareAndSetReferencePlain(Unsafe u, Object o, long at, Object expected, Object x) {
        boolean done = u.weakCompareAndSetReferencePlain(o, at, expected, x);
        Atomics.opaque(o, at, done ? Access.WRITE : Access.READ);
        return done;
    }

    public static boolean weakCompareAndSetReferenceRelease(Unsafe u, Object o, long at, Object expected, Object x) {
        S s = Sync.lock(o, at);
        boolean done = u.weakCompareAndSetReferenceRelease(o, at, expected, x);
        Sync.unlock(s, o, false, done);
        return done;
    }

    public static Object compareAndExchangeReference(Unsafe u, Object o, long at, Object expected, Object x) {
        S s = Sync.lock(o, at);
        Object was = u.compareAndExchangeReference(o, at, expected, x);
        Sync.unlock(s, o, true, was == expected);
        return was;
    }

    public static Object compareAndExchangeReferenceAcquire(Unsafe u, Object o, long at, Object expected, Object x) {
        S s = Sync.lock(o, at);
        Object was = u.compareAndExchangeReferenceAcquire(o, at, expected, x);
        Sync.unlock(s, o, true, false, was == expected);
        return was;
    }

    public static Object compareAndExchangeReferenceRelease(Unsafe u, Object o, long at, Object expected, Object x) {
        S s = Sync.lock(o, at);
        Object was = u.compareAndExchangeReferenceRelease(o, at, expected, x);
        Sync.unlock(s, o, false, was == expected);
        return was;
    }

    public static Object getAndSetReference(Unsafe u, Object o, long at, Object x) {
        S s = Sync.lock(o, at);
        Object was = u.getAndSetReference(o, at, x);
        Sync.unlock(s, o, true, true, true);
        return was;
    }

    public static Object getAndSetReferenceAcquire(Unsafe u, Object o, long at, Object x) {
        S s = Sync.lock(o, at);
        Object was = u.getAndSetReferenceAcquire(o, at, x);
        Sync.unlock(s, o, true, false, true);
        return was;
    }

    public static Object getAndSetReferenceRelease(Unsafe u, Object o, long at, Object x) {
        S s = Sync.lock(o, at);
        Object was = u.getAndSetReferenceRelease(o, at, x);
        Sync.unlock(s, o, false, true, true);
        return was;
    }

    // ---- Object ----

    public static Object getObjectAcquire(Unsafe u, Object o, long at) {
        return getReferenceAcquire(u, o, at);
    }

    public static Object getObjectOpaque(Unsafe u, Object o, long at) {
        return getReferenceOpaque(u, o, at);
    }

    public static Object getObjectVolatile(Unsafe u, Object o, long at) {
        return getReferenceVolatile(u, o, at);
    }

    public static void putObjectOpaque(Unsafe u, Object o, long at, Object v) {
        putReferenceOpaque(u, o, at, v);
    }

    public static void putObjectRelease(Unsafe u, Object o, long at, Object v) {
        putReferenceRelease(u, o, at, v);
    }

    public static void putObjectVolatile(Unsafe u, Object o, long at, Object v) {
        putReferenceVolatile(u, o, at, v);
    }

    public static boolean compareAndSetObject(Unsafe u, Object o, long at, Object expected, Object x) {
        return compareAndSetReference(u, o, at, expected, x);
    }

    public static boolean weakCompareAndSetObject(Unsafe u, Object o, long at, Object expected, Object x) {
        return weakCompareAndSetReference(u, o, at, expected, x);
    }

    public static boolean weakCompareAndSetObjectAcquire(Unsafe u, Object o, long at, Object expected, Object x) {
        return weakCompareAndSetReferenceAcquire(u, o, at, expected, x);
    }

    public static boolean weakCompareAndSetObjectPlain(Unsafe u, Object o, long at, Object expected, Object x) {
        return weakCompareAndSetReferencePlain(u, o, at, expected, x);
    }

    public static boolean weakCompareAndSetObjectRelease(Unsafe u, Object o, long at, Object expected, Object x) {
        return weakCompareAndSetReferenceRelease(u, o, at, expected, x);
    }

    public static Object compareAndExchangeObject(Unsafe u, Object o, long at, Object expected, Object x) {
        return compareAndExchangeReference(u, o, at, expected, x);
    }

    public static Object compareAndExchangeObjectAcquire(Unsafe u, Object o, long at, Object expected, Object x) {
        return compareAndExchangeReferenceAcquire(u, o, at, expected, x);
    }

    public static Object compareAndExchangeObjectRelease(Unsafe u, Object o, long at, Object expected, Object x) {
        return compareAndExchangeReferenceRelease(u, o, at, expected, x);
    }

    public static Object getAndSetObject(Unsafe u, Object o, long at, Object x) {
        return getAndSetReference(u, o, at, x);
    }

    public static Object getAndSetObjectAcquire(Unsafe u, Object o, long at, Object x) {
        return getAndSetReferenceAcquire(u, o, at, x);
    }

    public static Object getAndSetObjectRelease(Unsafe u, Object o, long at, Object x) {
        return getAndSetReferenceRelease(u, o, at, x);
    }
}
