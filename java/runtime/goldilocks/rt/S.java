// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

/**
 * A synchronization object: a monitor, a volatile variable, an interruption, a class initialization. Its lock is held over record
 * and real access where that access does not exclude others by itself.
 */
final class S extends Node {
    final long nat; // struct gl_jsync
    final Lock lock = new Lock();

    // Of a monitor, guarded by it: who has entered it, and how often. `alone`: the core was not told, for there was nothing to take in.
    T holder;
    int depth;
    boolean alone;

    S(Object o, int hash, long id, long nat) {
        super(o, hash, id);
        this.nat = nat;
    }

    @Override
    void died() {
        R.freeSync(nat);
    }
}
