// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import java.lang.reflect.Method;
import java.util.BitSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Four threads at once, on variables of which it is known whether they race: every racy one must be told, no other. Then many threads that
 * live at once.
 */
final class StressTest {
    private StressTest() {}

    static final int THREADS = 4, N = 2000, ROUNDS = 5;

    public static void main(String[] args) throws Exception {
        Data.register();
        Thread reaper = new Thread(R::reap, "reaper");
        reaper.setDaemon(true);
        reaper.start();
        for (int i = 0; i < ROUNDS; i++) {
            contend(i);
        }
        again();
        if (Runtime.version().feature() >= 21) {
            many(args.length > 0 ? Integer.parseInt(args[0]) : 10_000, true);
        }
        many(2_000, false);
        System.out.println(Host.failed == 0 ? "StressTest: passed" : "StressTest: failed");
        System.exit(Host.failed == 0 ? 0 : 1);
    }

    /** Nothing that the detector sees. */
    private static void barrier(int phase) {
        ARRIVED.incrementAndGet();
        while (ARRIVED.get() < phase * THREADS) {
            Thread.onSpinWait();
        }
    }

    private static final AtomicInteger ARRIVED = new AtomicInteger();

    /**
     * First, without synchronization, element i of `racy` and a field are written by two threads each: a race each, and no more. Bytes of one
     * word are written by their own threads, `read` is read by all: no race. Then `guarded` under a monitor, and `handed` by one thread
     * after the other: no race.
     */
    private static void contend(int round) throws InterruptedException {
        int[] racy = new int[N];
        int[] guarded = new int[N];
        long[] handed = new long[N];
        Object[] read = new Object[N];
        byte[] bytes = new byte[THREADS * N];
        Data[] fields = new Data[N];
        Data monitor = new Data();
        Data[] baton = new Data[THREADS + 1];
        for (int i = 0; i < N; i++) {
            R.awrite(read, i, null, R.thread(), 1);
            fields[i] = new Data();
        }
        for (int i = 0; i < baton.length; i++) {
            baton[i] = new Data();
        }
        baton[0].setV(1, Data.V);
        Thread[] threads = new Thread[THREADS];
        ARRIVED.set(0);
        for (int k = 0; k < THREADS; k++) {
            int me = k;
            threads[k] = new Thread(() -> {
                barrier(1);
                for (int i = 0; i < N; i++) {
                    R.aread(read, i, R.thread(), 2);
                    if (i % THREADS == me || (i + 1) % THREADS == me) {
                        R.awrite(racy, i, R.thread(), 3);
                        fields[i].setA(i, Data.A);
                    }
                    R.awriteB(bytes, THREADS * i + me, R.thread(), 6);
                    fields[i].getB(Data.B);
                }
                barrier(2);
                for (int i = 0; i < N; i++) {
                    int x = i;
                    monitor.locked(() -> {
                        R.aread(guarded, x, R.thread(), 4);
                        R.awrite(guarded, x, R.thread(), 5);
                    });
                    monitor.setV(i, Data.V);
                    monitor.getV(Data.V);
                }
                while (baton[me].getV(Data.V) == 0) {
                    Thread.onSpinWait();
                }
                for (int i = 0; i < N; i++) {
                    R.aread(handed, i, R.thread(), 7);
                    R.awrite(handed, i, R.thread(), 8);
                }
                baton[me + 1].setV(1, Data.V);
            }, "stress" + k);
        }
        for (int k = 0; k < THREADS; k++) {
            R.fork(threads[k]);
            threads[k].start();
        }
        for (int k = 0; k < THREADS; k++) {
            threads[k].join();
            R.joined(threads[k]);
        }
        R.awriteRange(racy, 0, N, 9); // ordered after all
        int[] told = Host.take();
        BitSet elements = new BitSet();
        int inFields = 0;
        for (int i = 0; i < told.length; i += 8) {
            if (told[i] == 3) {
                Host.check(!elements.get(told[i + 2]), "one race for an element");
                elements.set(told[i + 2]);
            } else if (told[i] == Data.A) {
                inFields++;
            } else {
                Host.check(false, "a false race at site " + told[i] + " with " + told[i + 1]);
            }
        }
        Host.check(elements.cardinality() == N, "round " + round + ": " + elements.cardinality() + " of " + N + " elements");
        Host.check(inFields == N, "round " + round + ": " + inFields + " of " + N + " fields");
    }

