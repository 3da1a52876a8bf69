// SPDX-License-Identifier: Apache-2.0
import static goldilocks.test.Order.*;

import goldilocks.test.Order.Meeting;

/**
 * Starts the threads of a program. No thread begins before all run, and none ends before all are done, so that the
 * JDK's own bookkeeping at the start and end of a thread orders nothing.
 */
final class Run {
    interface Body {
        void run() throws Exception;
    }

    static final Body NOTHING = () -> {};

    static {
        racy(); // so that Order is there before any thread is
    }

    private Run() {}

    /** A thread for each body; joins them all. */
    static void all(Body... bodies) {
        int n = bodies.length;
        Meeting meeting = new Meeting();
        begin();
        Thread[] threads = new Thread[n];
        for (int i = 0; i < n; i++) {
            Body body = bodies[i];
            threads[i] = new Thread(() -> {
                meeting.meet(n);
                call(body);
                meeting.meet(n);
            });
        }
        for (Thread thread : threads)
            thread.start();
        for (Thread thread : threads)
            join(thread);
    }

    /** Two threads, the first body before the second one; nothing but that invisible order between them. */
    static void turns(Body first, Body second) {
        all(() -> {
            first.run();
            pass();
        }, () -> {
            await(1);
            second.run();
        });
    }

    /** The same; in the twin both bodies run under one monitor. */
    static void guarded(Body first, Body second) {
        turns(() -> guard(first), () -> guard(second));
    }

    private static void guard(Body body) throws Exception {
        if (racy()) {
            body.run();
            return;
        }
        synchronized (NOTHING) {
            body.run();
        }
    }

    /** A thread that has been started. */
    static Thread start(Body body) {
        Thread thread = new Thread(() -> call(body));
        thread.start();
        return thread;
    }

    static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            fail(e);
        }
    }

    /** Runs the body; whatever it throws ends the program. */
    static void call(Body body) {
        try {
            body.run();
        } catch (Throwable e) {
            fail(e);
        }
    }
}
