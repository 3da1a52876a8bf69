// SPDX-License-Identifier: Apache-2.0
// An object passed on through a Vector, whose methods are synchronized.
// EXPECT: race Item.value write Handoff@late then read Handoff@taken
import java.util.Vector;

class CollectionsVector {
    public static void main(String[] args) throws Exception {
        Vector<Item> vector = new Vector<>();
        Handoff.poll(vector::add, () -> vector.isEmpty() ? null : vector.elementAt(0));
    }
}
