// SPDX-License-Identifier: Apache-2.0

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Has the virtual machine verify classes (run it with -Xverify:all).
 *
 * <pre>
 *     VerifyAll modules DIR [MODULE]...       DIR/MODULE/a/b/C.class: classes a.b.C as the virtual machine finds them (--patch-module)
 *     VerifyAll folder DIR ORIGINAL [MORE]... DIR/a/b/C.class, with what they need in ORIGINAL and MORE (jars or folders)
 * </pre>
 *
 * Ends with 1 when a class was refused that is not refused in ORIGINAL as well.  A class that cannot be verified, because one that it
 * names is not there, is counted.
 */
public final class VerifyAll {
    private static int verified, missing, before, refused;

    private VerifyAll() {}

    public static void main(String[] args) throws IOException {
        Path dir = Path.of(args[1]);
        if (args[0].equals("modules")) {
            ClassLoader system = ClassLoader.getSystemClassLoader();
            List<String> modules = new ArrayList<>();
            for (int i = 2; i < args.length; i++) {
                modules.add(args[i]);
            }
            if (modules.isEmpty()) {
                for (File f : dir.toFile().listFiles()) {
                    modules.add(f.getName());
                }
            }
            for (String module : modules) {
                for (String name : classesOf(dir.resolve(module))) {
                    verify(name, system, null);
                }
            }
        } else {
            List<URL> path = new ArrayList<>();
            for (int i = 2; i < args.length; i++) {
                path.add(new File(args[i]).toURI().toURL());
            }
            ClassLoader old = new URLClassLoader(path.toArray(new URL[0]));
            path.add(0, dir.toUri().toURL());
            ClassLoader changed = new URLClassLoader(path.toArray(new URL[0]));
            for (String name : classesOf(dir)) {
                verify(name, changed, old);
            }
        }
        System.out.println(verified + " classes verified, " + missing + " not, for others are missing, " + before
            + " refused unchanged, too, " + refused + " refused");
        System.exit(refused == 0 ? 0 : 1);
    }

    private static List<String> classesOf(Path dir) throws IOException {
        List<String> names = new ArrayList<>();
        try (Stream<Path> files = Files.walk(dir)) {
            files.forEach(file -> {
                String name = dir.relativize(file).toString();
                if (name.endsWith(".class") && !name.startsWith("META-INF") && !name.endsWith("-info.class")
                    && !name.startsWith("goldilocks")) {
                    names.add(name.substring(0, name.length() - 6).replace('/', '.'));
                }
            });
        }
        names.sort(null);
        return names;
    }

    /** Links the class, which verifies it; null when all is well. */
    private static Throwable link(String name, ClassLoader loader) {
        try {
            Class.forName(name, false, loader).getDeclaredMethods();
            return null;
        } catch (Throwable t) {
            return t;
        }
    }

    private static void verify(String name, ClassLoader loader, ClassLoader old) {
        Throwable t = link(name, loader);
        if (t == null) {
            verified++;
        } else if (t instanceof NoClassDefFoundError || t instanceof ClassNotFoundException || t instanceof TypeNotPresentException) {
            missing++;
        } else if (old != null && link(name, old) != null) {
            before++;
        } else {
            refused++;
            System.out.println(name + ": " + t);
        }
    }
}
