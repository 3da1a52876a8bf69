// SPDX-License-Identifier: Apache-2.0
// Assignments inside expressions, of one and of two stack slots, keep their values under the probes.
// EXPECT: race Box.wide write @1 then read @2
// OUTPUT: 7 7 9 16 10 11
import static goldilocks.test.Order.*;

class FieldExpression {
    static class Box {
        int narrow;
        long wide;
        int[] cells = new int[2];
        long[] wides = new long[2];
    }

    public static void main(String[] args) {
        Box box = new Box();
        Box other = new Box();
        long result = other.wide = box.wide = 7;
        int narrow = other.narrow = box.narrow = 9;
        long sum = (other.wides[1] = result) + (other.cells[0] = narrow);
        int before = box.narrow++;
        int after = ++box.narrow;
        System.out.println(result + " " + other.wide + " " + before + " " + sum + " " + (before + 1) + " " + after);
        Run.guarded(
            () -> use(box.wide += other.wide), // @1
            () -> use(box.wide)); // @2
    }
}
