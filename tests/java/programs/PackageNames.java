// SPDX-License-Identifier: Apache-2.0
// A class of the application is one whatever its package is called: its volatile fields and its initialization order, and its data is checked.
// EXPECT: race javax.meeting.Data.n write @1 then read @2
import static goldilocks.test.Order.*;

import javax.meeting.Data;

class PackageNames {
    public static void main(String[] args) {
        Data data = new Data();
        Run.turns(
            () -> {
                use(Data.Table.values[0]);
                data.n = 1; // @1
                data.ready = true;
            },
            () -> {
                use(Data.Table.values[1]);
                if (!racy())
                    use(data.ready ? 1 : 0);
                use(data.n); // @2
            });
    }
}
