// SPDX-License-Identifier: Apache-2.0
// A thread that dies of an exception finds the handler that it was given, and what was done before.
// EXPECT: race ThreadHandler.data write @1 then read @2
import static goldilocks.test.Order.*;

class ThreadHandler implements Thread.UncaughtExceptionHandler {
    int data;

    @Override
    public void uncaughtException(Thread thread, Throwable thrown) {
        use(data); // @2
    }

    public static void main(String[] args) {
        begin();
        Thread thread = new Thread(() -> {
            await(1);
            throw new IllegalStateException();
        });
        thread.start();
        ThreadHandler handler = new ThreadHandler();
        if (racy())
            thread.setUncaughtExceptionHandler(handler);
        handler.data = 1; // @1
        if (!racy())
            thread.setUncaughtExceptionHandler(handler);
        pass();
        Run.join(thread);
    }
}
