// SPDX-License-Identifier: Apache-2.0
// A volatile field that a class of another package declares.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

class VolatileInherited extends lib.Base {
    public static void main(String[] args) {
        VolatileInherited object = new VolatileInherited();
        lib.Base same = object;
        Publish.run(() -> object.flag = 1, () -> must(same.flag == 1));
    }
}
