// SPDX-License-Identifier: Apache-2.0
// A volatile field behind an AtomicIntegerFieldUpdater.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

class AtomicFieldUpdater {
    volatile int flag;

    public static void main(String[] args) {
        var updater = AtomicIntegerFieldUpdater.newUpdater(AtomicFieldUpdater.class, "flag");
        AtomicFieldUpdater object = new AtomicFieldUpdater();
        Publish.run(() -> updater.set(object, 1), () -> must(object.flag == 1));
    }
}
