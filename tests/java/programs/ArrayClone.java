// SPDX-License-Identifier: Apache-2.0
// The clone of an array reads all its elements, and is an array of its own.
// EXPECT: race int[2] write @1 then read @2

class ArrayClone {
    public static void main(String[] args) {
        int[] a = new int[4];
        Run.guarded(
            () -> a[2] = 1, // @1
            () -> {
                int[] copy = a.clone(); // @2
                copy[2] = 5;
            });
    }
}
