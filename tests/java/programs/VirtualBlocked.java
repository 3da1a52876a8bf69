// SPDX-License-Identifier: Apache-2.0
// Virtual threads that block on a lock, a queue and a sleep move between carriers and stay themselves.
// EXPECT: race VirtualBlocked.plain write @1 then write @2
// JDK: 21+
// OUTPUT: 2000 1000
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;

class VirtualBlocked {
    static final int THREADS = 1000;
    static int count;
    static int plain;

    static class Mail {
        int value;
    }

    public static void main(String[] args) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        LinkedBlockingQueue<Mail> queue = new LinkedBlockingQueue<>();
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++)
            threads[i] = Thread.startVirtualThread(() -> Run.call(() -> {
                int own = 0;
                Mail mail = new Mail();
                mail.value = 1;
                queue.put(mail);
                Thread.sleep(1);
                own += queue.take().value;
                lock.lock();
                count += own;
                lock.unlock();
                Thread.yield();
                synchronized (queue) {
                    own += 1;
                }
                lock.lock();
                count += own - 1;
                lock.unlock();
            }));
        for (Thread thread : threads)
            thread.join();
        Run.guarded(
            () -> plain = 1, // @1
            () -> plain = 2); // @2
        System.out.println(count + " " + THREADS);
    }
}
