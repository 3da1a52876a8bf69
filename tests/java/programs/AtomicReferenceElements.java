// SPDX-License-Identifier: Apache-2.0
// Elements of an AtomicReferenceArray.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.util.concurrent.atomic.AtomicReferenceArray;

class AtomicReferenceElements {
    public static void main(String[] args) throws Exception {
        AtomicReferenceArray<String> flags = new AtomicReferenceArray<>(2);
        Publish.run(() -> flags.set(1, "x"), () -> must(flags.getAcquire(1) == "x"));
    }
}
