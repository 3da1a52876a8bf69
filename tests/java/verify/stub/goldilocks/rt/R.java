// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

/** Stands in for the runtime where rewritten classes are only to be verified, or run with nothing behind them. */
public final class R {
    private R() {}

    public static T thread() { return null; }
    public static boolean readHit(long w, T t) { return false; }
    public static boolean writeHit(long w, T t) { return false; }
    public static void read(Object o, T t, int site) {}
    public static void write(Object o, T t, int site) {}
    public static void fresh(Object o, T t, int site) {}
    public static void firstRead(Object o, T t, int site) {}
    public static void firstWrite(Object o, T t, int site) {}
    public static void sread(int site) {}
    public static void swrite(int site) {}
    public static void post(T t) {}
    public static void entering(Object o) {}
    public static void enter() {}
    public static void exit(Object o) {}
    public static void enterSync(Object o) {}
    public static void enterLoader(Object o) {}
    public static void exitSync() {}
    public static void ours(String name) {}

    public static Class<?> found(Throwable t) {
        throw R.<RuntimeException>any(t);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> T any(Throwable t) throws T {
        throw (T) t;
    }

    public static void clinitBegins(int id) {}
    public static void clinitOnly(int id) {}
    public static void made(T t, int site) {}
    public static void clinitDone(int id) {}
    public static void classUse(T t, int id) {}
    public static void at(int site) {}
    public static void atDone() {}
    public static void cloning(Object o, int site) {}
    public static void cloned(Object o) {}
    public static void two(Object o, Object p, int site) {}
    public static void number(int n) {}
    public static void areadB(Object a, int i, T t, int site) {}
    public static void awriteB(Object a, int i, T t, int site) {}
    public static void aread(int[] a, int i, T t, int site) {}
    public static void awrite(int[] a, int i, T t, int site) {}
    public static void aread(long[] a, int i, T t, int site) {}
    public static void awrite(long[] a, int i, T t, int site) {}
    public static void aread(float[] a, int i, T t, int site) {}
    public static void awrite(float[] a, int i, T t, int site) {}
    public static void aread(double[] a, int i, T t, int site) {}
    public static void awrite(double[] a, int i, T t, int site) {}
    public static void aread(Object[] a, int i, T t, int site) {}
    public static void awrite(Object[] a, int i, Object x, T t, int site) {}
    public static void aread(char[] a, int i, T t, int site) {}
    public static void awrite(char[] a, int i, T t, int site) {}
    public static void aread(short[] a, int i, T t, int site) {}
    public static void awrite(short[] a, int i, T t, int site) {}
    public static long[] shadow(Object o, T t) { return null; }
    public static void aread(int[] a, int i, long[] shadow, T t, int site) {}
    public static void awrite(int[] a, int i, long[] shadow, T t, int site) {}
    public static void aread(long[] a, int i, long[] shadow, T t, int site) {}
    public static void awrite(long[] a, int i, long[] shadow, T t, int site) {}
    public static void aread(float[] a, int i, long[] shadow, T t, int site) {}
    public static void awrite(float[] a, int i, long[] shadow, T t, int site) {}
    public static void aread(double[] a, int i, long[] shadow, T t, int site) {}
    public static void awrite(double[] a, int i, long[] shadow, T t, int site) {}
    public static void aread(Object[] a, int i, long[] shadow, T t, int site) {}
    public static void awrite(Object[] a, int i, Object x, long[] shadow, T t, int site) {}
    public static void aread(char[] a, int i, long[] shadow, T t, int site) {}
    public static void awrite(char[] a, int i, long[] shadow, T t, int site) {}
    public static void aread(short[] a, int i, long[] shadow, T t, int site) {}
    public static void awrite(short[] a, int i, long[] shadow, T t, int site) {}
    public static void areadB(Object a, int i, long[] shadow, T t, int site) {}
    public static void awriteB(Object a, int i, long[] shadow, T t, int site) {}
    public static void areadInner(int[] a, int i, long[] shadow, T t, int site) {}
    public static void awriteInner(int[] a, int i, long[] shadow, T t, int site) {}
    public static void areadInner(long[] a, int i, long[] shadow, T t, int site) {}
    public static void awriteInner(long[] a, int i, long[] shadow, T t, int site) {}
    public static void areadInner(float[] a, int i, long[] shadow, T t, int site) {}
    public static void awriteInner(float[] a, int i, long[] shadow, T t, int site) {}
    public static void areadInner(double[] a, int i, long[] shadow, T t, int site) {}
    public static void awriteInner(double[] a, int i, long[] shadow, T t, int site) {}
    public static void areadInner(Object[] a, int i, long[] shadow, T t, int site) {}
    public static void awriteInner(Object[] a, int i, Object x, long[] shadow, T t, int site) {}
    public static void await(Object o) throws InterruptedException { o.wait(); }
    public static void await(Object o, long millis) throws InterruptedException { o.wait(millis); }
    public static void await(Object o, long millis, int nanos) throws InterruptedException { o.wait(millis, nanos); }
    public static void arraycopy(Object from, int fromAt, Object to, int toAt, int n, int site) {
        System.arraycopy(from, fromAt, to, toAt, n);
    }
}
