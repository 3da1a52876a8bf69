// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

/** Stands in for the runtime where rewritten classes are only to be verified, or run with nothing behind them. */
public final class R {
    private R() {}

    public static boolean readHit(long w) { return false; }
    public static boolean writeHit(long w) { return false; }
    public static void read(Object o, int site) {}
    public static void write(Object o, int site) {}
    public static void firstRead(Object o, int site) {}
    public static void firstWrite(Object o, int site) {}
    public static void sread(int site) {}
    public static void swrite(int site) {}
    public static void post() {}
    public static void entering(Object o) {}
    public static void enter(Object o) {}
    public static void exit(Object o) {}
    public static void enterSync(Object o) {}
    public static void exitSync() {}
    public static void clinitDone(int id) {}
    public static void classUse(int id) {}
    public static void at(int site) {}
    public static void atDone() {}
    public static void cloning(Object o, int site) {}
    public static void cloned(Object o) {}
    public static void two(Object o, Object p, int site) {}
    public static void number(int n) {}
    public static void areadB(Object a, int i, int site) {}
    public static void awriteB(Object a, int i, int site) {}
    public static void aread(int[] a, int i, int site) {}
    public static void awrite(int[] a, int i, int site) {}
    public static void aread(long[] a, int i, int site) {}
    public static void awrite(long[] a, int i, int site) {}
    public static void aread(float[] a, int i, int site) {}
    public static void awrite(float[] a, int i, int site) {}
    public static void aread(double[] a, int i, int site) {}
    public static void awrite(double[] a, int i, int site) {}
    public static void aread(Object[] a, int i, int site) {}
    public static void awrite(Object[] a, int i, int site) {}
    public static void aread(char[] a, int i, int site) {}
    public static void awrite(char[] a, int i, int site) {}
    public static void aread(short[] a, int i, int site) {}
    public static void awrite(short[] a, int i, int site) {}
    public static Object aread(int[] a, int i, Object shadow, int site) { return shadow; }
    public static Object awrite(int[] a, int i, Object shadow, int site) { return shadow; }
    public static Object aread(long[] a, int i, Object shadow, int site) { return shadow; }
    public static Object awrite(long[] a, int i, Object shadow, int site) { return shadow; }
    public static Object aread(float[] a, int i, Object shadow, int site) { return shadow; }
    public static Object awrite(float[] a, int i, Object shadow, int site) { return shadow; }
    public static Object aread(double[] a, int i, Object shadow, int site) { return shadow; }
    public static Object awrite(double[] a, int i, Object shadow, int site) { return shadow; }
    public static Object aread(Object[] a, int i, Object shadow, int site) { return shadow; }
    public static Object awrite(Object[] a, int i, Object shadow, int site) { return shadow; }
    public static Object aread(char[] a, int i, Object shadow, int site) { return shadow; }
    public static Object awrite(char[] a, int i, Object shadow, int site) { return shadow; }
    public static Object aread(short[] a, int i, Object shadow, int site) { return shadow; }
    public static Object awrite(short[] a, int i, Object shadow, int site) { return shadow; }
    public static Object areadB(Object a, int i, Object shadow, int site) { return shadow; }
    public static Object awriteB(Object a, int i, Object shadow, int site) { return shadow; }
    public static void await(Object o) throws InterruptedException { o.wait(); }
    public static void await(Object o, long millis) throws InterruptedException { o.wait(millis); }
    public static void await(Object o, long millis, int nanos) throws InterruptedException { o.wait(millis, nanos); }
    public static void arraycopy(Object from, int fromAt, Object to, int toAt, int n, int site) {
        System.arraycopy(from, fromAt, to, toAt, n);
    }
}
