// SPDX-License-Identifier: Apache-2.0
// An object published by ConcurrentHashMap.put.
// EXPECT: race Item.value write Handoff@late then read Handoff@taken
import java.util.concurrent.ConcurrentHashMap;

class MapPut {
    public static void main(String[] args) throws Exception {
        ConcurrentHashMap<String, Item> map = new ConcurrentHashMap<>();
        Handoff.poll(item -> map.put("key", item), () -> map.get("key"));
    }
}
