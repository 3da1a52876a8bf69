// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import jdk.internal.vm.annotation.ReservedStackAccess;

/**
 * Of classes: what was done before one was initialized, and by its initializer, comes before its use by others (JLS 12.4.2). Classes have numbers, those of
 * the agent.
 */
final class Initialization {
    private static final Object CLASSES = new Object(); // the S of classes are in no table; they name this object
    private static final Lock CLASS_LOCK = new Lock();
    private static volatile S[] classes = new S[256];

    @ReservedStackAccess
    private static S classSync(T t, int id, boolean make) {
        S[] all = classes;
        if (id < all.length && all[id] != null) {
            return all[id];
        }
        if (!make) {
            return null;
        }
        t.busy = true;
        long nat = R.newSync();
        try {
            if (nat == 0) {
                R.stop();
                return null;
            }
            S s = new S(CLASSES, 0, 0, nat);
            S[] more = id < all.length ? null : new S[Math.max(2 * all.length, id + 1)]; // they never become fewer
            CLASS_LOCK.lock();
            all = classes;
            if (id >= all.length) {
                for (int i = 0; i < all.length; i++) {
                    more[i] = all[i];
                }
                all = more;
            }
            if (all[id] == null) {
                all[id] = s;
            } else {
                R.freeSync(nat);
            }
            s = all[id];
            classes = all; // volatile: publishes the element
            CLASS_LOCK.unlock();
            return s;
        } catch (OutOfMemoryError e) {
            R.stop();
            return null;
        } finally {
            t.busy = false;
        }
    }

    /** The class is about to initialize itself; its superclass was initialized before, perhaps by others (JLS 12.4.2, 7). */
    static void initializes(T t, int id) {
        uses(t, R.superclass(id), false);
    }

    /** The class has initialized itself. */
    static void initialized(T t, int id) {
        S s = classSync(t, id, true);
        if (s != null) {
            Sync.sourceOf(t, s);
        }
    }

    /** t uses a class that is initialized: for good, also where nothing has been told of that. */
    static void uses(T t, int id) {
        uses(t, id, true);
    }

    /** A superclass may not be initialized yet: its initializer may have made the first object of its subclass. */
    private static void uses(T t, int id, boolean initialized) {
        for (int i = id; i > 0 && !t.knowsClass(i); i = R.superclass(i)) {
            S s = classSync(t, i, false);
            if (s != null) {
                Sync.sinkOn(t, s);
            }
            if (s != null || (i == id && initialized)) {
                learns(t, i);
            }
            if (s != null) {
                return; // what its initializer knew of the superclass's is in it; one that goes on, inside which this class was initialized, orders nothing yet
            }
        }
    }

    /** t uses a class that has an initializer, unless it is t itself that runs it. */
    static void mayUse(T t, int id) {
        if (classSync(t, id, false) != null) {
            uses(t, id);
        }
    }

    private static void learns(T t, int id) {
        t.busy = true;
        try {
            t.learnsClass(id);
        } catch (OutOfMemoryError e) {
            R.unshadowed++; // asked again the next time
        } finally {
            t.busy = false;
        }
    }

    private Initialization() {}
}
