// SPDX-License-Identifier: Apache-2.0
// An object made by computeIfAbsent; the other thread only looks.
// EXPECT: race Item.value write Handoff@late then read Handoff@taken
import java.util.concurrent.ConcurrentHashMap;

class MapComputeIfAbsent {
    public static void main(String[] args) throws Exception {
        ConcurrentHashMap<Integer, Item> map = new ConcurrentHashMap<>();
        Handoff.poll(item -> map.computeIfAbsent(5, key -> item), () -> map.getOrDefault(5, null));
    }
}
