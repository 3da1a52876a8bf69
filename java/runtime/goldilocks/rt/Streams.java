// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import java.util.Arrays;
import java.util.Spliterator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * What application code calls in place of the methods of java.util.Arrays that make streams and spliterators, and of() of the streams: an
 * element is read when it is traversed, by the thread that does ({@link Elements}). What Arrays would refuse is left to it.
 */
public final class Streams {
    /** False: this JVM could not define Elements; the elements are not checked. */
    private static final boolean WATCHES = R.defineElements();

    private Streams() {}

    private static boolean isRefused(int length, int from, int to) {
        return from < 0 || from > to || to > length;
    }

    // ---- Object[] ----

    public static <E> Spliterator<E> spliterator(E[] a, int site) {
        return !WATCHES || a == null ? Arrays.spliterator(a) : new Elements.Objects<>(a, 0, a.length, site);
    }

    public static <E> Spliterator<E> spliterator(E[] a, int from, int to, int site) {
        return !WATCHES || a == null || isRefused(a.length, from, to) ? Arrays.spliterator(a, from, to)
                : new Elements.Objects<>(a, from, to, site);
    }

    public static <E> Stream<E> stream(E[] a, int site) {
        return a == null ? Arrays.stream(a) : StreamSupport.stream(spliterator(a, 0, a.length, site), false);
    }

    public static <E> Stream<E> stream(E[] a, int from, int to, int site) {
        return StreamSupport.stream(spliterator(a, from, to, site), false);
    }

    // ---- int[] ----

    public static Spliterator.OfInt spliterator(int[] a, int site) {
        return !WATCHES || a == null ? Arrays.spliterator(a) : new Elements.Ints(a, 0, a.length, site);
    }

    public static Spliterator.OfInt spliterator(int[] a, int from, int to, int site) {
        return !WATCHES || a == null || isRefused(a.length, from, to) ? Arrays.spliterator(a, from, to)
                : new Elements.Ints(a, from, to, site);
    }

    public static IntStream stream(int[] a, int site) {
        return a == null ? Arrays.stream(a) : StreamSupport.intStream(spliterator(a, 0, a.length, site), false);
    }

    public static IntStream stream(int[] a, int from, int to, int site) {
        return StreamSupport.intStream(spliterator(a, from, to, site), false);
    }

    // ---- long[] ----

    public static Spliterator.OfLong spliterator(long[] a, int site) {
        return !WATCHES || a == null ? Arrays.spliterator(a) : new Elements.Longs(a, 0, a.length, site);
    }

    public static Spliterator.OfLong spliterator(long[] a, int from, int to, int site) {
        return !WATCHES || a == null || isRefused(a.length, from, to) ? Arrays.spliterator(a, from, to)
                : new Elements.Longs(a, from, to, site);
    }

    public static LongStream stream(long[] a, int site) {
        return a == null ? Arrays.stream(a) : StreamSupport.longStream(spliterator(a, 0, a.length, site), false);
    }

    public static LongStream stream(long[] a, int from, int to, int site) {
        return StreamSupport.longStream(spliterator(a, from, to, site), false);
    }

    // ---- double[] ----

    public static Spliterator.OfDouble spliterator(double[] a, int site) {
        return !WATCHES || a == null ? Arrays.spliterator(a) : new Elements.Doubles(a, 0, a.length, site);
    }

    public static Spliterator.OfDouble spliterator(double[] a, int from, int to, int site) {
        return !WATCHES || a == null || isRefused(a.length, from, to) ? Arrays.spliterator(a, from, to)
                : new Elements.Doubles(a, from, to, site);
    }

    public static DoubleStream stream(double[] a, int site) {
        return a == null ? Arrays.stream(a) : StreamSupport.doubleStream(spliterator(a, 0, a.length, site), false);
    }

    public static DoubleStream stream(double[] a, int from, int to, int site) {
        return StreamSupport.doubleStream(spliterator(a, from, to, site), false);
    }
}
