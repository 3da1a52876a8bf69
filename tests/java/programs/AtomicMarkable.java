// SPDX-License-Identifier: Apache-2.0
// AtomicMarkableReference.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.util.concurrent.atomic.AtomicMarkableReference;

class AtomicMarkable {
    public static void main(String[] args) throws Exception {
        AtomicMarkableReference<String> flag = new AtomicMarkableReference<>("a", false);
        Publish.run(() -> must(flag.attemptMark("a", true)), () -> must(flag.isMarked()));
    }
}
