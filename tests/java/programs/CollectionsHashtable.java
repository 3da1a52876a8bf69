// SPDX-License-Identifier: Apache-2.0
// An object published by a Hashtable.
// EXPECT: race Item.value write Handoff@late then read Handoff@taken
import java.util.Hashtable;

class CollectionsHashtable {
    public static void main(String[] args) throws Exception {
        Hashtable<String, Item> table = new Hashtable<>();
        Handoff.poll(item -> table.put("key", item), () -> table.get("key"));
    }
}
