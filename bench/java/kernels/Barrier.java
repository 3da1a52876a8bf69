// SPDX-License-Identifier: Apache-2.0
package kernels;

/**
 * A barrier of a monitor and a volatile variable, as such codes make it: the last one to arrive begins a new
 * generation.
 */
final class Barrier {
    private static final int BUSY_ROUNDS = 1000;

    private final int parties;
    private int waiting;
    private volatile int generation;

    Barrier(int parties) {
        this.parties = parties;
    }

    void await() {
        int mine = generation;
        synchronized (this) {
            if (++waiting == parties) {
                waiting = 0;
                generation = mine + 1;
                return;
            }
        }
        for (int i = 0; generation == mine; i++)
            if (i < BUSY_ROUNDS)
                Thread.onSpinWait();
            else
                Thread.yield();
    }
}
