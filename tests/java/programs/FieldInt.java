// SPDX-License-Identifier: Apache-2.0
// An instance field of type int.
// EXPECT: race Box.x write @1 then write @2

class FieldInt {
    static class Box {
        int x;
    }

    public static void main(String[] args) {
        Box box = new Box();
        Run.guarded(
            () -> box.x = 1, // @1
            () -> box.x = 2); // @2
    }
}
