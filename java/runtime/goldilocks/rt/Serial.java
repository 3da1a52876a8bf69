// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ReservedStackAccess;

/**
 * An access where all are told one by one, to a recording or to another detector than the core (options record and detector). The cell's
 * word is the number of the variable, and its sites are not used; no thread has a segment, so that the filter knows nothing.
 */
final class Serial {
    private static final Unsafe U = Unsafe.getUnsafe();

    private static final int CLASS = -2; // the object is the class of a static field

    private Serial() {}

    /** As Access.slow(). The word after the access; whether it raced is among t's flags. */
    @ReservedStackAccess
    static long access(T t, Object base, long wordAt, int mask, int kind, int site, Object subject, int index) {
        Object named = subject == null ? ((F) base).declaring.get() : subject;
        int which = subject == null ? CLASS : index;
        int place = R.stacks ? R.place(site) : site;
        int rounds = 0;
        for (;;) {
            long word = U.getLongAcquire(base, wordAt);
            if (word == Access.OFF) {
                return word;
            }
            if (word == Access.LOCKED || !U.compareAndSetLong(base, wordAt, word, Access.LOCKED)) {
                R.pause(rounds++);
                continue;
            }
            t.busy = true; // nothing that it asks the virtual machine may come back
            long next = R.told(t.nat, word, mask, kind, place, site, named, which);
            t.busy = false;
            if ((t.flags() & R.RACED) != 0 && R.stopping != Access.NOTHING) {
                next = Access.OFF;
            }
            Access.release(base, wordAt, next); // pairs with getLongAcquire() and compareAndSetLong() above
            return next;
        }
    }
}
