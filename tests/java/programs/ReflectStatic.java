// SPDX-License-Identifier: Apache-2.0
// A static field, once by reflection and once directly.
// EXPECT: race ReflectStatic.x write @1 then write @2
import java.lang.reflect.Field;

class ReflectStatic {
    static long x;

    public static void main(String[] args) throws Exception {
        Field field = ReflectStatic.class.getDeclaredField("x");
        field.set(null, field.get(null));
        Run.guarded(
            () -> field.set(null, 1L), // @1
            () -> x = 2); // @2
    }
}
