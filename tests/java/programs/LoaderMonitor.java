// SPDX-License-Identifier: Apache-2.0
// The JVM holds the monitor of a loader that is not parallel capable while it asks it for a class, also when the loader says that there is none.
// EXPECT: race LoaderMonitor.asked write @1 then write @2
import static goldilocks.test.Order.*;

import java.io.InputStream;

public class LoaderMonitor extends ClassLoader {
    int asked;

    LoaderMonitor() {
        super(LoaderMonitor.class.getClassLoader());
    }

    public static class First implements Runnable {
        public void run() {
            new Inner();
        }
    }

    public static class Second implements Runnable {
        public void run() {
            new Other();
        }
    }

    public static class Inner {}

    public static class Other {}

    @Override
    public Class<?> loadClass(String name) throws ClassNotFoundException {
        asked = 1; // @1
        if (!name.startsWith("LoaderMonitor$"))
            return super.loadClass(name);
        Class<?> known = findLoadedClass(name);
        if (known != null)
            return known;
        try (InputStream in = LoaderMonitor.class.getResourceAsStream("/" + name + ".class")) {
            byte[] bytes = in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (java.io.IOException e) {
            throw new ClassNotFoundException(name);
        }
    }

    private static Runnable make(ClassLoader loader, String name) {
        try {
            return (Runnable) loader.loadClass(name).getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static void missing(ClassLoader loader) {
        try {
            Class.forName("missing", false, loader); // by the JVM, which calls loadClass
            throw new AssertionError();
        } catch (ClassNotFoundException e) {
            use(0);
        }
    }

    public static void main(String[] args) {
        LoaderMonitor loader = new LoaderMonitor();
        Runnable first;
        Runnable second;
        synchronized (loader) {
            first = make(loader, "LoaderMonitor$First");
            second = make(loader, "LoaderMonitor$Second");
        }
        Run.turns(
            () -> {
                first.run();
                missing(loader);
            },
            () -> {
                if (racy())
                    loader.asked = 5; // @2
                else
                    second.run();
            });
    }
}
