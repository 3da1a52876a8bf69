// SPDX-License-Identifier: Apache-2.0
// The ids of critical sections that nothing remembers are used again and again; accesses that are remembered stay what they are: those of a thousand boxes
// and numbers that one thread wrote long ago, and what others hand to one another, in objects, arrays and static fields, late or soon. Threads that
// do little get ids in small numbers, of those that came back first.
// EXPECT: race Box.x write @1 then write @2
// EXPECT: race int[*] write @3 then write @4
// EXPECT: race SweepIds.fixed write @5 then write @6
// OPTIONS: sweep_segments=2000,on_race=throw
// OUTPUT racy: 2001 races, 0 invented
// OUTPUT twin: 0 races, 0 invented
import static goldilocks.test.Order.*;

class SweepIds {
    static final int BOXES = 1000, THREADS = 400, SECTIONS = 300, KEPT = 4096;
    static final Object mine = new Object(), common = new Object();
    static int total, invented, fixed;

    static class Box {
        int x;
        final Box next; // so that no other variable is read on the way to it

        Box(Box next) {
            this.next = next;
        }
    }

    static class Pair {
        int a, b;
        Object c;
    }

    static class Data {
        final Box boxes;
        final int[] numbers = new int[BOXES];
        final Pair[] pairs = new Pair[KEPT];
        final int[] counts = new int[KEPT];
        final byte[] bytes = new byte[KEPT];
        int races;

        Data() {
            Box list = null;
            for (int i = 0; i < BOXES; i++)
                list = new Box(list);
            boxes = list;
        }
    }

    static void first(Data d) {
        for (Box box = d.boxes; box != null; box = box.next)
            synchronized (mine) {
                box.x = 1; // @1
            }
        for (int i = 0; i < BOXES; i++)
            synchronized (mine) {
                d.numbers[i] = 1; // @3
            }
        for (int i = 0; i < 100; i++)
            synchronized (mine) {
                fixed = 1; // @5
            }
        Box other = new Box(null);
        for (int i = 0; i < 3 * BOXES; i++)
            synchronized (mine) {
                other.x = i;
            }
    }

    static void box(Data d, Box box) {
        try {
            box.x = 2; // @2
        } catch (RuntimeException e) {
            d.races++;
        }
    }

    static void number(Data d, int i) {
        try {
            d.numbers[i] = 2; // @4
        } catch (RuntimeException e) {
            d.races++;
        }
    }

    static void fixed(Data d) {
        try {
            fixed = 2; // @6
        } catch (RuntimeException e) {
            d.races++;
        }
    }

    static void late(Data d, Object lock) {
        for (Box box = d.boxes; box != null; box = box.next)
            synchronized (lock) {
                box(d, box);
            }
        for (int i = 0; i < BOXES; i++)
            synchronized (lock) {
                number(d, i);
            }
        synchronized (lock) {
            fixed(d);
        }
    }

    /** The pair may never be an object in the heap, unless it is handed over. */
    static Pair pair(int i, Object own, int[] count) {
        Pair p = new Pair();
        p.a = i;
        synchronized (own) {
            count[0]++;
        }
        p.b = p.a + 1;
        synchronized (own) {
            count[0] += p.b - p.a;
        }
        return i % 64 == 0 ? p : null;
    }

    static void hand(Data d, int me, int sections) {
        Object own = new Object();
        int[] count = new int[1];
        for (int i = 0; i < sections; i++)
            try {
                Pair p = pair(i, own, count);
                int at = i * 31 + me * 7 & KEPT - 1;
                if (p != null || i % 16 == 0)
                    synchronized (common) {
                        if (p != null)
                            d.pairs[at] = p;
                        Pair old = d.pairs[i * 17 + me & KEPT - 1];
                        if (old != null) {
                            old.a++;
                            old.c = old;
                        }
                    }
                if (i % 16 == 3)
                    synchronized (common) {
                        d.counts[at]++;
                        d.bytes[i + me & KEPT - 1]++;
                    }
                if (i % 16 == 5)
                    synchronized (common) {
                        total += 1;
                    }
            } catch (RuntimeException e) {
                invented++;
            }
    }

    static void many(Data d) throws InterruptedException {
        for (int k = 0; k < THREADS; k++) {
            int me = k;
            Thread t = new Thread(() -> hand(d, me, SECTIONS));
            t.start();
            t.join();
        }
    }

    public static void main(String[] args) {
        Data d = new Data();
        Run.all(() -> {
            first(d);
            pass();
        }, () -> {
            await(1);
            many(d);
            late(d, racy() ? new Object() : mine);
        }, () -> hand(d, 1, THREADS * SECTIONS));
        System.out.println(d.races + " races, " + invented + " invented");
    }
}
