// SPDX-License-Identifier: Apache-2.0
package goldilocks.test;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * Runs several programs in one JVM, one after the other, since starting a JVM takes longer than any of them. What each wrote to
 * standard output and to standard error ends with a line of {@link #END} and its name.
 */
public final class Company {
    private static final String END = "~~~~ ";

    private Company() {}

    public static void main(String[] names) throws ReflectiveOperationException, InterruptedException {
        for (String name : names) {
            Order.restart();
            Method main = Class.forName(name).getDeclaredMethod("main", String[].class);
            main.setAccessible(true);
            try {
                main.invoke(null, (Object) new String[0]);
            } catch (InvocationTargetException e) {
                Order.fail(e.getCause());
            }
            waitForOthers();
            System.out.println(END + name);
            System.out.flush();
            System.err.println(END + name);
        }
    }

    /** A JVM would not end before these have. */
    private static void waitForOthers() throws InterruptedException {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null)
            group = group.getParent();
        Thread[] threads = new Thread[group.activeCount() + 100];
        int n = group.enumerate(threads);
        for (int i = 0; i < n; i++)
            if (threads[i] != Thread.currentThread() && !threads[i].isDaemon())
                threads[i].join();
    }
}
