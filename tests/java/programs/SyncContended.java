// SPDX-License-Identifier: Apache-2.0
// The same with a monitor and wait/notify between two pairs of threads.
// EXPECT: race SyncContended.plain write @1 then write @2
// OUTPUT: 20000 0

class SyncContended {
    static int produced;
    static int stock;
    static int plain;

    public static void main(String[] args) {
        Object lock = new Object();
        Run.Body produce = () -> {
            for (int i = 0; i < 10_000; i++)
                synchronized (lock) {
                    while (stock >= 50)
                        lock.wait();
                    stock++;
                    produced++;
                    lock.notifyAll();
                }
        };
        Run.Body consume = () -> {
            for (int i = 0; i < 10_000; i++)
                synchronized (lock) {
                    while (stock == 0)
                        lock.wait();
                    stock--;
                    lock.notifyAll();
                }
        };
        Run.all(produce, consume, produce, consume);
        Run.guarded(
            () -> plain = 1, // @1
            () -> plain = 2); // @2
        System.out.println(produced + " " + stock);
    }
}
