// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import jdk.internal.misc.Unsafe;

/**
 * A thread that has read two bytes asks whether it has written them, while another one moves the cell's accesses about in their record, as the core
 * does: a read stands among the writes for a moment (docs/concurrency.md, F.3). It has never written them. Who asks is not compiled (tests/java/runtime/run), so
 * that a look takes longer than a change.
 */
final class SideTest {
    private SideTest() {}

    private static final Unsafe U = Unsafe.getUnsafe();
    private static final int TURNS = 20_000, READS = 12; // the mask of bytes 2 and 3
    private static final long WORD = Layout.LONGS, LAST_WRITE = Access.SIDE_HEAD + 8, READ = LAST_WRITE + 8; // of two writes and a read

    private static volatile boolean over;
    private static volatile int looks;
    private static int met, found;

    public static void main(String[] args) throws InterruptedException {
        byte[] bytes = new byte[4];
        Host.Actor first = Host.forked("first"), second = Host.forked("second"), asks = Host.forked("asks");
        second.does(() -> R.awriteB(bytes, 1, R.thread(), 82));
        asks.does(() -> R.areadRange(bytes, 2, 4, 83));
        first.does(() -> R.awriteB(bytes, 0, R.thread(), 81));
        asks.does(() -> {
            long[] cells = A.shadow(R.cur(), bytes, 1);
            Host.check(Access.seen(R.cur(), cells, WORD, cells[0], READS, Access.READ), "the read is there");
            Host.check(!Access.seen(R.cur(), cells, WORD, cells[0], READS, Access.WRITE), "and is no write");
        });
        Thread master = new Thread(() -> asks.does(() -> {
            T t = R.cur();
            long[] cells = A.shadow(t, bytes, 1);
            long changes = Access.record(cells[0]) + Access.SIDE_CHANGES;
            while (!over) {
                looks++;
                long word = U.getLongAcquire(cells, WORD);
                if (word != Access.LOCKED) {
                    short before = U.getShortAcquire(null, changes);
                    found += Access.seen(t, cells, WORD, word, READS, Access.WRITE) ? 1 : 0;
                    over = U.getShortAcquire(null, changes) != before && ++met == TURNS;
                }
            }
        }));
        master.start();
        first.does(() -> change(A.shadow(R.cur(), bytes, 1)));
        master.join();
        Host.none("bytes of their own");
        Host.check(found == 0, "a read was taken for a write, " + found + " times in " + TURNS);
        System.out.println(Host.failed == 0 ? "SideTest: passed" : "SideTest: failed");
        System.exit(Host.failed == 0 ? 0 : 1);
    }

    private static void change(long[] cells) {
        long word = cells[0], record = Access.record(word);
        Host.check((int) (word >>> 32) == Access.SIDE && U.getInt(record + 4) == (1 << 16 | 2), "two writes and a read");
        for (int i = 0; !over; i++) {
            for (int seen = looks, k = 0; looks == seen && !over; k++) { // one change for a look, now sooner, now later
                if (k < 1000) {
                    Thread.onSpinWait();
                } else {
                    Thread.yield();
                }
            }
            for (int k = i % 64; k > 0; k--) {
                Thread.onSpinWait();
            }
            U.putLongVolatile(cells, WORD, Access.LOCKED);
            U.putShort(null, record + Access.SIDE_CHANGES, (short) (U.getShort(null, record + Access.SIDE_CHANGES) + 1));
            U.storeFence();
            swap(record);
            Thread.onSpinWait();
            swap(record);
            U.putLongRelease(cells, WORD, word);
        }
    }

    private static void swap(long record) {
        long write = U.getLong(record + LAST_WRITE), read = U.getLong(record + READ);
        U.putLongVolatile(null, record + LAST_WRITE, read);
        U.putLongVolatile(null, record + READ, write);
    }
}
