// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import goldilocks.DataRaceException;
import java.lang.ref.WeakReference;
import jdk.internal.misc.Unsafe;

/** Every path of the runtime classes, called by hand, step by step on named threads. */
final class RuntimeTest {
    private static final Unsafe U = Unsafe.getUnsafe();

    private RuntimeTest() {}

    private static Host.Actor p, q, r; // forked by main, unordered among themselves

    static void fields() {
        Data d = new Data();
        p.does(() -> d.setA(1, Data.A));
        p.does(() -> d.setA(2, Data.A + 1));
        p.does(() -> d.getA(Data.A + 2));
        Host.none("one thread");
        q.does(() -> d.getA(Data.A + 3));
        Host.races(1, Data.A + 3, Data.A, "write, read"); // the first write of the segment is the one that is kept
        q.does(() -> d.getA(Data.A + 3));
        Host.none("the same read again");
        r.does(() -> d.setA(3, Data.A + 4));
        Host.races(1, Data.A + 4, -1, "read and write, write");

        Data e = new Data();
        p.does(() -> e.getA(Data.A));
        q.does(() -> e.getA(Data.A + 1));
        Host.none("two reads");
        r.does(() -> e.setA(3, Data.A + 2));
        Host.races(1, Data.A + 2, -1, "reads, write");

        Data f = new Data();
        p.does(() -> f.setB("x", Data.B));
        q.does(() -> f.setA(1, Data.A));
        Host.none("two fields of one object");
        q.does(() -> f.getB(Data.B + 1));
        Host.races(1, Data.B + 1, Data.B, "reference field");

        p.does(() -> R.read(null, R.thread(), Data.A));
        p.does(() -> R.write(f, R.thread(), Data.FIN));
        q.does(() -> R.write(f, R.thread(), Data.FIN));
        p.does(() -> R.write(f, R.thread(), Data.UN));
        q.does(() -> R.write(f, R.thread(), Data.UN));
        Host.none("null, final, not checked");

        p.does(() -> Data.setSt(1, Data.ST));
        Host.none("static");
        q.does(() -> Data.getSt(Data.ST + 1));
        Host.races(1, Data.ST + 1, Data.ST, "static field");
    }

    /** As constructors write. */
    static void freshObjects() {
        Data known = new Data(), d = new Data(), e = new Data();
        p.does(() -> R.fresh(known, R.thread(), Data.A)); // the place is asked for
        p.does(() -> {
            R.fresh(d, R.thread(), Data.A);
            R.fresh(d, R.thread(), Data.A + 1); // the first place stays
            d.getA(Data.A + 2);
        });
        Host.none("fresh: by itself");
        q.does(() -> d.getA(Data.A + 3));
        Host.races(1, Data.A + 3, Data.A, "fresh: by another thread");
        p.does(() -> e.getA(Data.A + 1));
        q.does(() -> R.fresh(e, R.thread(), Data.A)); // not fresh
        Host.races(1, Data.A, Data.A + 1, "fresh: somebody had it");
        p.does(() -> {
            R.thread().busy = true;
            R.fresh(new Data(), R.thread(), Data.A);
            R.thread().busy = false;
        });
        Host.none("fresh: inside");
    }

    static void threads() {
        Data d = new Data();
        d.setA(1, Data.A);
        Host.Actor a = Host.forked("a");
        a.does(() -> d.setA(2, Data.A + 1));
        Host.none("fork");
        R.fork(a); // again: nothing
        d.getA(Data.A + 2);
        Host.races(1, Data.A + 2, Data.A + 1, "not joined");
        Data e = new Data();
        a.does(() -> e.setA(2, Data.A + 1));
        R.alive(true, a);
        a.ends();
        R.alive(a.isAlive(), a);
        e.getA(Data.A + 2);
        Host.none("joined");

        Data f = new Data();
        f.setA(1, Data.A);
        Host.Actor s = Host.stray("s");
        s.does(() -> f.getA(Data.A + 1));
        Host.races(1, Data.A + 1, Data.A, "nobody started it");
        s.ends();
        p.does(() -> {
            R.joined(s);
            f.getA(Data.A + 2);
        });
        Host.races(1, Data.A + 2, Data.A, "joining another thread");

        Thread never = new Thread("never");
        R.fork(never);
        R.joined(never);
        R.joined(new Thread("not even forked"));

        Data g = new Data();
        Host.Actor t = Host.forked("t");
        p.does(() -> g.setA(1, Data.A));
        p.does(() -> R.interrupt(t));
        t.does(() -> R.interrupted(false));
        t.does(() -> R.interrupted(true));
        t.does(() -> g.getA(Data.A + 1));
        Host.none("interrupt");
        t.ends();
    }

