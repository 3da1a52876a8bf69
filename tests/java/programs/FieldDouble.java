// SPDX-License-Identifier: Apache-2.0
// An instance field of type double.
// EXPECT: race Box.x write @1 then write @2

class FieldDouble {
    static class Box {
        double x;
    }

    public static void main(String[] args) {
        Box box = new Box();
        Run.guarded(
            () -> box.x = 1.5, // @1
            () -> box.x = 2.5); // @2
    }
}
