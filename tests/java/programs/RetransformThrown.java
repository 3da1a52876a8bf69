// SPDX-License-Identifier: Apache-2.0
// An exception whose superclass was not seen when it was loaded, and does not look like one by its name: it stays what it became then when it is transformed again.
// EXPECT: race RetransformThrown.x write @1 then write @2
// ALONE: it attaches itself to its JVM
// JVM: -Djdk.attach.allowAttachSelf=true -XX:+EnableDynamicAgentLoading
import goldilocks.test.Attach;
import java.lang.instrument.Instrumentation;

class RetransformThrown {
    static int x;

    static class TooDeep extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    static class MuchTooDeep extends TooDeep {
        private static final long serialVersionUID = 1;
    }

    private static void set(int value) {
        x = value; // @1 @2
    }

    public static void main(String[] args) throws Exception {
        Class<?> thrown = new MuchTooDeep().getClass();
        Instrumentation instrumentation = Attach.toSelf();
        for (int i = 0; i < 2; i++)
            instrumentation.retransformClasses(thrown, thrown.getSuperclass());
        Run.guarded(() -> set(1), () -> set(2));
    }
}