    static void monitors() {
        Data m = new Data(), d = new Data();
        p.does(() -> m.locked(() -> d.setA(1, Data.A)));
        q.does(() -> m.lockedMethod(() -> m.locked(() -> d.setA(1, Data.A + 1))));
        Host.none("one monitor");
        r.does(() -> new Data().locked(() -> d.setA(1, Data.A + 2)));
        Host.races(1, Data.A + 2, Data.A + 1, "another monitor");

        // The inner exit of a reentrant monitor orders nothing.
        Data e = new Data(), n = new Data();
        p.does(() -> {
            synchronized (n) {
                R.entering(n); R.enter();
                synchronized (n) {
                    R.entering(n); R.enter();
                    R.exit(n);
                }
                e.setA(1, Data.A);
                R.exit(n);
            }
        });
        q.does(() -> n.locked(() -> e.getA(Data.A + 1)));
        Host.none("outermost exit");

        // Many at once, more than a thread keeps at hand.
        Data[] many = new Data[50];
        for (int i = 0; i < many.length; i++) {
            many[i] = new Data();
        }
        p.does(() -> nest(many, 0, () -> {
            for (Data one : many) {
                one.setA(1, Data.A);
            }
        }));
        for (Data one : many) {
            q.does(() -> one.locked(() -> one.setA(1, Data.A + 1)));
            p.does(() -> one.locked(() -> one.setA(1, Data.A)));
        }
        Host.none("50 monitors");
        R.exit(null);

        // wait: gives all levels up, takes them back
        Data w = new Data(), x = new Data();
        Host.Actor waiter = Host.forked("waiter");
        Thread notifier = new Thread(() -> {
            try {
                boolean done = false;
                while (!done) {
                    Thread.sleep(5);
                    done = w.b != null;
                }
                synchronized (w) {
                    R.entering(w); R.enter();
                    x.getA(Data.A + 1);
                    x.setA(5, Data.A + 2);
                    w.notifyAll();
                    w.b = null;
                    R.exit(w);
                }
            } catch (InterruptedException e2) {
                throw new IllegalStateException(e2);
            }
        });
        R.fork(notifier);
        notifier.start();
        waiter.does(() -> w.locked(() -> w.locked(() -> {
            x.setA(1, Data.A);
            try {
                w.b = w;
                while (w.b != null) {
                    await(w, 0);
                }
            } catch (InterruptedException e2) {
                throw new IllegalStateException(e2);
            }
            x.getA(Data.A + 3);
            x.setA(2, Data.A + 4);
        })));
        q.does(() -> w.locked(() -> x.getA(Data.A + 5)));
        Host.none("wait and notify");
        boolean threw = false;
        try {
            await(w, 1);
        } catch (IllegalMonitorStateException expected) {
            threw = true;
        } catch (InterruptedException no) {
            threw = false;
        }
        Host.check(threw, "wait without the monitor throws");
        boolean interrupted = false;
        Data y = new Data();
        q.does(() -> y.setA(1, Data.A));
        q.does(() -> R.interrupt(Thread.currentThread())); // of q itself: no order for others
        Thread me = Thread.currentThread();
        q.does(() -> R.interrupt(me));
        me.interrupt();
        synchronized (w) {
            R.entering(w); R.enter();
            try {
                await(w, 1);
            } catch (InterruptedException expected) {
                R.interrupted(); // as the agent has the exception's constructor do
                interrupted = true;
            }
            y.getA(Data.A + 1);
            R.exit(w);
        }
        Host.check(interrupted, "interrupted");
        Host.none("interrupted wait");
    }

    /** o.wait(millis), as the agent has it. */
    private static void await(Object o, long millis) throws InterruptedException {
        R.waits(o, millis);
        try {
            o.wait(millis);
        } finally {
            R.waited();
        }
    }

    private static void nest(Data[] many, int i, Runnable body) {
        if (i == many.length) {
            body.run();
        } else {
            many[i].locked(() -> nest(many, i + 1, body));
        }
    }

