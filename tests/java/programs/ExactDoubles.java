// SPDX-License-Identifier: Apache-2.0
// Elements of the rows of double[][], written and then read.
// EXPECT: race double[*] write @1 then read @2
// OPTIONS: on_race=throw
// OUTPUT racy: 2000 found, 0 invented
// OUTPUT twin: 0 found, 0 invented
import static goldilocks.test.Order.*;

class ExactDoubles {
    public static void main(String[] args) {
        double[][] a = new double[Exact.VARIABLES / 100][100];
        Exact.run(
            i -> a[i / 100][i % 100] = 1, // @1
            i -> use(a[i / 100][i % 100])); // @2
    }
}
