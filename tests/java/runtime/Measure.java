// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * What an access costs, in nanoseconds, by the way it takes. The least of several rounds; the loop without a probe is taken off. The thread
 * is found through a table here, and in one load under the agent: hits are a little faster there.
 */
final class Measure {
    private Measure() {}

    private static final int N = 1 << 20, ROUNDS = 15;
    private static volatile int sink;

    interface Loop {
        int run();
    }

    private static double least(Loop loop, Loop before) {
        double least = 1e9;
        for (int i = 0; i < ROUNDS; i++) {
            if (before != null) {
                before.run();
            }
            long t = now();
            sink += loop.run();
            least = Math.min(least, (now() - t) / (double) N);
        }
        return least;
    }

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Of this thread alone: other processes do not count. */
    private static long now() {
        return THREADS.getCurrentThreadCpuTime();
    }

    private static void say(String what, double ns) {
        System.out.printf("%-52s %7.2f ns%n", what, ns);
    }

    private static final Data ONE = new Data();
    private static final Data[] MANY = new Data[1024];

    private static int nothing() {
        int x = 0;
        for (int i = 0; i < N; i++) {
            x += MANY[i & 1023].a;
        }
        return x;
    }

    private static int reads() {
        int x = 0;
        for (int i = 0; i < N; i++) {
            x += MANY[i & 1023].getA(Data.A);
        }
        return x;
    }

    private static int writes() {
        for (int i = 0; i < N; i++) {
            MANY[i & 1023].setA(i, Data.A);
        }
        return 0;
    }

    private static int newSegments() { // each pass over the 1024 in a segment of its own
        for (int k = 0; k < N / 1024; k++) {
            ONE.setV(k, Data.V);
            for (int i = 0; i < 1024; i++) {
                MANY[i].setA(i, Data.A);
            }
        }
        return 0;
    }

    private static int unresolvedReads() {
        int x = 0;
        for (int i = 0; i < N; i++) {
            Data d = MANY[i & 1023];
            R.read(d, R.thread(), Data.B);
            x += d.a;
            R.post(R.thread());
        }
        return x;
    }

    private static int volatileReads() {
        int x = 0;
        for (int i = 0; i < N; i++) {
            x += ONE.getV(Data.V);
        }
        return x;
    }

    private static int volatileWrites() {
        for (int i = 0; i < N; i++) {
            ONE.setV(i, Data.V);
        }
        return 0;
    }

    private static int monitors() {
        for (int i = 0; i < N; i++) {
            synchronized (ONE) {
                R.entering(ONE); R.enter();
                R.exit(ONE);
            }
        }
        return 0;
    }

    private static int[] ints = new int[1024];
    private static byte[] bytes = new byte[1024];
    private static double[][] rows = new double[64][1024];
    private static int[][] small = new int[4096][8];

    private static int plainRows() {
        double x = 0;
        for (int k = 0; k < N / (63 * 1023); k++) {
            for (int i = 1; i < 64; i++) {
                for (int j = 1; j < 1024; j++) {
                    x += rows[i - 1][j] + rows[i][j - 1];
                }
            }
        }
        return (int) x;
    }

    private static int readRows() {
        double x = 0;
        for (int k = 0; k < N / (63 * 1023); k++) {
            for (int i = 1; i < 64; i++) {
                for (int j = 1; j < 1024; j++) {
                    double[] up = rows[i - 1], row = rows[i];
                    R.aread(up, j, R.thread(), 1);
                    R.aread(row, j - 1, R.thread(), 2);
                    x += up[j] + row[j - 1];
                }
            }
        }
        return (int) x;
    }

    private static int plainInts() {
        int x = 0;
        for (int i = 0; i < N; i++) {
            x += ints[i & 1023];
        }
        return x;
    }

    private static int readInts() {
        int x = 0;
        for (int i = 0; i < N; i++) {
            R.aread(ints, i & 1023, R.thread(), 1);
            x += ints[i & 1023];
        }
        return x;
    }

    private static int writeInts() {
        for (int i = 0; i < N; i++) {
            R.awrite(ints, i & 1023, R.thread(), 1);
            ints[i & 1023] = i;
        }
        return 0;
    }

    private static int keptNewSegments() { // each pass over the 1024 in a segment of its own
        for (int k = 0; k < N / 1024; k++) {
            ONE.setV(k, Data.V);
            T t = R.thread();
            long[] shadow = R.shadow(ints, t);
            for (int i = 0; i < 1024; i++) {
                R.awrite(ints, i, shadow, t, 2);
                ints[i] = k;
            }
        }
        return 0;
    }

    private static int innerNewSegments() {
        for (int k = 0; k < N / 1024; k++) {
            ONE.setV(k, Data.V);
            T t = R.thread();
            long[] shadow = R.shadow(ints, t);
            for (int i = 0; i < 1024; i++) {
                R.awriteInner(ints, i, shadow, t, 2);
                ints[i] = k;
            }
        }
        return 0;
    }