    static void volatiles() {
        Data d = new Data();
        p.does(() -> d.setA(1, Data.A));
        p.does(() -> d.setV(1, Data.V));
        q.does(() -> d.getV(Data.V + 1));
        q.does(() -> d.setA(2, Data.A + 1));
        Host.none("volatile orders");
        r.does(() -> d.getA(Data.A + 2));
        Host.races(1, Data.A + 2, Data.A + 1, "without the volatile read");

        Data e = new Data();
        p.does(() -> e.setA(1, Data.A));
        q.does(() -> e.getV(Data.V + 1)); // before any write
        p.does(() -> e.setV(1, Data.V));
        q.does(() -> e.getA(Data.A + 1));
        Host.races(1, Data.A + 1, Data.A, "read before the write");

        // Merge: an earlier write of another thread counts as well.
        Data f = new Data();
        p.does(() -> f.setA(1, Data.A));
        p.does(() -> f.setV(1, Data.V));
        r.does(() -> f.setV(2, Data.V));
        q.does(() -> f.getV(Data.V));
        q.does(() -> f.getA(Data.A + 1));
        Host.none("every earlier write");

        Data g = new Data();
        p.does(() -> g.setA(1, Data.A));
        p.does(() -> Data.setSv(1, Data.SV));
        q.does(() -> Data.getSv(Data.SV));
        q.does(() -> g.getA(Data.A + 1));
        Host.none("static volatile");

        // Unsafe and the field's own access meet on one object.
        long at = U.objectFieldOffset(Data.class, "v");
        Data h = new Data();
        p.does(() -> {
            h.setA(1, Data.A);
            Host.check(U.compareAndSetInt(h, at, 0, 0), "U");
            Host.check(goldilocks.rt.U.compareAndSetInt(U, h, at, 0, 7), "compareAndSet");
        });
        q.does(() -> Host.check(h.getV(Data.V) == 7, "value"));
        q.does(() -> h.setA(1, Data.A + 1));
        Host.none("compareAndSet, volatile read");
        r.does(() -> Host.check(!goldilocks.rt.U.compareAndSetInt(U, h, at, 0, 9), "fails"));
        r.does(() -> h.getA(Data.A + 2));
        Host.races(1, Data.A + 2, Data.A + 1, "a failure has taken in p, but not q, who only read");

        Data k = new Data();
        p.does(() -> k.setA(1, Data.A));
        p.does(() -> goldilocks.rt.U.putIntOpaque(U, k, at, 3));
        q.does(() -> Host.check(goldilocks.rt.U.getIntOpaque(U, k, at) == 3, "opaque"));
        q.does(() -> k.getA(Data.A + 1));
        Host.races(1, Data.A + 1, Data.A, "opaque orders nothing");
        Data l = new Data();
        p.does(() -> l.setA(1, Data.A));
        p.does(() -> goldilocks.rt.U.putIntRelease(U, l, at, 3));
        q.does(() -> Host.check(goldilocks.rt.U.getAndAddIntRelease(U, l, at, 1) == 3, "rmw"));
        q.does(() -> l.getA(Data.A + 1));
        Host.races(1, Data.A + 1, Data.A, "a release-mode rmw takes nothing in");
        r.does(() -> goldilocks.rt.U.getIntAcquire(U, l, at));
        r.does(() -> l.setA(1, Data.A + 2));
        Host.races(1, Data.A + 2, Data.A + 1, "q's read came after its release");

        // An access that was begun and did not happen gives its lock back with the next one, and at post().
        Data m = new Data();
        m.setV(1, Data.V);
        p.does(() -> R.read(m, R.thread(), Data.V));
        p.does(() -> new Data().getV(Data.V));
        q.does(() -> m.getV(Data.V));

        long native8 = U.allocateMemory(8);
        Data n = new Data();
        p.does(() -> n.setA(1, Data.A));
        p.does(() -> goldilocks.rt.U.putLongVolatile(U, null, native8, 1));
        q.does(() -> goldilocks.rt.U.getLongVolatile(U, null, native8));
        q.does(() -> n.getA(Data.A));
        Host.none("outside the heap");
    }

    static class Holder {
        static Data data;
        static int done;

        static {
            data = new Data();
            data.setA(1, Data.A);
            if (done == 0) {
                R.sread(90); // by the initializing thread itself
                R.clinitDone(77);
            }
        }
    }

    static void classes() {
        for (int i = 90; i < 93; i++) {
            Host.field(i, Holder.class, "data", "Lgoldilocks/rt/Data;", F.PLAIN, true, 77);
        }
        p.does(() -> {
            R.sread(91);
            Holder.data.getA(Data.A + 1);
        });
        q.does(() -> {
            R.sread(92);
            Holder.data.getA(Data.A + 1);
        });
        Host.none("class initialization");
        Data raw = Holder.data;
        r.does(() -> raw.getA(Data.A + 2));
        Host.races(1, Data.A + 2, Data.A, "not through the class");
    }

