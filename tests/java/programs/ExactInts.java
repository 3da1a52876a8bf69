// SPDX-License-Identifier: Apache-2.0
// Elements of int[], written twice.
// EXPECT: race int[*] write @1 then write @2
// OPTIONS: on_race=throw
// OUTPUT racy: 2000 found, 0 invented
// OUTPUT twin: 0 found, 0 invented

class ExactInts {
    public static void main(String[] args) {
        int[] a = new int[Exact.VARIABLES];
        Exact.run(
            i -> a[i] = 1, // @1
            i -> a[i] = 2); // @2
    }
}
