// SPDX-License-Identifier: Apache-2.0
// A volatile field by reflection is a volatile access.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.lang.reflect.Field;

class ReflectVolatile {
    volatile int flag;

    public static void main(String[] args) throws Exception {
        ReflectVolatile object = new ReflectVolatile();
        Field field = ReflectVolatile.class.getDeclaredField("flag");
        field.setInt(object, field.getInt(object));
        Publish.run(() -> field.setInt(object, 1), () -> must(field.getInt(object) == 1));
    }
}