    static void shared() {
        // Read by ten threads: groups, then a side record; then a write that is ordered after none.
        Host.Actor[] readers = new Host.Actor[10];
        for (int i = 0; i < readers.length; i++) {
            readers[i] = Host.forked("reader" + i);
        }
        Data d = new Data();
        long sides = Host.coreCount("sides");
        for (int round = 0; round < 3; round++) {
            for (Host.Actor a : readers) {
                a.does(() -> d.getA(Data.A));
                a.does(() -> d.getA(Data.A + 1));
            }
        }
        Host.none("readers");
        Host.check((int) (d.wordA() >>> 32) == Access.SIDE, "a side record");
        Host.check(Host.coreCount("sides") > sides, "one more record");
        long before = Host.coreCount("reads");
        for (int i = 0; i < 1000; i++) {
            readers[i % 10].does(() -> d.getA(Data.A));
        }
        Host.check(Host.coreCount("reads") == before, "reads again are found beside the word");
        for (Host.Actor a : readers) { // new segments
            a.does(() -> d.setV(1, Data.V));
            a.does(() -> d.getA(Data.A + 2));
        }
        readers[0].does(() -> d.setA(1, Data.A + 3));
        Host.check(Host.take().length == 8, "one race with the readers");

        Host.groupAtOnce();
        Data[] many = new Data[100];
        for (int i = 0; i < many.length; i++) {
            many[i] = new Data();
        }
        for (int i = 0; i < 4; i++) {
            Host.Actor a = readers[i];
            for (Data one : many) {
                a.does(() -> one.getA(Data.A));
            }
        }
        before = Host.coreCount("reads");
        for (int i = 0; i < 4; i++) {
            Host.Actor a = readers[i];
            for (Data one : many) {
                a.does(() -> one.getA(Data.A));
            }
        }
        Host.check(Host.coreCount("reads") == before, "groups: the filter finds the segment in them");
        Host.none("group readers");
        readers[5].does(() -> many[7].setA(1, Data.A + 5));
        Host.races(1, Data.A + 5, Data.A, "write of what a group has read");
        for (Host.Actor a : readers) {
            a.ends();
        }
    }

    static void exceptions() {
        Data d = new Data();
        int[] array = new int[4];
        p.does(() -> {
            d.setA(1, Data.A);
            R.awrite(array, 2, R.thread(), Data.ARR);
        });
        Host.take();
        Host.throwing(true);
        DataRaceException[] thrown = new DataRaceException[3];
        long word = d.wordA();
        for (int i = 0; i < 2; i++) {
            int k = i;
            q.does(() -> {
                try {
                    d.setA(2, Data.A + 1);
                } catch (DataRaceException x) {
                    thrown[k] = x;
                }
            });
        }
        q.does(() -> {
            try {
                R.awrite(array, 2, R.thread(), Data.ARR + 1);
            } catch (DataRaceException x) {
                thrown[2] = x;
            }
        });
        Host.throwing(false);
        Host.check(d.a == 1, "the store did not happen");
        Host.check(d.wordA() == word, "nor did the access");
        Host.check(thrown[0] != null && thrown[1] != null && thrown[2] != null, "thrown each time");
        Host.check(thrown[0] != null && thrown[0].second().isWrite() && thrown[0].first().thread().equals("p")
                && thrown[0].second().thread().equals("q"), "who");
        Host.races(3, -1, -1, "told, too");
        p.does(() -> d.setA(3, Data.A + 2));
        Host.none("the first thread goes on");
    }

    /** Collects garbage until the reaper has brought it about, for 20 seconds at most. */
    static void collectUntil(java.util.function.BooleanSupplier done, String what) throws InterruptedException {
        for (int i = 0; i < 200 && !done.getAsBoolean(); i++) {
            System.gc();
            Thread.sleep(100);
        }
        Host.check(done.getAsBoolean(), what);
    }

    static void death() throws InterruptedException {
        int nodes = R.TABLE.size();
        long syncs = Host.count(Host.SYNCS), sides = Host.coreCount("sides");
        Object[][] keep = new Object[1][];
        WeakReference<Object> weak = make(keep);
        Host.check(Host.count(Host.SYNCS) >= 100_000, "100,000 volatile variables");
        Host.check(Host.coreCount("sides") >= sides + 2000, "side records in fields and arrays");
        Host.check(R.TABLE.size() >= 100_000, "nodes");
        Host.none("nothing races");
        growOld((Data[]) keep[0][3000]);
        keep[0] = null;
        collectUntil(() -> weak.refersTo(null), "arrays die");
        collectUntil(() -> Host.count(Host.SYNCS) <= syncs + 10, "volatile variables are given back");
        collectUntil(() -> Host.coreCount("sides") <= sides + 64 * 4, "side records are given back"); // threads keep some at hand
        collectUntil(() -> R.TABLE.size() <= nodes + 100, "nodes go");
        Host.check(R.leaked == 0 && R.unshadowed == 0, "nothing was lost");
    }

