// SPDX-License-Identifier: Apache-2.0
// A debugger puts in another body, which writes a field that no method of its class wrote before, and no more the one that it wrote: the class gets no methods for it,
// and loses none. The access is checked as those of other classes are.
// EXPECT: race Box.y write @1 then write @2
// REPORTS racy: 1
// ALONE: it attaches itself to its JVM
// JVM: -Djdk.attach.allowAttachSelf=true -XX:+EnableDynamicAgentLoading
import static goldilocks.test.Order.*;

import goldilocks.test.Attach;
import java.io.InputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;

public class RetransformBody {
    static class Box {
        int x, y;

        void set(int v) {
            x = v;
        }
    }

    /* What becomes of Box: a class file in which nothing but the name is another one, of the same length. */
    static class New {
        int x, y;

        void set(int v) {
            y = v; // @1
        }
    }

    static byte[] changed() throws Exception {
        try (InputStream in = Box.class.getResourceAsStream("RetransformBody$New.class")) {
            String text = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
            return text.replace("RetransformBody$New", "RetransformBody$Box").replace("\u0003New", "\u0003Box").getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    public static void main(String[] args) throws Exception {
        Instrumentation instrumentation = Attach.toSelf();
        Box box = new Box();
        box.set(1);
        instrumentation.redefineClasses(new ClassDefinition(Box.class, changed()));
        Run.guarded(() -> box.set(1), () -> box.y = 2); // @2
    }
}
