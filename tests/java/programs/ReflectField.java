// SPDX-License-Identifier: Apache-2.0
// Field.setInt and getInt are accesses like any other.
// EXPECT: race Box.x write @1 then read @2
import static goldilocks.test.Order.*;

import java.lang.reflect.Field;

class ReflectField {
    static class Box {
        int x;
    }

    public static void main(String[] args) throws Exception {
        Box box = new Box();
        Field field = Box.class.getDeclaredField("x");
        field.setInt(new Box(), field.getInt(new Box()));
        Run.guarded(
            () -> field.setInt(box, 1), // @1
            () -> use(field.getInt(box))); // @2
    }
}
