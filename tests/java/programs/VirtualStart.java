// SPDX-License-Identifier: Apache-2.0
// A virtual thread: start and join.
// EXPECT: race Async.input write Async@late then read Async@input
// EXPECT: race Async.result write Async@result then read Async@early
// JDK: 21+
// JVM: -Djdk.virtualThreadScheduler.parallelism=4

class VirtualStart {
    public static void main(String[] args) throws Exception {
        Thread[] thread = new Thread[1];
        Async.run(work -> thread[0] = Thread.startVirtualThread(work), () -> Run.join(thread[0]));
    }
}
