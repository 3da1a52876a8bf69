// SPDX-License-Identifier: Apache-2.0
// A class that was loaded before any agent (it is the system's class loader) is transformed again, and again: nothing can be added to it, at no time.
// EXPECT: race RetransformEarly.early write @1 then write @2
// ALONE: it attaches itself to its JVM
// JVM: -Djava.system.class.loader=RetransformEarly -Xlog:cds=off -Djdk.attach.allowAttachSelf=true -XX:+EnableDynamicAgentLoading
// REPORT: ^goldilocks: 1 of the application's classes had been loaded before the agent was up \(RetransformEarly\): fields of their objects are not checked;
import goldilocks.test.Attach;
import java.lang.instrument.Instrumentation;

public class RetransformEarly extends ClassLoader {
    static int early;
    int plain;

    public RetransformEarly(ClassLoader parent) {
        super(parent);
    }

    void appendToClassPathForInstrumentation(String jar) {} // the JVM wants it; its parent finds the agent's class

    private static void set(int value) {
        early = value; // @1 @2
    }

    public static void main(String[] args) throws Exception {
        Instrumentation instrumentation = Attach.toSelf();
        for (int i = 0; i < 3; i++)
            instrumentation.retransformClasses(RetransformEarly.class);
        Run.guarded(() -> set(1), () -> set(2));
    }
}
