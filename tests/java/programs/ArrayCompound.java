// SPDX-License-Identifier: Apache-2.0
// Compound assignment to elements, in every width, keeps its values under the probes.
// EXPECT: race int[0] write @1 then write @2
// OUTPUT: 6 7 4 2.5 b 3

class ArrayCompound {
    public static void main(String[] args) {
        int[] ints = {5};
        long[] longs = {6};
        byte[] bytes = {3};
        double[] doubles = {1.5};
        char[] chars = {'a'};
        short[] shorts = {1};
        int i = 0;
        ints[i++]++;
        longs[--i] += 1;
        ++bytes[0];
        doubles[0] += 1;
        chars[0]++;
        shorts[0] <<= 1;
        shorts[0] |= 1;
        System.out.println(ints[0] + " " + longs[0] + " " + bytes[0] + " " + doubles[0] + " " + chars[0] + " " + shorts[0]);
        Run.guarded(
            () -> ints[0] = 1, // @1
            () -> ints[0] = 2); // @2
    }
}
