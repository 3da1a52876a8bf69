// SPDX-License-Identifier: Apache-2.0
// Random executions of what orders threads, in an order that is forced unseen: each access races if and only if the truth says so
// (goldilocks/test/Script.java). In the twin the accesses that race are left out. -Dscripts= and -Dseed= try others.
// OPTIONS: on_race=throw,report_limit=1
// EXPECT: race Box.d write @d then write @d
// OUTPUT: 0 wrong
// OUTPUT racy: some found
import static goldilocks.test.Order.*;

import goldilocks.test.Script;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

class RandomOrders {
    static final int SCRIPTS = 40;

    static class Box {
        int a;
        int b;
        long c;
        byte d;
        Object e;
    }

    /** What a script uses. */
    static final class World {
        final Box box = new Box();
        final int[] ints = new int[2];
        final byte[] bytes = new byte[2];

        final Object[] monitor = {new Object(), new Box(), new int[1]};
        final ReentrantLock[] lock = {new ReentrantLock(), new ReentrantLock(true)};
        final ReentrantReadWriteLock readWrite = new ReentrantReadWriteLock();
        final Semaphore[] semaphore = {new Semaphore(0), new Semaphore(0, true)};
        volatile int field;
        int handled;
        final int[] elements = new int[3];
        final AtomicInteger integer = new AtomicInteger();
        final AtomicReferenceArray<Integer> references = new AtomicReferenceArray<>(2);
        final CountDownLatch latch = new CountDownLatch(1_000_000);
        final CompletableFuture<?>[] future = {new CompletableFuture<Object>(), new CompletableFuture<Object>()};
        final ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>(64);
        final CopyOnWriteArrayList<Integer> list = new CopyOnWriteArrayList<>();
        final ArrayBlockingQueue<Integer> queue = new ArrayBlockingQueue<>(1000);
        final CyclicBarrier barrier = new CyclicBarrier(2);
        final Thread[] thread = new Thread[Script.THREADS];

        World() {
            for (int k = 0; k < Script.KEYS; k++) {
                map.put(k, 0);
                list.add(0);
            }
            references.set(0, 0);
            references.set(1, 0);
        }
    }

    static final VarHandle FIELD;
    static final VarHandle HANDLED;
    static final VarHandle ELEMENTS = MethodHandles.arrayElementVarHandle(int[].class);

