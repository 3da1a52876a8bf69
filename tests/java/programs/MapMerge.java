// SPDX-License-Identifier: Apache-2.0
// An object published by merge and taken by remove.
// EXPECT: race Item.value write Handoff@late then read Handoff@taken
import java.util.concurrent.ConcurrentHashMap;

class MapMerge {
    public static void main(String[] args) throws Exception {
        ConcurrentHashMap<Integer, Item> map = new ConcurrentHashMap<>();
        Handoff.poll(item -> map.merge(5, item, (a, b) -> b), () -> map.remove(5));
    }
}
