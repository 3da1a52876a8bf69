// SPDX-License-Identifier: Apache-2.0
// An instance field of type String.
// EXPECT: race Box.x write @1 then write @2

class FieldReference {
    static class Box {
        String x;
    }

    public static void main(String[] args) {
        Box box = new Box();
        Run.guarded(
            () -> box.x = "one", // @1
            () -> box.x = "two"); // @2
    }
}
