// SPDX-License-Identifier: Apache-2.0
// What comes before a listener is added to PropertyChangeSupport, comes before the listener is called.
// EXPECT: race Item.value write @1 then read @2
import static goldilocks.test.Order.*;

import java.beans.PropertyChangeSupport;

class BeanListener {
    public static void main(String[] args) throws Exception {
        PropertyChangeSupport support = new PropertyChangeSupport("bean");
        support.addPropertyChangeListener(event -> use(0));
        support.firePropertyChange("x", 1, 2);
        Item item = new Item();
        Run.turns(() -> {
            item.value = 1;
            support.addPropertyChangeListener(event -> {
                use(item.value); // @2
            });
            if (racy())
                item.value = 2; // @1
        }, () -> support.firePropertyChange("x", 1, 2));
    }
}
