// SPDX-License-Identifier: Apache-2.0
// Probes inside the ranges of exception handlers, which still catch what they caught.
// EXPECT: race Box.x write @1 then write @2
// OUTPUT: caught 2
import static goldilocks.test.Order.*;

class FieldInTry {
    static class Box {
        int x;
        Box next;
    }

    static int caught;

    static void set(Box box, int value) {
        try {
            box.x = value; // @1 @2
            box.next.x = value;
        } catch (NullPointerException e) {
            synchronized (FieldInTry.class) {
                caught++;
            }
        } finally {
            must(box.next == null);
        }
    }

    public static void main(String[] args) {
        Box box = new Box();
        Run.guarded(() -> set(box, 1), () -> set(box, 2));
        System.out.println("caught " + caught);
    }
}
