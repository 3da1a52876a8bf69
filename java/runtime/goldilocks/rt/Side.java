// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

/** Remembers the word of an instance field's cell that has a side record, which is freed when the object is gone. */
final class Side extends Node {
    long word; // guarded by the cell's lock; not a side record's: nothing to free

    Side(Object o, int hash, long offset) {
        super(o, hash, offset);
    }

    @Override
    void died() {
        if ((int) (word >>> 32) == Access.SIDE) {
            R.freeSide(word);
        }
    }
}
