// SPDX-License-Identifier: Apache-2.0
// Elements of char[], read and then written.
// EXPECT: race char[*] read @1 then write @2
// OPTIONS: on_race=throw
// OUTPUT racy: 2000 found, 0 invented
// OUTPUT twin: 0 found, 0 invented
import static goldilocks.test.Order.*;

class ExactChars {
    public static void main(String[] args) {
        char[] a = new char[Exact.VARIABLES];
        Exact.run(
            i -> use(a[i]), // @1
            i -> a[i] = 'x'); // @2
    }
}
