// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

/** Remembers of a class whether its objects have a finalizer. */
final class Finalizable extends Node {
    private final boolean yes;

    private Finalizable(Class<?> c, int hash, boolean yes) {
        super(c, hash, FINALIZER);
        this.yes = yes;
    }

    @Override
    void died() {}

    static boolean is(T t, Class<?> c) {
        int hash = System.identityHashCode(c);
        Finalizable found = (Finalizable) R.TABLE.find(c, hash, FINALIZER);
        if (found == null) {
            t.busy = true;
            try {
                found = (Finalizable) R.TABLE.add(c, new Finalizable(c, hash, R.finalizes(c)));
            } finally {
                t.busy = false;
            }
        }
        return found.yes;
    }
}
