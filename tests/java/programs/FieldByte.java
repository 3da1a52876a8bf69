// SPDX-License-Identifier: Apache-2.0
// An instance field of type byte.
// EXPECT: race Box.x write @1 then write @2

class FieldByte {
    static class Box {
        byte x;
    }

    public static void main(String[] args) {
        Box box = new Box();
        Run.guarded(
            () -> box.x = (byte) 1, // @1
            () -> box.x = (byte) 2); // @2
    }
}
