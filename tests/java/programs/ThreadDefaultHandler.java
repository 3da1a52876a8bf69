// SPDX-License-Identifier: Apache-2.0
// The same for the handler of all threads.
// EXPECT: race ThreadDefaultHandler.data write @1 then read @2
// ALONE: the handler is the JVM's
import static goldilocks.test.Order.*;

class ThreadDefaultHandler implements Thread.UncaughtExceptionHandler {
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
        ThreadDefaultHandler handler = new ThreadDefaultHandler();
        if (racy())
            Thread.setDefaultUncaughtExceptionHandler(handler);
        handler.data = 1; // @1
        if (!racy())
            Thread.setDefaultUncaughtExceptionHandler(handler);
        pass();
        Run.join(thread);
    }
}
