// SPDX-License-Identifier: Apache-2.0
// An instance field of type short.
// EXPECT: race Box.x write @1 then write @2

class FieldShort {
    static class Box {
        short x;
    }

    public static void main(String[] args) {
        Box box = new Box();
        Run.guarded(
            () -> box.x = (short) 1, // @1
            () -> box.x = (short) 2); // @2
    }
}
