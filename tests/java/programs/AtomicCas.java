// SPDX-License-Identifier: Apache-2.0
// compareAndSet as a publication.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.util.concurrent.atomic.AtomicReference;

class AtomicCas {
    public static void main(String[] args) throws Exception {
        AtomicReference<String> flag = new AtomicReference<>();
        Publish.run(() -> must(flag.compareAndSet(null, "x")), () -> must(flag.get() == "x"));
    }
}
