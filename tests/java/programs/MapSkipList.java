// SPDX-License-Identifier: Apache-2.0
// An object published by a ConcurrentSkipListMap.
// EXPECT: race Item.value write Handoff@late then read Handoff@taken
import java.util.concurrent.ConcurrentSkipListMap;

class MapSkipList {
    public static void main(String[] args) throws Exception {
        ConcurrentSkipListMap<Integer, Item> map = new ConcurrentSkipListMap<>();
        Handoff.poll(item -> map.put(5, item), () -> map.get(5));
    }
}
