// SPDX-License-Identifier: Apache-2.0
// A debugger puts in another body, which writes a field that no method of its class wrote before, and no more the one that it wrote: the class gets no methods for it,
// and loses none. The access is checked as those of other classes are.
// EXPECT: race Box.y write @1 then write @2
// REPORTS racy: 1
// ALONE: it attaches itself to its JVM
// JVM: -Djdk.attach.allowAttachSelf=true -XX:+EnableDynamicAgentLoading
import static goldilocks.test.Order.*;

import com.sun.tools.attach.VirtualMachine;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

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

    static volatile Instrumentation instrumentation;

    public static void agentmain(String arguments, Instrumentation given) {
        instrumentation = given;
    }

    static void attach() throws Exception {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Agent-Class", "RetransformBody");
        attributes.putValue("Can-Redefine-Classes", "true");
        attributes.putValue("Can-Retransform-Classes", "true");
        Path jar = Files.createTempFile("agent", ".jar");
        try {
            try (OutputStream out = Files.newOutputStream(jar)) {
                new JarOutputStream(out, manifest).close();
            }
            VirtualMachine machine = VirtualMachine.attach(Long.toString(ProcessHandle.current().pid()));
            machine.loadAgent(jar.toString());
            machine.detach();
        } finally {
            Files.delete(jar);
        }
    }

    static byte[] changed() throws Exception {
        try (InputStream in = Box.class.getResourceAsStream("RetransformBody$New.class")) {
            String text = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
            return text.replace("RetransformBody$New", "RetransformBody$Box").replace("\u0003New", "\u0003Box").getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    public static void main(String[] args) throws Exception {
        attach();
        Box box = new Box();
        box.set(1);
        instrumentation.redefineClasses(new ClassDefinition(Box.class, changed()));
        Run.guarded(() -> box.set(1), () -> box.y = 2); // @2
    }
}
