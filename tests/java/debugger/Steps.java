// SPDX-License-Identifier: Apache-2.0
/** Stepped through by a debugger: tests/java/debugger. */
public class Steps {
    private int field;
    private final int[] row = new int[4];

    int count(int n) {
        field += n; // @1
        row[1] += field; // @2
        synchronized (this) { // @3
            field--; // @4
        } // @5
        return field + row[1]; // @6
    }

    public static void main(String[] args) {
        Steps steps = new Steps();
        for (int i = 0; i < 2; i++)
            System.out.println(steps.count(i));
    }
}
