// SPDX-License-Identifier: Apache-2.0
// What lives for a moment, and calls that do nothing else, in turns under two builds. By hand:
//
//     javac -d /tmp/moments bench/java/Moments.java
//     time java -agentpath:build/lib/libgoldilocks_java.so -cp /tmp/moments Moments objects 2800000
//     time java -agentpath:build/lib/libgoldilocks_java.so -cp /tmp/moments Moments maps 100000
//     java -agentpath:build/lib/libgoldilocks_java.so -cp /tmp/moments Moments calls 50000000

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

final class Moments {
    private static final class Pair {
        final int a;

        Pair(int a) {
            this.a = a;
        }
    }

    private static long found;

    private static long add(long a, long b) {
        return a ^ b;
    }

    /** New objects, and the monitor of each. */
    private static void objects(int n) {
        for (int i = 0; i < n; i++) {
            Object o = new Object();
            synchronized (o) {
                found += i;
            }
        }
    }

    /** A map and a queue that two threads fill and empty, six times. */
    private static void maps(int n) throws InterruptedException {
        ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();
        ConcurrentLinkedQueue<Integer> queue = new ConcurrentLinkedQueue<>();
        for (int round = 0; round < 2; round++) {
            Thread[] threads = new Thread[2];
            for (int t = 0; t < 2; t++) {
                int first = t;
                threads[t] = new Thread(() -> {
                    for (int times = 0; times < 3; times++) {
                        for (int i = first; i < n; i += 2) {
                            map.put(i, i);
                            queue.add(i);
                        }
                        for (int i = first; i < n; i += 2) {
                            map.remove(i);
                            queue.poll();
                        }
                    }
                });
                threads[t].start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
        found = map.size();
    }

    /** Static methods, then constructors; nanoseconds for each, the last of three times. */
    private static void calls(int n) {
        for (int times = 0; times < 3; times++) {
            long x = 0;
            long begin = System.nanoTime();
            for (int i = 0; i < n; i++) {
                x = add(x, i);
            }
            long middle = System.nanoTime();
            for (int i = 0; i < n; i++) {
                x += new Pair(i ^ (int) x).a;
            }
            long end = System.nanoTime();
            found = x;
            if (times == 2) {
                System.out.printf("static method %.2f ns, constructor %.2f ns%n", (double) (middle - begin) / n, (double) (end - middle) / n);
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int n = args.length == 2 ? Integer.parseInt(args[1]) : 0;
        switch (n > 0 ? args[0] : "") {
            case "objects":
                objects(n);
                break;
            case "maps":
                maps(n);
                break;
            case "calls":
                calls(n);
                break;
            default:
                System.err.println("usage: Moments objects|maps|calls NUMBER");
                System.exit(2);
        }
    }
}
