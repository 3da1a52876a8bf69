// SPDX-License-Identifier: Apache-2.0
// An object passed on through Collections.synchronizedList.
// EXPECT: race Item.value write Handoff@late then read Handoff@taken
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

class CollectionsSynchronized {
    public static void main(String[] args) throws Exception {
        List<Item> list = Collections.synchronizedList(new ArrayList<>());
        Handoff.poll(list::add, () -> list.isEmpty() ? null : list.get(0));
    }
}
