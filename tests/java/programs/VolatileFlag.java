// SPDX-License-Identifier: Apache-2.0
// The classical publication: data, then a volatile flag.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

class VolatileFlag {
    static volatile boolean flag;

    public static void main(String[] args) {
        Publish.run(() -> flag = true, () -> must(flag));
    }
}
