// SPDX-License-Identifier: Apache-2.0
// What a program may ask about its own classes is answered as without the agent: numbers that serialization computes, what is wrong with a class whose
// initialization fails, who called loadClass.
// EXPECT: race Shared.data write @1 then write @1
import static goldilocks.test.Order.*;

import java.io.ObjectStreamClass;
import java.io.Serializable;

class AsWritten {
    static class Shared {
        static int data;
    }

    /** Its number has to do with the access flags of its methods, and with whether it has an initializer. */
    static class Natives implements Serializable {
        int v;

        synchronized native void held();

        public static native void used();

        static synchronized void method() {}
    }

    static class Fails implements Serializable {
        int x;

        static {
            if (racy() || !racy())
                throw new IllegalStateException("not today");
        }
    }

    static class Loader extends ClassLoader {
        Class<?> caller;

        @Override
        public Class<?> loadClass(String name) throws ClassNotFoundException {
            caller = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).getCallerClass();
            return super.loadClass(name);
        }

        @Override
        protected synchronized Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals("none"))
                throw new ClassNotFoundException(name);
            return super.loadClass(name, resolve);
        }
    }

    static void write() {
        Shared.data = 1; // @1
    }

    public static void main(String[] args) throws Exception {
        must(ObjectStreamClass.lookup(Natives.class).getSerialVersionUID() == -4749562653572480831L);
        Throwable why = null;
        try {
            ObjectStreamClass.lookup(Fails.class).getSerialVersionUID();
        } catch (LinkageError e) {
            why = e;
        }
        must(why instanceof ExceptionInInitializerError || Runtime.version().feature() > 17); // later ones do not initialize it
        Loader loader = new Loader();
        must(loader.loadClass("java.lang.String") == String.class && loader.caller == AsWritten.class);
        must(Class.forName("goldilocks.test.Order", false, loader) != null);
        try {
            loader.loadClass("none");
            must(false);
        } catch (ClassNotFoundException e) {
            must(e.getStackTrace()[0].getMethodName().equals("loadClass") && e.getStackTrace()[0].getClassName().equals("AsWritten$Loader"));
        }
        Run.guarded(AsWritten::write, AsWritten::write);
    }
}
