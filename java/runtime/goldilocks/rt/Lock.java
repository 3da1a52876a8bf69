// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ReservedStackAccess;

/**
 * A short lock, held over a few instructions (and, for a volatile variable, over the program's access itself). Not recursive. Not a
 * monitor: those may unmount a virtual thread, and are instrumented.
 */
class Lock {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final long HELD = U.objectFieldOffset(Lock.class, "held");
    private volatile int held;

    @ReservedStackAccess
    final void lock() {
        if (!U.compareAndSetInt(this, HELD, 0, 1)) {
            lockSlow();
        }
    }

    private void lockSlow() {
        int rounds = 0;
        do {
            R.pause(rounds++);
        } while (held != 0 || !U.compareAndSetInt(this, HELD, 0, 1));
    }

    final void unlock() {
        U.putIntRelease(this, HELD, 0);
    }
}
