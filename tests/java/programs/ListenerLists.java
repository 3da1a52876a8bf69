// SPDX-License-Identifier: Apache-2.0
// Who sees a listener in one of Swing's lists comes after who added it.
// EXPECT: race ListenerLists.told write @1 then read @2
// JVM: -Djava.awt.headless=true
import static goldilocks.test.Order.*;

import java.util.EventListener;
import javax.swing.event.EventListenerList;

class ListenerLists {
    static int told;

    public static void main(String[] args) {
        EventListenerList list = new EventListenerList();
        Run.turns(
            () -> {
                told = 1; // @1
                list.add(EventListener.class, new EventListener() {});
            },
            () -> {
                if (!racy() && list.getListenerCount() != 1)
                    throw new AssertionError("it was added");
                use(told); // @2
            });
    }
}