    /**
     * Each thread accesses its elements in one segment after the other, as loops do; another one reads each of them once meanwhile. Whatever comes when, each
     * element is told.
     */
    private static void again() throws InterruptedException {
        long[] own = new long[N];
        Thread[] threads = new Thread[THREADS];
        ARRIVED.set(0);
        for (int k = 0; k < THREADS; k++) {
            int me = k, next = (k + 1) % THREADS;
            threads[k] = new Thread(() -> {
                Data monitor = new Data(); // nobody else's
                T t = R.thread();
                long[] kept = R.shadow(own, t), others = me == 0 ? null : kept;
                barrier(1);
                for (int pass = 0; pass < 2 * THREADS; pass++) {
                    for (int i = me; i < N; i += THREADS) {
                        if (pass % 2 == 1) {
                            R.areadInner(own, i, kept, R.thread(), 91 + pass % 3);
                        }
                        R.awriteInner(own, i, kept, R.thread(), 91 + pass % 3);
                    }
                    for (int i = next + pass * THREADS; i < N; i += 2 * THREADS * THREADS) {
                        R.areadInner(own, i, others, R.thread(), 94);
                    }
                    monitor.locked(() -> { });
                }
            }, "again" + k);
        }
        for (Thread thread : threads) {
            R.fork(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
            R.joined(thread);
        }
        int[] told = Host.take();
        BitSet elements = new BitSet();
        for (int i = 0; i < told.length; i += 8) {
            Host.check(told[i] == 94 != (told[i + 1] == 94), "a false race of sites " + told[i] + " and " + told[i + 1]);
            elements.set(told[i + 2]);
        }
        Host.check(elements.cardinality() == N, "accesses of one's own: " + elements.cardinality() + " of " + N + " elements");
    }

    /** So many threads alive at once, each with an access of its own and one under a monitor that all share. */
    private static void many(int n, boolean virtual) throws Exception {
        long began = System.nanoTime();
        Data[] data = new Data[n];
        Data monitor = new Data(), count = new Data();
        Thread[] threads = new Thread[n];
        CountDownLatch all = new CountDownLatch(n);
        Object builder = virtual ? Thread.class.getMethod("ofVirtual").invoke(null) : null;
        Method unstarted = virtual ? Class.forName("java.lang.Thread$Builder").getMethod("unstarted", Runnable.class) : null;
        for (int i = 0; i < n; i++) {
            int me = i;
            data[i] = new Data();
            data[i].setA(1, Data.A);
            Runnable body = () -> {
                data[me].setA(2, Data.A + 1);
                monitor.locked(() -> count.setA(count.getA(Data.A + 2) + 1, Data.A + 3));
                all.countDown();
                try {
                    all.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                data[me].getA(Data.A + 4);
                if (virtual) {
                    Host.ended(); // the event of JVMTI is for platform threads
                }
            };
            threads[i] = virtual ? (Thread) unstarted.invoke(builder, body) : new Thread(null, body, "many" + i, 128 << 10);
            R.fork(threads[i]);
            threads[i].start();
        }
        for (int i = 0; i < n; i++) {
            threads[i].join();
            R.joined(threads[i]);
            data[i].setA(3, Data.A + 5);
        }
        Host.check(count.a == n, "all ran");
        Host.none("many threads");
        System.out.println(n + (virtual ? " virtual" : " platform") + " threads alive at once: " + (System.nanoTime() - began) / 1000000
                + " ms");
    }
}
