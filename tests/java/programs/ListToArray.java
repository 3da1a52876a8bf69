// SPDX-License-Identifier: Apache-2.0
// toArray(array) of the JDK's collections writes the elements, and a null behind them.
// EXPECT: race String[2] read @1 then write @2
import static goldilocks.test.Order.*;

import java.util.ArrayList;
import java.util.List;

class ListToArray {
    public static void main(String[] args) {
        String[] a = new String[4];
        List<String> list = new ArrayList<>(List.of("a", "b"));
        Run.turns(
            () -> use(a[racy() ? 2 : 3]), // @1
            () -> use(list.toArray(a))); // @2
    }
}
