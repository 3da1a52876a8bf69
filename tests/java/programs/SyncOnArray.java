// SPDX-License-Identifier: Apache-2.0
// An array can be a monitor, and one that is equal is another one.
// EXPECT: race int[0] write @1 then write @2
import static goldilocks.test.Order.*;

class SyncOnArray {
    public static void main(String[] args) {
        int[] data = new int[1];
        int[] lock = racy() ? data.clone() : data;
        Run.turns(() -> {
            synchronized (data) {
                data[0] = 1; // @1
            }
        }, () -> {
            synchronized (lock) {
                data[0] = 2; // @2
            }
        });
    }
}
