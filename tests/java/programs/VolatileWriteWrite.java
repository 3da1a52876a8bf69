// SPDX-License-Identifier: Apache-2.0
// Writing the same volatile variable orders a reader, not the next writer.
// EXPECT: race VolatileWriteWrite.data write @1 then write @2
import static goldilocks.test.Order.*;

class VolatileWriteWrite {
    static int data;
    static volatile int flag;

    public static void main(String[] args) {
        Run.turns(() -> {
            data = 1; // @1
            flag = 1;
        }, () -> {
            if (!racy())
                use(flag);
            flag = 2;
            data = 2; // @2
        });
    }
}
