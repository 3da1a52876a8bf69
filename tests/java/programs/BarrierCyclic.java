// SPDX-License-Identifier: Apache-2.0
// CyclicBarrier.
// EXPECT: race Meet.data write Meet@late then read Meet@read
import java.util.concurrent.CyclicBarrier;

class BarrierCyclic {
    public static void main(String[] args) {
        CyclicBarrier barrier = new CyclicBarrier(2);
        Meet.run(barrier::await);
    }
}
