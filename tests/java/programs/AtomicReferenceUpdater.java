// SPDX-License-Identifier: Apache-2.0
// A volatile field written by compareAndSet of an AtomicReferenceFieldUpdater and read directly.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

class AtomicReferenceUpdater {
    volatile String flag;

    public static void main(String[] args) {
        var updater = AtomicReferenceFieldUpdater.newUpdater(AtomicReferenceUpdater.class, String.class, "flag");
        AtomicReferenceUpdater object = new AtomicReferenceUpdater();
        Publish.run(() -> must(updater.compareAndSet(object, null, "x")), () -> must(object.flag == "x"));
    }
}
