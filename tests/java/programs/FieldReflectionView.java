// SPDX-License-Identifier: Apache-2.0
// Reflection shows the fields that the source declares, not the detector's.
// EXPECT: race Box.x write @1 then write @2
// OUTPUT: [x, y] [getX] 1
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;

class FieldReflectionView {
    static class Box {
        int x;
        Object y;

        int getX() {
            return x;
        }
    }

    public static void main(String[] args) {
        Box box = new Box();
        Run.guarded(
            () -> box.x = 1, // @1
            () -> box.x = 2); // @2
        String fields = Arrays.stream(Box.class.getDeclaredFields()).filter(f -> !f.isSynthetic()).map(Field::getName)
            .sorted().toList().toString();
        String methods = Arrays.stream(Box.class.getDeclaredMethods()).filter(m -> !m.isSynthetic()).map(Method::getName)
            .sorted().toList().toString();
        System.out.println(fields + " " + methods + " " + Box.class.getDeclaredConstructors().length);
    }
}
