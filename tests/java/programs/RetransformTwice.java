// SPDX-License-Identifier: Apache-2.0
// A loader that has defined a class is asked for it once more, with other bytes, which the JVM refuses: the class is transformed again with the methods that it has got.
// EXPECT: race Box.x write @1 then write @2
// REPORTS racy: 1
// ALONE: it attaches itself to its JVM
// JVM: -Djdk.attach.allowAttachSelf=true -XX:+EnableDynamicAgentLoading
import static goldilocks.test.Order.*;

import com.sun.tools.attach.VirtualMachine;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

public class RetransformTwice {
    static class Box {
        int x, y;

        void set(int v) {
            x = v; // @1
        }
    }

    /* The other Box: a class file in which nothing but the name is another one, of the same length. */
    static class New {
        int x, y;

        void set(int v) {
            y = v;
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
        attributes.putValue("Agent-Class", "RetransformTwice");
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
        try (InputStream in = Box.class.getResourceAsStream("RetransformTwice$New.class")) {
            String text = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
            return text.replace("RetransformTwice$New", "RetransformTwice$Box").replace("\u0003New", "\u0003Box").getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    static class Loader extends ClassLoader {
        Loader() {
            super(RetransformTwice.class.getClassLoader());
        }

        Class<?> define(byte[] file) {
            return defineClass("RetransformTwice$Box", file, 0, file.length);
        }
    }

    static byte[] first() throws Exception {
        try (InputStream in = RetransformTwice.class.getResourceAsStream("RetransformTwice$Box.class")) {
            return in.readAllBytes();
        }
    }

    public static void main(String[] args) throws Exception {
        attach();
        Loader loader = new Loader();
        Class<?> made = loader.define(first());
        try {
            loader.define(changed());
            throw new AssertionError("defined twice");
        } catch (LinkageError e) {
            Constructor<?> make = made.getDeclaredConstructor();
            make.setAccessible(true);
            make.newInstance(); // links it: a class that is not linked the JVM tells nothing of
            instrumentation.retransformClasses(made);
        }
        Box box = new Box();
        Run.guarded(() -> box.set(1), () -> box.x = 2); // @2
    }
}
