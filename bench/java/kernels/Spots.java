// SPDX-License-Identifier: Apache-2.0
package kernels;

/**
 * Micro-benchmarks of the 2006 report. SharedSpot: integers, each protected by a lock of its own, on which all
 * threads do arithmetic. LocalSpot: the same, but each integer is used by one thread only. The size is the number of
 * operations of all threads together.
 */
final class Spots extends Kernel {
    static final int SIZE = 2_000_000;
    static final int REDUCED = 500_000;
    private static final int SPOTS = 256;

    private static final class Spot {
        int sum;
        int operations;
    }

    private final boolean local;
    private final Spot[] spots;
    private final int[] added;

    private Spots(int threads, int size, boolean local) {
        super(threads, size);
        this.local = local;
        spots = new Spot[Math.max(SPOTS, threads)];
        for (int i = 0; i < spots.length; i++)
            spots[i] = new Spot();
        added = new int[threads];
    }

    static Kernel shared(int threads, int size) {
        return new Spots(threads, size, false);
    }

    static Kernel local(int threads, int size) {
        return new Spots(threads, size, true);
    }

    @Override
    void run(int id) {
        Lcg random = new Lcg(id + 1);
        int from = local ? first(spots.length, id) : 0;
        int count = local ? first(spots.length, id + 1) - from : spots.length;
        int sum = 0;
        for (int i = first(size, id); i < first(size, id + 1); i++) {
            int value = random.next(1000);
            Spot spot = spots[from + random.next(count)];
            synchronized (spot) {
                spot.sum += value;
                spot.operations++;
            }
            sum += value;
        }
        added[id] = sum;
    }

    @Override
    void check() {
        int sum = 0;
        int operations = 0;
        for (Spot spot : spots) {
            sum += spot.sum;
            operations += spot.operations;
        }
        for (int one : added)
            sum -= one;
        expect(sum == 0 && operations == size, "operations were lost");
    }
}
