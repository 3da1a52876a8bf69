// SPDX-License-Identifier: Apache-2.0
package places;

/** Four races, each in a class of its own: a static field, a field, an element, and a static field of a nested class. */
public final class Places {
    static int x;

    static class Box {
        int y;
    }

    static final class Small extends Box {}

    static final class Row {
        static final int[] CELLS = new int[4];

        static void set() {
            CELLS[3] = 1;
        }
    }

    static final class Inner {
        static int z;
    }

    private Places() {}

    static void race(Runnable access) throws InterruptedException {
        Thread[] threads = {new Thread(access, "one"), new Thread(access, "two")};
        for (Thread thread : threads)
            thread.start();
        for (Thread thread : threads)
            thread.join();
    }

    public static void main(String[] args) throws Exception {
        System.out.println("started");
        if (args.length > 0)
            System.in.read(); // until who has started us says so
        Small box = new Small();
        race(() -> x = 1);
        race(() -> box.y = 1);
        race(Row::set);
        race(() -> Inner.z = 1);
        System.out.println("ended");
    }
}
