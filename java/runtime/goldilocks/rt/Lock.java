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
        lock(this, HELD);
    }

    @ForceInline
    final void unlock() {
        unlock(this, HELD);
    }

    /** The same of a lock that is an int at an offset of another object: 0 when nobody has it. */
    @ForceInline
    @ReservedStackAccess
    static void lock(Object o, long held) {
        if (!U.compareAndSetInt(o, held, 0, 1)) {
            lockSlow(o, held);
        }
    }

    @DontInline
    private static void lockSlow(Object o, long held) {
        int rounds = 0;
        do {
            R.pause(rounds++);
        } while (U.getIntVolatile(o, held) != 0 || !U.compareAndSetInt(o, held, 0, 1));
    }

    @ForceInline
    static void unlock(Object o, long held) {
        U.storeFence(); // a store with release, which C1 would make a call
        U.putInt(o, held, 0);
    }
}
