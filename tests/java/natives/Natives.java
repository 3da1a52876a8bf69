// SPDX-License-Identifier: Apache-2.0
// Monitors that native code is entered with, or enters, and native methods whose call is the use of a class: tests/java/natives/run. Prints what came of it.
import java.lang.reflect.Modifier;

public class Natives {
    static int shared;
    int counted;

    synchronized native void held(Runnable r);

    static synchronized native long heldByClass(byte a, long b, double c, float d, int[] e, String f, Runnable r);

    synchronized native Object registered(boolean a, char b, short c, Object d, Runnable r);

    native void enters(Runnable r);

    native void entersAndThrows(Runnable r);

    static native void register();

    static class Holder {
        static {
            filled = 7;
        }

        static native void use();
    }

    static int filled;

    /** Two use the class, the second mostly when it is initialized. */
    private static void useByTwo() throws InterruptedException {
        Thread first = new Thread(Holder::use);
        Thread second = new Thread(() -> {
            try {
                Thread.sleep(300);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            Holder.use();
            if (filled != 7)
                throw new AssertionError(filled);
        });
        first.start();
        second.start();
        first.join();
        second.join();
    }

    private void each(boolean racy) {
        for (int i = 0; i < 200; i++) {
            if (racy) {
                counted++;
                continue;
            }
            held(() -> counted++);
            enters(() -> counted++);
            if (registered(true, 'x', (short) -3, this, () -> counted++) != this)
                throw new AssertionError();
            try {
                entersAndThrows(() -> counted++);
                throw new AssertionError();
            } catch (IllegalStateException e) {
                counted(e);
            }
            if (heldByClass((byte) -1, 1L << 40, 0.5, 0.25f, new int[] {7}, "text", () -> shared++) != (1L << 40) + 7)
                throw new AssertionError();
        }
    }

    private synchronized void counted(IllegalStateException e) {
        counted += e.getMessage().equals("thrown") ? 1 : 0;
    }

    public static void main(String[] args) throws Exception {
        System.load(args[0]);
        register();
        boolean racy = args.length > 1;
        Natives natives = new Natives();
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> natives.each(racy));
            threads[i].start();
        }
        for (Thread t : threads)
            t.join();
        int held = Natives.class.getDeclaredMethod("held", Runnable.class).getModifiers();
        int used = Holder.class.getDeclaredMethod("use").getModifiers();
        if (held != (Modifier.SYNCHRONIZED | Modifier.NATIVE) || used != (Modifier.STATIC | Modifier.NATIVE))
            throw new AssertionError(Modifier.toString(held) + ", " + Modifier.toString(used));
        useByTwo();
        for (java.lang.reflect.Method m : Natives.class.getDeclaredMethods())
            if (m.getName().startsWith("$gl"))
                throw new AssertionError(m);
        System.out.println(racy ? "racy" : natives.counted + " " + shared);
    }
}
