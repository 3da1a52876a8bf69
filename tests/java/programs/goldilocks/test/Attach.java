// SPDX-License-Identifier: Apache-2.0
package goldilocks.test;

import com.sun.tools.attach.VirtualMachine;
import java.io.OutputStream;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** Another agent beside ours: a program that attaches itself to its JVM ("JVM: -Djdk.attach.allowAttachSelf=true -XX:+EnableDynamicAgentLoading"). */
public final class Attach {
    private static volatile Instrumentation instrumentation;

    public static void agentmain(String arguments, Instrumentation given) {
        instrumentation = given;
    }

    /** What it may do then: transform classes again and redefine them. */
    public static Instrumentation toSelf() throws Exception {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Agent-Class", Attach.class.getName());
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
        return instrumentation;
    }

    private Attach() {}
}
