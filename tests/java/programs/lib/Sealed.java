// SPDX-License-Identifier: Apache-2.0
package lib;

/** Fields that other packages may not access. */
public class Sealed {
    private int secret;
    static int shared;

    public void write() {
        secret = 1;
        shared = 1;
    }
}
