// SPDX-License-Identifier: Apache-2.0
// Collecting in parallel, grouping and reducing: the library hands its containers on properly.
// EXPECT: race int[0] write @1 then read @2
// OUTPUT: 499500 500 500
import static goldilocks.test.Order.*;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

class StreamCollect {
    static class Box {
        int value;
        int twice;

        Box(int value) {
            this.value = value;
        }
    }

    public static void main(String[] args) {
        begin();
        List<Box> boxes = IntStream.range(0, 1000).parallel().mapToObj(Box::new).collect(Collectors.toList());
        boxes.parallelStream().forEach(box -> box.twice = 2 * box.value);
        int sum = boxes.parallelStream().map(box -> box.twice / 2).reduce(0, Integer::sum);
        Map<Boolean, List<Box>> parts = boxes.parallelStream()
            .collect(Collectors.groupingByConcurrent(box -> box.value % 2 == 0));
        System.out.println(sum + " " + parts.get(true).size() + " " + parts.get(false).size());
        int[] plain = new int[1];
        Run.guarded(
            () -> plain[0] = 1, // @1
            () -> use(plain[0])); // @2
    }
}
