// SPDX-License-Identifier: Apache-2.0
// Threads of a flock come before what its owner does when it has awaited all, virtual or not: what StructuredTaskScope rests on.
// EXPECT: race Async.input write Async@late then read Async@input
// EXPECT: race Async.result write Async@result then read Async@early
// JDK: 21+
// JVM: -Djdk.virtualThreadScheduler.parallelism=4 --add-exports java.base/jdk.internal.misc=ALL-UNNAMED
import java.lang.reflect.Method;

class VirtualFlock {
    private static final Method OPEN = of("open", String.class), START = of("start", Thread.class), AWAIT = of("awaitAll"), CLOSE = of("close");

    private static Method of(String name, Class<?>... parameters) {
        try {
            return Class.forName("jdk.internal.misc.ThreadFlock").getMethod(name, parameters);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Does nothing in a flock of its own, so that what the JVM links at a first use orders nothing. */
    private static void begin() throws Exception {
        Object flock = OPEN.invoke(null, "first");
        START.invoke(flock, Thread.ofVirtual().unstarted(() -> {}));
        AWAIT.invoke(flock);
        CLOSE.invoke(flock);
    }

    public static void main(String[] args) throws Exception {
        begin();
        Object flock = OPEN.invoke(null, "flock");
        Async.run(work -> START.invoke(flock, Thread.ofVirtual().unstarted(work)), () -> AWAIT.invoke(flock));
        CLOSE.invoke(flock);
    }
}
