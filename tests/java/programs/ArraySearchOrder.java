// SPDX-License-Identifier: Apache-2.0
// Arrays.binarySearch reads an element when it has compared those before: what orders in compareTo() or the comparator comes before the
// next one is read. Both are called as often as without the agent, with the same arguments.
// EXPECT: race Object[5] write @1 then read @2
// EXPECT: race Object[5] write @3 then read @4
// OUTPUT: 3 5 6
// OUTPUT: 3:6 5:6 6:6
import static goldilocks.test.Order.*;

import java.util.Arrays;

class ArraySearchOrder {
    static final Object LOCK = new Object();
    static final Object OTHER = racy() ? new Object() : LOCK;
    static String asked = "", compared = "";

    static final class Number implements Comparable<Object> {
        final int value;

        Number(int value) {
            this.value = value;
        }

        @Override
        public int compareTo(Object key) {
            asked += value == 3 ? "3" : " " + value;
            return met(value) - (Integer) key;
        }
    }

    /** The first element that is looked at is the third one. */
    static int met(int value) {
        if (value == 3) {
            synchronized (OTHER) {
                return value;
            }
        }
        return value;
    }

    public static void main(String[] args) {
        Object[] numbers = new Object[8];
        Object[] integers = new Object[8];
        for (int i = 0; i < 8; i++) {
            numbers[i] = new Number(i);
            integers[i] = i;
        }
        Number five = new Number(5);
        Integer second = 5;
        Run.turns(() -> {
            synchronized (LOCK) {
                numbers[5] = five; // @1
                integers[5] = second; // @3
            }
        }, () -> {
            must(Arrays.binarySearch(numbers, 6) == 6); // @2
            must(Arrays.binarySearch(integers, 6, (x, y) -> { // @4
                compared += (compared.isEmpty() ? "" : " ") + x + ":" + y;
                return met((Integer) x) - (Integer) y;
            }) == 6);
        });
        System.out.println(asked);
        System.out.println(compared);
    }
}
