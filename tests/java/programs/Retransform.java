// SPDX-License-Identifier: Apache-2.0
// Another agent transforms a class again, and redefines it: its fields stay checked, with the history that they have, and its places are the same ones. Object can
// be transformed again, too, whose wait() is native before JDK 19. What such an agent meets of ours in a class file it finds as a file, too.
// OUTPUT: found true
// EXPECT: race Box.x write @1 then write @2
// REPORTS racy: 1
// ALONE: it attaches itself to its JVM
// JVM: -Djdk.attach.allowAttachSelf=true -XX:+EnableDynamicAgentLoading
import static goldilocks.test.Order.*;

import goldilocks.test.Attach;
import java.io.InputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;

public class Retransform {
    static class Box {
        int x;

        void set(int v) {
            x = v; // @1 @2
        }
    }

    static boolean isDefined(String name) {
        try {
            return Class.forName(name) != null;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    public static void main(String[] args) throws Exception {
        Instrumentation instrumentation = Attach.toSelf();
        System.out.println("found " + (isDefined("goldilocks.rt.T") == (Box.class.getResource("/goldilocks/rt/T.class") != null)));
        Box[] box = {new Box(), new Box(), new Box()};
        Box other = new Box();
        Run.guarded(() -> {
            box[0].set(1);
            other.set(1);
            instrumentation.retransformClasses(Box.class, Object.class);
            box[1].set(1);
            try (InputStream in = Box.class.getResourceAsStream("Retransform$Box.class")) {
                instrumentation.redefineClasses(new ClassDefinition(Box.class, in.readAllBytes()));
            }
            box[2].set(1);
            other.set(2);
        }, () -> {
            for (Box each : box)
                each.set(3);
        });
    }
}
