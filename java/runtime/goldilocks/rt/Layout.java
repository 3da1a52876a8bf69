// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

/**
 * Where the elements of arrays are. Unsafe's constants for it are int up to JDK 24 and long later: code compiled for one does not
 * find the other.
 */
final class Layout {
    static final long REFERENCES = R.unsafeNumber("ARRAY_OBJECT_BASE_OFFSET"), REFERENCE = R.unsafeNumber("ARRAY_OBJECT_INDEX_SCALE"),
            LONGS = R.unsafeNumber("ARRAY_LONG_BASE_OFFSET");

    private static final long BYTES = R.unsafeNumber("ARRAY_BYTE_BASE_OFFSET"), BOOLEANS = R.unsafeNumber("ARRAY_BOOLEAN_BASE_OFFSET"),
            CHARS = R.unsafeNumber("ARRAY_CHAR_BASE_OFFSET"), SHORTS = R.unsafeNumber("ARRAY_SHORT_BASE_OFFSET"),
            INTS = R.unsafeNumber("ARRAY_INT_BASE_OFFSET"), FLOATS = R.unsafeNumber("ARRAY_FLOAT_BASE_OFFSET"),
            DOUBLES = R.unsafeNumber("ARRAY_DOUBLE_BASE_OFFSET");

    private Layout() {}

    /** Where the first element of the array is. */
    static long base(Object array) {
        return array instanceof Object[] ? REFERENCES
                : array instanceof byte[] ? BYTES
                : array instanceof int[] ? INTS
                : array instanceof long[] ? LONGS
                : array instanceof char[] ? CHARS
                : array instanceof double[] ? DOUBLES
                : array instanceof float[] ? FLOATS
                : array instanceof short[] ? SHORTS : BOOLEANS;
    }

    /** The bytes of its elements, as a power of two. */
    static int shift(Object array) {
        return array instanceof Object[] ? REFERENCE == 8 ? 3 : 2
                : array instanceof byte[] || array instanceof boolean[] ? 0
                : array instanceof char[] || array instanceof short[] ? 1
                : array instanceof long[] || array instanceof double[] ? 3 : 2;
    }
}