    static {
        try {
            FIELD = MethodHandles.lookup().findVarHandle(World.class, "field", int.class);
            HANDLED = MethodHandles.lookup().findVarHandle(World.class, "handled", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static final class Actor implements Runnable {
        final World w;
        final int me;
        final long seed;
        int next;

        Actor(World w, int me, long seed) {
            this.w = w;
            this.me = me;
            this.seed = seed;
        }

        @Override
        public void run() {
            try {
                all.meet(Script.THREADS);
                play();
                turn(Script.steps);
            } catch (Throwable e) {
                fail(e);
            }
        }

        /** Steps, up to the end or to the exit of the monitor that was entered last. */
        void play() throws Exception {
            while (next < Script.steps) {
                int i = next++;
                if (Script.thread[i] != me)
                    continue;
                turn(i);
                Script.What what = Script.what[i];
                boolean meets = what == Script.What.MEET || what == Script.What.WAIT;
                if (meets) // it waits for who makes a later step
                    pass();
                if (what == Script.What.EXIT)
                    return; // the turn passes when it is left
                if (what == Script.What.ENTER) {
                    synchronized (w.monitor[Script.object[i]]) {
                        pass();
                        play();
                    }
                    pass();
                    continue;
                }
                step(i, what, Script.object[i]);
                if (!meets)
                    pass();
            }
        }

        void step(int i, Script.What what, int o) throws Exception {
            switch (what) {
                case READ:
                case WRITE:
                    if (racy() || !Script.races(i))
                        access(i, what == Script.What.WRITE, o);
                    break;
                case WAIT_EXPIRED: w.monitor[o].wait(0, 1); break;
                case WAIT: w.monitor[o].wait(); break;
                case NOTIFY: w.monitor[o].notifyAll(); break;
                case LOCK: w.lock[o].lock(); break;
                case TRY_LOCK: must(w.lock[o].tryLock()); break;
                case TRY_FAILS: must(!w.lock[o].tryLock()); break;
                case UNLOCK: w.lock[o].unlock(); break;
                case READ_LOCK: w.readWrite.readLock().lock(); break;
                case READ_UNLOCK: w.readWrite.readLock().unlock(); break;
                case WRITE_LOCK: w.readWrite.writeLock().lock(); break;
                case WRITE_UNLOCK: w.readWrite.writeLock().unlock(); break;
                case RELEASE: w.semaphore[o].release(); break;
                case TRY_ACQUIRE: must(w.semaphore[o].tryAcquire()); break;
                case ACQUIRE_FAILS: must(!w.semaphore[o].tryAcquire()); break;
                case COUNT_DOWN: w.latch.countDown(); break;
                case COUNT: use(w.latch.getCount()); break;
                case COMPLETE: w.future[o].complete(null); break;
                case GET_NOW: w.future[o].getNow(null); break;
                case PUT: w.map.put(o, i % 100); break;
                case LOOK_UP: use(w.map.get(o)); break;
                case REPLACE: w.list.set(o, i % 100); break;
                case ELEMENT: use(w.list.get(o)); break;
                case OFFER: must(w.queue.offer(i % 100)); break;
                case POLL: must((w.queue.poll() != null) == (o == 1)); break;
                case UNPARK: LockSupport.unpark(w.thread[o]); break;
                case PARK: LockSupport.park(); break;
                case MEET:
                case MET: w.barrier.await(); break;
                default: atomic(what, o);
            }
        }

        void access(int i, boolean write, int variable) {
            boolean race = false;
            try {
                if (write)
                    set(variable);
                else
                    get(variable);
            } catch (RuntimeException e) {
                must(e.getClass().getName().equals("goldilocks.DataRaceException"));
                race = true;
            }
            Script.told(seed, i, race);
        }

        void get(int variable) {
            switch (variable) {
                case 0: use(w.box.a); break;
                case 1: use(w.box.b); break;
                case 2: use(w.box.c); break;
                case 3: use(w.box.d); break;
                case 4: use(w.box.e); break;
                case 5: use(w.ints[0]); break;
                case 6: use(w.ints[1]); break;
                case 7: use(w.bytes[0]); break;
                default: use(w.bytes[1]);
            }
        }

        void set(int variable) {
            switch (variable) {
                case 0: w.box.a = 1; break;
                case 1: w.box.b = 1; break;
                case 2: w.box.c = 1; break;
                case 3: w.box.d = 1; break; // @d
                case 4: w.box.e = null; break;
                case 5: w.ints[0] = 1; break;
                case 6: w.ints[1] = 1; break;
                case 7: w.bytes[0] = 1; break;
                default: w.bytes[1] = 1;
            }
        }

        void atomic(Script.What what, int o) {
            switch (o) {
                case 0: handle(what); break;
                case 1: field(what); break;
                case 2: element(what); break;
                case 3: integer(what); break;
                default: reference(what);
            }
        }

        void handle(Script.What what) {
            int was = (int) HANDLED.getOpaque(w);
            switch (what) {
                case GET: use((int) HANDLED.getAcquire(w)); break;
                case SET: HANDLED.setRelease(w, was + 1); break;
                case SWAP: must(HANDLED.compareAndSet(w, was, was + 1)); break;
                case ADD: use((int) HANDLED.getAndAdd(w, 1)); break;
                case SWAP_FAILS: must(!HANDLED.compareAndSet(w, was + 1, 0)); break;
                case SET_OPAQUE: HANDLED.setOpaque(w, was + 1); break;
                default:
            }
        }

        void field(Script.What what) {
            int was = (int) FIELD.getOpaque(w);
            switch (what) {
                case GET: use(w.field); break;
                case SET: w.field = was + 1; break;
                case SWAP: must(FIELD.compareAndSet(w, was, was + 1)); break;
                case ADD: use((int) FIELD.getAndBitwiseXor(w, 1)); break;
                case SWAP_FAILS: must((int) FIELD.compareAndExchange(w, was + 1, 0) == was); break;
                case SET_OPAQUE: FIELD.setOpaque(w, was + 1); break;
                default:
            }
        }

        void element(Script.What what) {
            int was = (int) ELEMENTS.getOpaque(w.elements, 1);
            switch (what) {
                case GET: use((int) ELEMENTS.getVolatile(w.elements, 1)); break;
                case SET: ELEMENTS.setVolatile(w.elements, 1, was + 1); break;
                case SWAP: must(ELEMENTS.compareAndSet(w.elements, 1, was, was + 1)); break;
                case ADD: use((int) ELEMENTS.getAndSet(w.elements, 1, was + 1)); break;
                case SWAP_FAILS: must(!ELEMENTS.compareAndSet(w.elements, 1, was + 1, 0)); break;
                case SET_OPAQUE: ELEMENTS.setOpaque(w.elements, 1, was + 1); break;
                default:
            }
        }

        void integer(Script.What what) {
            int was = w.integer.getOpaque();
            switch (what) {
                case GET: use(w.integer.get()); break;
                case SET: w.integer.set(was + 1); break;
                case SWAP: must(w.integer.compareAndSet(was, was + 1)); break;
                case ADD: use(w.integer.incrementAndGet()); break;
                case SWAP_FAILS: must(!w.integer.compareAndSet(was + 1, 0)); break;
                case SET_OPAQUE: w.integer.setOpaque(was + 1); break;
                default:
            }
        }

        void reference(Script.What what) {
            Integer was = w.references.getOpaque(1), other = was == 1 ? 2 : 1;
            switch (what) {
                case GET: use(w.references.get(1)); break;
                case SET: w.references.set(1, other); break;
                case SWAP: must(w.references.compareAndSet(1, was, other)); break;
                case ADD: use(w.references.getAndSet(1, other)); break;
                case SWAP_FAILS: must(!w.references.compareAndSet(1, other, was)); break;
                case SET_OPAQUE: w.references.setOpaque(1, other); break;
                default:
            }
        }

        private static void turn(int n) {
            goldilocks.test.Order.await(n);
        }
    }

    /** Nobody else is there yet; what fails meanwhile does so in a trial as well. */
    static final goldilocks.test.Order.Meeting all = new goldilocks.test.Order.Meeting();

    static void run(long seed) throws Exception {
        if (seed < 0)
            Script.makeTrial();
        else
            Script.make(seed);
        World w = new World();
        begin();
        for (int t = 0; t < Script.THREADS; t++)
            w.thread[t] = new Thread(new Actor(w, t, seed));
        for (Thread t : w.thread)
            t.start();
        for (Thread t : w.thread)
            t.join();
    }

    public static void main(String[] args) throws Exception {
        int scripts = Integer.getInteger("scripts", SCRIPTS);
        long first = Long.getLong("seed", 1);
        run(-1);
        for (int n = 0; n < scripts; n++)
            run(first + n);
        System.out.println(Script.wrong() + " wrong");
        if (Script.found() > 10 * scripts)
            System.out.println("some found");
    }
}
