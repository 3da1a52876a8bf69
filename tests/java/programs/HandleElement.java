// SPDX-License-Identifier: Apache-2.0
// Method handles of the elements of an array: the same element races, its neighbour does not.
// EXPECT: race int[4] write @1 then read @2
import static goldilocks.test.Order.*;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

class HandleElement {
    public static void main(String[] args) throws Throwable {
        MethodHandle set = MethodHandles.arrayElementSetter(int[].class); // @1
        MethodHandle get = MethodHandles.arrayElementGetter(int[].class);
        int[] warm = new int[2];
        set.invokeExact(warm, 1, 7);
        must((int) get.invokeExact(warm, 1) == 7);
        int[] a = new int[8];
        Run.turns(() -> HandleField.call(() -> {
            set.invokeExact(a, 4, 1);
        }), () -> HandleField.call(() -> {
            use((int) get.invokeExact(a, racy() ? 4 : 5)); // @2
            set.invokeExact(a, 3, 2);
        }));
    }
}
