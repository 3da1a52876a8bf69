// SPDX-License-Identifier: Apache-2.0
package kernels;

/** Runs one kernel: {@code java kernels.Bench NAME THREADS [SIZE | reduced]}. Prints `NAME threads=N size=N ms=N`. */
final class Bench {
    interface Maker {
        Kernel make(int threads, int size);
    }

    private static final class Entry {
        final String name;
        final int size;
        final int reduced; // for detectors that take long: seconds under vector clocks
        final Maker maker;

        Entry(String name, int size, int reduced, Maker maker) {
            this.name = name;
            this.size = size;
            this.reduced = reduced;
            this.maker = maker;
        }
    }

    private static final Entry[] KERNELS = {
        new Entry("multiset", Multiset.SIZE, Multiset.REDUCED, Multiset::new),
        new Entry("sharedspot", Spots.SIZE, Spots.REDUCED, Spots::shared),
        new Entry("localspot", Spots.SIZE, Spots.REDUCED, Spots::local),
        new Entry("moldyn", Moldyn.SIZE, Moldyn.REDUCED, Moldyn::new),
        new Entry("raytracer", Raytracer.SIZE, Raytracer.REDUCED, Raytracer::new),
        new Entry("montecarlo", Montecarlo.SIZE, Montecarlo.REDUCED, Montecarlo::new),
        new Entry("sor", Sor.SIZE, Sor.REDUCED, Sor::new),
        new Entry("crypt", Crypt.SIZE, Crypt.REDUCED, Crypt::new),
        new Entry("lufact", Lufact.SIZE, Lufact.REDUCED, Lufact::new),
        new Entry("fft", Fft.SIZE, Fft.REDUCED, Fft::new),
        new Entry("lu", Lu.SIZE, Lu.REDUCED, Lu::new),
        new Entry("sparse", Sparse.SIZE, Sparse.REDUCED, Sparse::new),
        new Entry("gaussseidel", GaussSeidel.SIZE, GaussSeidel.REDUCED, GaussSeidel::new),
        new Entry("pi", Pi.SIZE, Pi.REDUCED, Pi::new),
        new Entry("solids", Solids.SIZE, Solids.REDUCED, Solids::new),
    };

    private Bench() {}

    private static Throwable failure;

    private static synchronized void failed(Throwable why) {
        failure = why;
    }

    public static void main(String[] args) throws Exception {
        if (args.length == 1 && args[0].equals("--list")) {
            for (Entry entry : KERNELS)
                System.out.println(entry.name);
            return;
        }
        for (Entry entry : KERNELS)
            if (args.length >= 2 && args[0].equals(entry.name)) {
                run(entry, Integer.parseInt(args[1]), args.length == 2 ? entry.size : args[2].equals("reduced") ? entry.reduced
                        : Integer.parseInt(args[2]));
                return;
            }
        System.err.println("usage: java kernels.Bench NAME THREADS [SIZE | reduced], or --list");
        System.exit(2);
    }

    private static void run(Entry entry, int count, int size) throws InterruptedException {
        Kernel kernel = entry.maker.make(count, size);
        Thread[] threads = new Thread[count];
        for (int i = 0; i < count; i++) {
            int id = i;
            threads[i] = new Thread(() -> {
                try {
                    kernel.run(id);
                } catch (Throwable e) {
                    failed(e);
                }
            });
        }
        long start = System.nanoTime();
        for (Thread thread : threads)
            thread.start();
        for (Thread thread : threads)
            thread.join();
        long nanoseconds = System.nanoTime() - start;
        synchronized (Bench.class) {
            if (failure != null)
                throw new IllegalStateException(entry.name + " failed", failure);
        }
        kernel.check();
        System.out.println(entry.name + " threads=" + count + " size=" + size + " ms=" + (nanoseconds + 500_000) / 1_000_000);
    }
}