    /** What lives through collections and sweeps is found again, once. */
    private static void growOld(Data[] data) {
        for (int round = 0; round < 5; round++) {
            int made = R.TABLE.size();
            System.gc();
            R.TABLE.sweep(); // as the reaper does
            long syncs = Host.count(Host.SYNCS);
            q.does(() -> {
                for (int i = 0; i < data.length; i++) {
                    Host.check(data[i].getV(Data.V) == i, "value");
                }
            });
            p.does(() -> {
                for (int i = 0; i < data.length; i++) {
                    data[i].setV(i, Data.V);
                }
            });
            Host.check(Host.count(Host.SYNCS) <= syncs, "nodes are found again");
            Host.check(R.TABLE.size() <= made + 100 && R.TABLE.size() >= data.length, "nodes are there once");
        }
        Host.none("nothing races");
    }

    private static WeakReference<Object> make(Object[][] keep) {
        Data[] data = new Data[100_000];
        Object[] all = new Object[3002];
        keep[0] = all;
        all[3000] = data;
        p.does(() -> {
            for (int i = 0; i < data.length; i++) {
                data[i] = new Data();
                data[i].setV(i, Data.V);
            }
        });
        q.does(() -> {
            for (int i = 0; i < data.length; i++) {
                if (data[i].getV(Data.V) != i) {
                    Host.check(false, "value");
                }
            }
        });
        for (int i = 0; i < 3000; i++) {
            all[i] = new int[20];
        }
        Host.Actor[] readers = {p, q, r, Host.forked("w"), Host.forked("x"), Host.forked("y"), Host.forked("z"),
            Host.forked("v"), Host.forked("u")};
        for (Host.Actor a : readers) {
            a.does(() -> {
                for (int i = 0; i < 3000; i++) {
                    R.aread((int[]) all[i], i % 20, R.thread(), Data.ARR);
                }
                for (int i = 0; i < 1000; i++) {
                    data[i].getA(Data.A);
                }
            });
        }
        for (int i = 3; i < readers.length; i++) {
            readers[i].ends();
        }
        return new WeakReference<>(all[17]);
    }

    /** The wrappers have the names and arguments of this JDK's Unsafe. */
    static void names() {
        int n = 0;
        for (java.lang.reflect.Method m : Unsafe.class.getDeclaredMethods()) {
            String name = m.getName();
            boolean ordered = name.matches("(get|put)(Boolean|Byte|Short|Char|Int|Long|Float|Double|Reference)(Volatile|Acquire|Release|Opaque)"
                    + "|(weakCompareAndSet|compareAndSet|compareAndExchange|getAnd)[A-Z].*");
            if (!ordered || !java.lang.reflect.Modifier.isPublic(m.getModifiers())) {
                continue;
            }
            Class<?>[] has = m.getParameterTypes();
            Class<?>[] wants = new Class<?>[has.length + 1];
            wants[0] = Unsafe.class;
            System.arraycopy(has, 0, wants, 1, has.length);
            boolean found = false;
            for (Class<?> c = goldilocks.rt.U.class; c != Object.class; c = c.getSuperclass()) {
                for (java.lang.reflect.Method w : c.getDeclaredMethods()) {
                    found |= w.getName().equals(name) && java.util.Arrays.equals(w.getParameterTypes(), wants)
                            && w.getReturnType() == m.getReturnType();
                }
            }
            Host.check(found, "U has no " + m);
            n++;
        }
        Host.check(n > 150, "only " + n + " names");
    }

    public static void main(String[] args) throws Exception {
        Data.register();
        Thread reaper = new Thread(R::reap, "reaper");
        reaper.setDaemon(true);
        reaper.start();
        p = Host.forked("p");
        q = Host.forked("q");
        r = Host.forked("r");
        names();
        fields();
        freshObjects();
        threads();
        monitors();
        volatiles();
        classes();
        ArraySteps.arrays(p, q, r);
        exceptions();
        death();
        shared();
        Host.check(Host.count(Host.LOST) == 0, "no access was lost");
        System.out.println(Host.failed == 0 ? "RuntimeTest: passed" : "RuntimeTest: " + Host.failed + " failed");
        System.exit(Host.failed == 0 ? 0 : 1);
    }
}
