// SPDX-License-Identifier: Apache-2.0
// Elements of byte[]: those that race share their cells with those that do not.
// EXPECT: race byte[*] write @1 then write @2
// OPTIONS: on_race=throw
// OUTPUT racy: 2000 found, 0 invented
// OUTPUT twin: 0 found, 0 invented

class ExactBytes {
    public static void main(String[] args) {
        byte[] a = new byte[Exact.VARIABLES];
        Exact.run(
            i -> a[i] = 1, // @1
            i -> a[i] = 2); // @2
    }
}
