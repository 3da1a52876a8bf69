// SPDX-License-Identifier: Apache-2.0
package javax.meeting;

/** For PackageNames.java. */
public class Data {
    public volatile boolean ready;
    public int n;

    public static class Table {
        public static int[] values = make();

        private static int[] make() {
            return new int[] {1, 2};
        }
    }
}
