// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import java.util.concurrent.SynchronousQueue;

/** The test's side of host.c, and threads that do what they are told. Nothing here is instrumented: its synchronization is not seen. */
final class Host {
    private Host() {}

    /** Makes a site mean a field; plain instance fields have shadow fields $w$name and $s$name. */
    static native void field(int site, Class<?> declaring, String name, String desc, int kind, boolean isStatic, int classId);

    /** The races since the last call: site, earlier site, index, thread, earlier thread, write, earlier write, object's hash. */
    static native int[] take();

    /** Races become exceptions. */
    static native void throwing(boolean on);

    static final int LOST = 0, THREADS = 1, RECORDS = 2, SYNCS = 3; // as in java/bridge.h

    static native long count(int which);

    static native long coreCount(String name);

    static native void groupAtOnce();

    /** The calling thread has ended, as far as the bridge knows. */
    static native void ended();

    interface Job {
        void run() throws Throwable;
    }

    /** A thread that runs jobs, one at a time, while its master waits. */
    static final class Actor extends Thread {
        private final SynchronousQueue<Job> jobs = new SynchronousQueue<>();
        private final SynchronousQueue<Object> done = new SynchronousQueue<>();

        Actor(String name) {
            super(name);
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (;;) {
                    Job job = jobs.take();
                    Object result = this;
                    if (job == null) {
                        return;
                    }
                    try {
                        job.run();
                    } catch (End e) {
                        done.put(this);
                        return;
                    } catch (Throwable t) {
                        result = t;
                    }
                    done.put(result);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Runs the job on this thread and returns when it is done; rethrows what it threw. */
        void does(Job job) {
            try {
                jobs.put(job);
                Object result = done.take();
                if (result instanceof RuntimeException) {
                    throw (RuntimeException) result;
                }
                if (result instanceof Throwable) {
                    throw new IllegalStateException((Throwable) result);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Ends the thread; returns when it has ended. */
        void ends() {
            does(() -> {
                throw new End();
            });
            try {
                join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static final class End extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** A started actor that the caller has forked. */
    static Actor forked(String name) {
        Actor a = new Actor(name);
        R.fork(a);
        a.start();
        return a;
    }

    /** A started actor that nobody has forked. */
    static Actor stray(String name) {
        Actor a = new Actor(name);
        a.start();
        return a;
    }

    static int failed;

    static void check(boolean good, String what) {
        if (!good) {
            failed++;
            System.out.println("FAILED: " + what);
            new Throwable().printStackTrace(System.out);
        }
    }

    /** Exactly so many races, of these sites (either may be -1: any). */
    static void races(int n, int site, int thenSite, String what) {
        int[] r = take();
        check(r.length == 8 * n, what + ": " + r.length / 8 + " races, not " + n);
        for (int i = 0; i < r.length; i += 8) {
            check(site < 0 || r[i] == site, what + ": site " + r[i] + ", not " + site);
            check(thenSite < 0 || r[i + 1] == thenSite, what + ": earlier site " + r[i + 1] + ", not " + thenSite);
        }
    }

    static void none(String what) {
        races(0, -1, -1, what);
    }
}
