// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

/** The shadow of an array: cell i is cells[2 * i] (word) and cells[2 * i + 1] (sites). */
final class Cells extends Node {
    final long[] cells;
    boolean sides; // some cell has, or had, a side record; set before the cell is unlocked

    Cells(Object array, int hash, long[] cells) {
        super(array, hash, CELLS);
        this.cells = cells;
    }

    @Override
    void died() {
        if (!sides) {
            return;
        }
        for (int i = 0; i < cells.length; i += 2) {
            if ((int) (cells[i] >>> 32) == Access.SIDE) {
                R.freeSide(cells[i]);
            }
        }
    }
}
