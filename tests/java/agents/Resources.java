// SPDX-License-Identifier: Apache-2.0
import java.io.DataInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An agent beside ours that looks, for each class that it is given, for the class files of what the class names, as byte-buddy and javassist do: by
 * the class's loader. As a program it uses a few classes, has them transformed again, among them one for which other bytes were refused meanwhile, and tells what was named
 * and not found.
 */
public final class Resources implements ClassFileTransformer {
    private static final Pattern NAME = Pattern.compile("goldilocks/[\\w/$]+");
    private static final Set<String> named = new ConcurrentSkipListSet<>();
    private static final Set<String> lost = new ConcurrentSkipListSet<>();
    private static Instrumentation instrumentation;

    static final class Box {
        private int value;
        private volatile int count;
        private int[] values = new int[4];

        synchronized int add(int n) {
            for (int i = 0; i < values.length; i++)
                values[i] += n;
            count++;
            return value += n;
        }
    }

    /** Two class files in which nothing but the name and what is set is another one. */
    public static class Pair {
        int x, y;

        public void set(int v) {
            x = v;
        }
    }

    public static class Riap {
        int x, y;

        public void set(int v) {
            y = v;
        }
    }

    static final class Loader extends ClassLoader {
        Loader() {
            super(Resources.class.getClassLoader());
        }

        Class<?> make(String of) throws IOException {
            try (InputStream in = Resources.class.getResourceAsStream("Resources$" + of + ".class")) {
                String text = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
                byte[] file = text.replace("Resources$Riap", "Resources$Pair").replace("\u0004Riap", "\u0004Pair").getBytes(StandardCharsets.ISO_8859_1);
                return defineClass("Resources$Pair", file, 0, file.length);
            }
        }
    }

    /** A loader has a class, and is refused another one of its name, which sets another field: the first can be transformed again. */
    private static void twice() throws Exception {
        Loader loader = new Loader();
        Class<?> c = loader.make("Pair");
        try {
            loader.make("Riap");
            throw new AssertionError("a class was defined twice");
        } catch (LinkageError expected) {
            Object o = c.getConstructor().newInstance();
            c.getMethod("set", int.class).invoke(o, 1);
            instrumentation.retransformClasses(c);
            c.getMethod("set", int.class).invoke(o, 2);
        }
    }

    public static void premain(String argument, Instrumentation given) {
        instrumentation = given;
        given.addTransformer(new Resources(), true);
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> again, ProtectionDomain domain, byte[] file) {
        if (loader != null && name != null && name.startsWith("Resources")) {
            try {
                for (String one : names(file)) {
                    named.add(one);
                    try (InputStream in = loader.getResourceAsStream(one + ".class")) {
                        if (in == null || new DataInputStream(in).readInt() != 0xCAFEBABE)
                            lost.add(one);
                    }
                }
            } catch (IOException e) {
                lost.add(e.toString());
            }
        }
        return null;
    }

    /** Our classes that the constants of a class file name. */
    private static Set<String> names(byte[] file) throws IOException {
        Set<String> found = new TreeSet<>();
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(file));
        in.skipBytes(8);
        for (int i = 1, n = in.readUnsignedShort(); i < n; i++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1:
                    Matcher matcher = NAME.matcher(in.readUTF());
                    while (matcher.find())
                        found.add(matcher.group());
                    break;
                case 5, 6: // long, double: two numbers
                    i++;
                    in.skipBytes(8);
                    break;
                case 7, 8, 16, 19, 20:
                    in.skipBytes(2);
                    break;
                case 15:
                    in.skipBytes(3);
                    break;
                default:
                    in.skipBytes(4);
            }
        }
        return found;
    }

    public static void main(String[] arguments) throws Exception {
        Box box = new Box();
        for (int i = 0; i < 1000; i++)
            box.add(i);
        instrumentation.retransformClasses(Box.class, Resources.class);
        if (box.add(1) != 499501)
            throw new AssertionError("the sum is wrong");
        twice();
        System.out.println(named.contains("goldilocks/rt/T") && lost.isEmpty() ? "all found" : "named " + named + ", not found " + lost);
    }
}
