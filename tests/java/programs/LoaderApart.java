// SPDX-License-Identifier: Apache-2.0
// A class loader that keeps its classes apart, as those of OSGi and JBoss Modules do: it asks nobody for packages that it does not know. What it loads is
// checked, and works.
// EXPECT: race LoaderApart$Inside.x write @1 then write @1
// EXPECT: race Apart.asked write @2 then write @2
import static goldilocks.test.Order.*;

import java.io.IOException;
import java.io.InputStream;

public class LoaderApart {
    public static class Inside implements Runnable {
        private int x;

        @Override
        public synchronized void run() {
            set();
        }

        public void set() {
            x = 1; // @1
        }
    }

    static class Apart extends ClassLoader {
        int asked;

        @Override
        public synchronized Class<?> loadClass(String name) throws ClassNotFoundException {
            return loadClass(name, false);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals("java.lang.None"))
                asked = 1; // @2
            if (name.startsWith("java."))
                return super.loadClass(name, resolve);
            Class<?> known = findLoadedClass(name);
            if (known != null)
                return known;
            if (!name.equals(Inside.class.getName()))
                throw new ClassNotFoundException(name + " is not mine");
            try (InputStream in = LoaderApart.class.getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }

        void ask() {
            try {
                loadClass("java.lang.None", false);
            } catch (ClassNotFoundException e) {
                use(e);
            }
        }

        synchronized void askLocked() {
            ask();
        }
    }

    private static Object inside, other;

    private static void call(Object o, String method) throws Exception {
        o.getClass().getMethod(method).invoke(o);
    }

    public static void main(String[] args) throws Exception {
        Apart loader = new Apart();
        Class<?> type = loader.loadClass(Inside.class.getName());
        must(type != Inside.class);
        inside = type.getConstructor().newInstance();
        other = type.getConstructor().newInstance();
        call(other, "run");
        call(other, "set");
        String method = racy() ? "set" : "run";
        Run.turns(() -> call(inside, method), () -> call(inside, method));
        Run.turns(() -> {
            if (racy())
                loader.ask();
            else
                loader.askLocked();
        }, () -> {
            if (racy())
                loader.ask();
            else
                loader.askLocked();
        });
        must(java.lang.reflect.Modifier.isSynchronized(Apart.class.getMethod("loadClass", String.class).getModifiers()));
        for (java.lang.reflect.Method m : Apart.class.getDeclaredMethods())
            must(m.getName().indexOf('$') < 0 || m.isSynthetic() && !m.getName().startsWith("$gl"));
    }
}
