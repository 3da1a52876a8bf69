// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import jdk.internal.misc.Unsafe;

/**
 * Where the elements of arrays are. Unsafe's constants for it are int up to JDK 24 and long later: code compiled for one does not
 * find the other.
 */
final class Layout {
    static final long REFERENCES = number("ARRAY_OBJECT_BASE_OFFSET"), REFERENCE = number("ARRAY_OBJECT_INDEX_SCALE"),
            LONGS = number("ARRAY_LONG_BASE_OFFSET");

    private Layout() {}

    private static long number(String constant) {
        try {
            return ((Number) Unsafe.class.getField(constant).get(null)).longValue();
        } catch (ReflectiveOperationException e) {
            throw new InternalError(e);
        }
    }
}
