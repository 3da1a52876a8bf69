// SPDX-License-Identifier: Apache-2.0
// An inner class writes a field of its outer object, through the hidden reference to it.
// EXPECT: race FieldInner.x write @1 then write @2

class FieldInner {
    private int x;

    class Inner {
        void set(int value) {
            x = value; // @1 @2
        }
    }

    public static void main(String[] args) {
        FieldInner outer = new FieldInner();
        Inner one = outer.new Inner();
        Inner two = outer.new Inner();
        Run.guarded(() -> one.set(1), () -> two.set(2));
    }
}
