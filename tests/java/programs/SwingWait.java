// SPDX-License-Identifier: Apache-2.0
// invokeAndWait() comes back after what it ran; what is given to the dispatch thread comes before.
// EXPECT: race Item.value write @1 then read @2
// ALONE: the dispatch thread stays for a second
// JVM: -Djava.awt.headless=true
import static goldilocks.test.Order.*;

import java.awt.EventQueue;

class SwingWait {
    public static void main(String[] args) throws Exception {
        EventQueue.invokeAndWait(() -> use(0));
        Item item = new Item();
        begin();
        item.value = 1;
        EventQueue.invokeAndWait(() -> {
            item.value++;
            if (racy())
                EventQueue.invokeLater(() -> {
                    item.value = 5; // @1
                    pass();
                });
        });
        if (racy())
            await(1);
        use(item.value); // @2
    }
}
