// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.ReservedStackAccess;

/**
 * A synchronization object: a monitor, a volatile variable, an interruption, a class initialization. Its lock is held over record
 * and real access where that access does not exclude others by itself.
 */
final class S extends Node {
    final long nat; // struct gl_jsync
    volatile int held; // by lock(); here, for an object more for each S costs the collector
    private static final long HELD = Unsafe.getUnsafe().objectFieldOffset(S.class, "held");

    // Of a monitor, guarded by it: who has entered it, and how often. `alone`: the core was not told, for there was nothing to take in.
    T holder;
    int depth;
    boolean alone;

    S(Object o, int hash, long id, long nat) {
        super(o, hash, id);
        this.nat = nat;
    }

    @ForceInline
    @ReservedStackAccess
    void lock() {
        Lock.lock(this, HELD);
    }

    @ForceInline
    void unlock() {
        Lock.unlock(this, HELD);
    }

    @Override
    void died() {
        R.freeSync(nat);
    }
}
