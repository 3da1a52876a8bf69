// SPDX-License-Identifier: Apache-2.0
// A static field.
// EXPECT: race FieldStatic.x write @1 then write @2

class FieldStatic {
    static int x;

    public static void main(String[] args) {
        Run.guarded(
            () -> x = 1, // @1
            () -> x = 2); // @2
    }
}
