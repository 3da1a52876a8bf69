// SPDX-License-Identifier: Apache-2.0
// An object passed on through a CopyOnWriteArrayList.
// EXPECT: race Item.value write Handoff@late then read Handoff@taken
import java.util.concurrent.CopyOnWriteArrayList;

class CopyOnWrite {
    public static void main(String[] args) throws Exception {
        CopyOnWriteArrayList<Item> list = new CopyOnWriteArrayList<>();
        Handoff.poll(list::add, () -> list.isEmpty() ? null : list.get(0));
    }
}
