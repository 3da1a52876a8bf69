// SPDX-License-Identifier: Apache-2.0
// The elements of an AtomicIntegerArray are variables of their own: the racy run looks at the wrong one.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.util.concurrent.atomic.AtomicIntegerArray;

class AtomicArray {
    public static void main(String[] args) throws Exception {
        AtomicIntegerArray flags = new AtomicIntegerArray(4);
        Publish.with(() -> flags.set(1, 1), () -> use(flags.get(racy() ? 2 : 1)));
    }
}
