// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;

/**
 * Spliterators of arrays, as the JDK makes them, that read each element right before they hand it to the action. Defined when
 * {@link Streams} is first used: their interfaces are not loaded for nothing.
 */
abstract class Elements {
    int at; // the next one
    final int to;
    final int site;

    Elements(int from, int to, int site) {
        at = from;
        this.to = to;
        this.site = site;
    }

    /** Where the second half of what is left begins; at: it cannot be halved. */
    final int middle() {
        return (at + to) >>> 1;
    }

    public final long estimateSize() {
        return to - at;
    }

    public final int characteristics() {
        return Spliterator.ORDERED | Spliterator.IMMUTABLE | Spliterator.SIZED | Spliterator.SUBSIZED;
    }

    static final class Objects<E> extends Elements implements Spliterator<E> {
        private final E[] array;

        Objects(E[] array, int from, int to, int site) {
            super(from, to, site);
            this.array = array;
        }

        @Override
        public Spliterator<E> trySplit() {
            int from = at, middle = middle();
            if (from >= middle) {
                return null;
            }
            at = middle;
            return new Objects<>(array, from, middle, site);
        }

        @Override
        public boolean tryAdvance(Consumer<? super E> action) {
            if (action == null) {
                throw new NullPointerException();
            }
            if (at >= to) {
                return false;
            }
            R.aread(array, at, R.thread(), site);
            action.accept(array[at++]);
            return true;
        }

        @Override
        public void forEachRemaining(Consumer<? super E> action) {
            if (action == null) {
                throw new NullPointerException();
            }
            T t = R.thread();
            int from = at, end = at = to;
            for (int i = from; i < end; i++) {
                R.aread(array, i, t, site);
                action.accept(array[i]);
            }
        }
    }

    static final class Ints extends Elements implements Spliterator.OfInt {
        private final int[] array;

        Ints(int[] array, int from, int to, int site) {
            super(from, to, site);
            this.array = array;
        }

        @Override
        public Spliterator.OfInt trySplit() {
            int from = at, middle = middle();
            if (from >= middle) {
                return null;
            }
            at = middle;
            return new Ints(array, from, middle, site);
        }

        @Override
        public boolean tryAdvance(IntConsumer action) {
            if (action == null) {
                throw new NullPointerException();
            }
            if (at >= to) {
                return false;
            }
            R.aread(array, at, R.thread(), site);
            action.accept(array[at++]);
            return true;
        }

        @Override
        public void forEachRemaining(IntConsumer action) {
            if (action == null) {
                throw new NullPointerException();
            }
            T t = R.thread();
            int from = at, end = at = to;
            for (int i = from; i < end; i++) {
                R.aread(array, i, t, site);
                action.accept(array[i]);
            }
        }
    }

    static final class Longs extends Elements implements Spliterator.OfLong {
        private final long[] array;

        Longs(long[] array, int from, int to, int site) {
            super(from, to, site);
            this.array = array;
        }

        @Override
        public Spliterator.OfLong trySplit() {
            int from = at, middle = middle();
            if (from >= middle) {
                return null;
            }
            at = middle;
            return new Longs(array, from, middle, site);
        }

        @Override
        public boolean tryAdvance(LongConsumer action) {
            if (action == null) {
                throw new NullPointerException();
            }
            if (at >= to) {
                return false;
            }
            R.aread(array, at, R.thread(), site);
            action.accept(array[at++]);
            return true;
        }

        @Override
        public void forEachRemaining(LongConsumer action) {
            if (action == null) {
                throw new NullPointerException();
            }
            T t = R.thread();
            int from = at, end = at = to;
            for (int i = from; i < end; i++) {
                R.aread(array, i, t, site);
                action.accept(array[i]);
            }
        }
    }

    static final class Doubles extends Elements implements Spliterator.OfDouble {
        private final double[] array;

        Doubles(double[] array, int from, int to, int site) {
            super(from, to, site);
            this.array = array;
        }

        @Override
        public Spliterator.OfDouble trySplit() {
            int from = at, middle = middle();
            if (from >= middle) {
                return null;
            }
            at = middle;
            return new Doubles(array, from, middle, site);
        }

        @Override
        public boolean tryAdvance(DoubleConsumer action) {
            if (action == null) {
                throw new NullPointerException();
            }
            if (at >= to) {
                return false;
            }
            R.aread(array, at, R.thread(), site);
            action.accept(array[at++]);
            return true;
        }

        @Override
        public void forEachRemaining(DoubleConsumer action) {
            if (action == null) {
                throw new NullPointerException();
            }
            T t = R.thread();
            int from = at, end = at = to;
            for (int i = from; i < end; i++) {
                R.aread(array, i, t, site);
                action.accept(array[i]);
            }
        }
    }
}
