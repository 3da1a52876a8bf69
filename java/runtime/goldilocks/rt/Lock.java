// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.ReservedStackAccess;

/**
 * A short lock, held over a few instructions (and, for a volatile variable, over the program's access itself). Not recursive. Not a
 * monitor: those may unmount a virtual thread, and are instrumented. Who calls anything while it is held, or is called by one who does so,
 * has ReservedStackAccess: a StackOverflowError there would leave it held for good.
 */
class Lock {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final long HELD = U.objectFieldOffset(Lock.class, "held");
    volatile int held; // written by Sync where there is no room for a call

    @ForceInline
    @ReservedStackAccess
    final void lock() {
        if (!U.compareAndSetInt(this, HELD, 0, 1)) {
            lockSlow();
        }
    }

    @DontInline
    private void lockSlow() {
        int rounds = 0;
        do {
            R.pause(rounds++);
        } while (held != 0 || !U.compareAndSetInt(this, HELD, 0, 1));
    }

    @ForceInline
    final void unlock() {
        U.storeFence(); // a store with release, which C1 would make a call
        U.putInt(this, HELD, 0);
    }
}
