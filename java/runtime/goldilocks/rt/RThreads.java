// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

/** The probes of {@link R} for threads: their start and end, names and interruption. */
class RThreads extends RArrays {
    RThreads() {}

    /** Before a thread is started, by the thread that starts it. A second call does nothing. */
    public static void fork(Thread child) {
        T t = R.outside();
        if (t != null) {
            Threads.fork(t, child);
        }
    }

    /** After a join that has succeeded, or whatever else shows that the thread has ended. */
    public static void joined(Thread child) {
        T t = R.outside();
        if (t != null) {
            T c = Threads.of(child);
            if (c != null) {
                R.join(t.nat, c.nat);
            }
        }
    }

    /** A platform thread ends; by itself. What it does comes before the JVM finds that all have ended but daemons (JLS 17.4.4). */
    public static void lastAct(Thread thread) {
        T t = thread.isDaemon() ? null : R.outside();
        if (t != null) {
            Sync.sourceOf(t, Thread.class, Node.END);
        }
    }

    /** It has found that, and begins to shut down. */
    public static void lastEnded() {
        T t = R.outside();
        if (t != null) {
            Sync.sinkOn(t, Thread.class, Node.END);
        }
    }

    /** Who counts the threads that have ended is about to count this one; by itself, or for it. */
    public static void counted(Thread ended) {
        if (ended != Thread.currentThread()) {
            joined(ended);
        }
    }

    /** After isAlive(). */
    public static void alive(boolean alive, Thread thread) {
        if (!alive) {
            joined(thread);
        }
    }

    /** In place of isAlive(), which is a native method in JDK 17. */
    public static boolean isAlive(Thread thread) {
        boolean alive = thread.isAlive();
        alive(alive, thread);
        return alive;
    }

    /** After a join that may have timed out. */
    public static void joinReturned(Thread thread) {
        if (!thread.isAlive()) {
            joined(thread);
        }
    }

    /** After getState(). */
    public static void state(Thread.State state, Thread thread) {
        if (state == Thread.State.TERMINATED) {
            joined(thread);
        }
    }

    /** A virtual thread has run; by itself. (That of a platform thread is told by the JVM.) */
    public static void ended(Thread thread) {
        T t = R.outside();
        if (t != null) {
            t.busy = true; // what is left of its code is the JDK's
            R.ended(t.nat);
        }
    }

    /**
     * The JDK schedules a virtual thread, in the thread that made it run: what the scheduler's queues pass from thread to thread is not
     * order that the program made (JLS 17.4.4).
     */
    public static void quiet() {
        T t = R.curOrAttach();
        if (t != null) {
            t.quiet++;
            t.busy = true;
        }
    }

    public static void loud() {
        T t = R.cur();
        if (t != null && t.quiet > 0 && --t.quiet == 0) {
            t.busy = false;
        }
    }

    /** After setName(). */
    public static void named(Thread thread) {
        T t = R.outside();
        if (t != null) {
            T c = Threads.of(thread);
            if (c != null) {
                t.busy = true;
                try {
                    R.rename(c.nat, thread.getName());
                } finally {
                    t.busy = false;
                }
            }
        }
    }

    /** Before a thread is interrupted (JLS 17.4.4: that synchronizes with whoever finds it out). */
    public static void interrupt(Thread thread) {
        T t = R.outside();
        if (t != null) {
            Sync.sourceOf(t, thread, Node.INTERRUPT);
        }
    }

    /** After it was asked whether the thread is interrupted. */
    public static void interrupted(boolean yes, Thread thread) {
        T t = yes ? R.outside() : null;
        if (t != null) {
            Sync.sinkOn(t, thread, Node.INTERRUPT);
        }
    }

    /** After getThreadGroup(): a thread that is in none has ended, or is about to and has nothing left to do for the program. */
    public static void grouped(ThreadGroup group, Thread thread) {
        if (group == null && thread != Thread.currentThread()) {
            for (int rounds = 0; thread.isAlive() && R.outside() != null; rounds++) {
                R.pause(rounds);
            }
            joined(thread);
        }
    }

    /** The same for the calling thread. */
    public static void interrupted(boolean yes) {
        interrupted(yes, Thread.currentThread());
    }

    /** An InterruptedException was made, which the calling thread is about to throw. */
    public static void interrupted() {
        RMonitors.waited();
        interrupted(true, Thread.currentThread());
    }

    /** Before a thread is given a handler of exceptions that it does not catch. */
    public static void givesHandler(Thread thread) {
        handler(thread, true);
    }

    /** After the handler was asked for. */
    public static void takesHandler(Thread thread) {
        handler(thread, false);
    }

    /** The same for all threads. */
    public static void givesHandler() {
        handler(Thread.class, true);
    }

    public static void takesHandler() {
        handler(Thread.class, false);
    }

    private static void handler(Object of, boolean gives) {
        T t = R.outside();
        if (t == null) {
            return;
        }
        if (gives) {
            Sync.sourceOf(t, of, Node.HANDLER);
        } else {
            Sync.sinkOn(t, of, Node.HANDLER);
        }
    }

    // ---- tasks of ForkJoinPool ----

    private static final boolean FORKS_BY_VOLATILE_WRITE = Runtime.version().feature() >= 22;

    /** Before a task from outside of the pool is put into a queue. */
    public static void submitted(Object task) {
        T t = R.outside();
        if (t != null) {
            Sync.sourceOf(t, task, Node.TASK);
        }
    }

    /**
     * The same; with JDK 22 and later a task that one of the pool's threads forks (`internal`) is put there by a volatile write.
     * Before, the parameter says something else, and every task is put there by a plain store.
     */
    public static void submitted(Object task, Object pool, boolean internal) {
        if (!internal || !FORKS_BY_VOLATILE_WRITE) {
            submitted(task);
        }
    }

    /** A task is about to be executed. */
    public static void executes(Object task) {
        T t = R.outside();
        if (t != null) {
            Sync.sinkOn(t, task, Node.TASK);
        }
    }
}