    private static int readBytes() {
        int x = 0;
        for (int i = 0; i < N; i++) {
            R.areadB(bytes, i & 1023, R.thread(), 1);
            x += bytes[i & 1023];
        }
        return x;
    }

    private static int readSmall() {
        int x = 0;
        for (int i = 0; i < N; i++) {
            int[] a = small[(i >>> 3) & 4095];
            R.aread(a, i & 7, R.thread(), 1);
            x += a[i & 7];
        }
        return x;
    }

    private static int freshSmall() {
        int x = 0;
        for (int i = 0; i < N / 8; i++) {
            int[] a = new int[8];
            for (int k = 0; k < 8; k++) {
                R.awrite(a, k, R.thread(), 1);
                a[k] = i;
            }
            x += a[i & 7];
        }
        return x;
    }

    private static int copies() {
        for (int i = 0; i < N / 1024; i++) {
            R.arraycopy(ints, 0, ints, 0, 1024, 1);
        }
        return 0;
    }

    private static int newCopies() {
        for (int i = 0; i < N / 1024; i++) {
            ONE.setV(i, Data.V);
            R.arraycopy(ints, 0, ints, 0, 1024, 1);
        }
        return 0;
    }

    public static void main(String[] args) throws Exception {
        Data.register();
        for (int i = 0; i < MANY.length; i++) {
            MANY[i] = new Data();
        }
        double base = least(Measure::nothing, null);
        say("field, loop without probe", base);
        say("field read, hit", least(Measure::reads, null) - base);
        say("field write, hit", least(Measure::writes, null) - base);
        say("field of another class (R.read, R.post), hit", least(Measure::unresolvedReads, null) - base);
        say("field write, new segment each 1024", least(Measure::newSegments, null) - base);

        Host.Actor other = Host.forked("other"), third = Host.forked("third");
        Host.Actor[] actors = {other, third};
        for (Host.Actor a : actors) { // handed over under a volatile
            a.does(() -> ONE.getV(Data.V));
        }
        Loop handOver = () -> {
            ONE.setV(1, Data.V);
            other.does(() -> {
                ONE.getV(Data.V);
                for (int i = 0; i < 1024; i++) {
                    MANY[i].setA(i, Data.A);
                }
                ONE.setV(1, Data.V);
            });
            ONE.getV(Data.V);
            return 0;
        };
        double owner = 1e9;
        for (int i = 0; i < 400; i++) {
            handOver.run();
            long t = now();
            for (int k = 0; k < 1024; k++) {
                MANY[k].setA(k, Data.A);
            }
            owner = Math.min(owner, (now() - t) / 1024.0);
        }
        say("field write, owner change", owner);
        double shared = 1e9, sharedHit = 1e9;
        for (int i = 0; i < 400; i++) {
            ONE.setV(1, Data.V);
            for (Host.Actor a : actors) {
                a.does(() -> {
                    ONE.getV(Data.V);
                    for (int k = 0; k < 1024; k++) {
                        MANY[k].getA(Data.A);
                    }
                    ONE.setV(1, Data.V);
                });
            }
            long t = now();
            for (int k = 0; k < 1024; k++) {
                MANY[k].getA(Data.A);
            }
            shared = Math.min(shared, (now() - t) / 1024.0);
        }
        say("field read, third reader, first of its segment", shared);
        for (int i = 0; i < 400; i++) {
            long t = now();
            for (int k = 0; k < 1024; k++) {
                MANY[k].getA(Data.A);
            }
            sharedHit = Math.min(sharedHit, (now() - t) / 1024.0);
        }
        say("field read, shared by three, again", sharedHit);

        say("volatile read", least(Measure::volatileReads, null));
        say("volatile write", least(Measure::volatileWrites, null));
        say("monitor, enter and exit with probes", least(Measure::monitors, null));

        base = least(Measure::plainInts, null);
        say("array, loop without probe", base);
        say("int[] read, hit", least(Measure::readInts, null) - base);
        say("int[] write, hit", least(Measure::writeInts, null) - base);
        say("int[] write, new segment each 1024", least(Measure::keptNewSegments, null) - base);
        say("the same in place, in an innermost loop", least(Measure::innerNewSegments, null) - base);
        say("byte[] read, hit", least(Measure::readBytes, null) - base);
        double rowsBase = least(Measure::plainRows, null);
        say("double[64][1024], two reads, without probe", rowsBase);
        say("double[64][1024], two reads, hit, each", (least(Measure::readRows, null) - rowsBase) / 2);
        say("int[8], 4096 of them, read", least(Measure::readSmall, null));
        say("int[8], new ones, write each element", least(Measure::freshSmall, null));
        say("arraycopy, per element, hit", least(Measure::copies, null));
        say("arraycopy, per element, new segment", least(Measure::newCopies, null));
        Host.none("measuring");
        System.exit(Host.failed == 0 ? 0 : 1);
    }
}
