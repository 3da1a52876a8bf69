// SPDX-License-Identifier: Apache-2.0
package kernels;

/**
 * Micro-benchmark of the 2006 report: threads insert into, delete from and look up in one multiset of integers. It is
 * an array of slots, each under its own monitor. The size is the number of operations of all threads together.
 */
final class Multiset extends Kernel {
    static final int SIZE = 100_000;
    static final int REDUCED = 50_000;
    private static final int SLOTS = 32;
    private static final int VALUES = 16;

    private static final class Slot {
        boolean full;
        int value;
    }

    private final Slot[] slots = new Slot[SLOTS];
    private final int[] balance; // of each thread: insertions - deletions

    Multiset(int threads, int size) {
        super(threads, size);
        for (int i = 0; i < SLOTS; i++)
            slots[i] = new Slot();
        balance = new int[threads];
    }

    private boolean insert(int value, int start) {
        for (int i = 0; i < SLOTS; i++) {
            Slot slot = slots[(start + i) % SLOTS];
            synchronized (slot) {
                if (!slot.full) {
                    slot.full = true;
                    slot.value = value;
                    return true;
                }
            }
        }
        return false;
    }

    private boolean delete(int value) {
        for (Slot slot : slots)
            synchronized (slot) {
                if (slot.full && slot.value == value) {
                    slot.full = false;
                    return true;
                }
            }
        return false;
    }

    private int count(int value) {
        int n = 0;
        for (Slot slot : slots)
            synchronized (slot) {
                if (slot.full && slot.value == value)
                    n++;
            }
        return n;
    }

    @Override
    void run(int id) {
        Lcg random = new Lcg(id + 1);
        int mine = 0;
        for (int i = first(size, id); i < first(size, id + 1); i++) {
            int value = random.next(VALUES);
            switch (random.next(3)) {
                case 0:
                    mine += insert(value, random.next(SLOTS)) ? 1 : 0;
                    break;
                case 1:
                    mine -= delete(value) ? 1 : 0;
                    break;
                default:
                    expect(count(value) <= SLOTS, "more elements than slots");
            }
        }
        balance[id] = mine;
    }

    @Override
    void check() {
        int inserted = 0;
        for (int one : balance)
            inserted += one;
        int there = 0;
        for (int value = 0; value < VALUES; value++)
            there += count(value);
        expect(there == inserted, "there are " + there + " elements, inserted were " + inserted);
    }
}
