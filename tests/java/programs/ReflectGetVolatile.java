// SPDX-License-Identifier: Apache-2.0
// A static volatile field that is written by name and read by reflection.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.lang.reflect.Field;

class ReflectGetVolatile {
    static volatile boolean flag;

    public static void main(String[] args) throws Exception {
        Field field = ReflectGetVolatile.class.getDeclaredField("flag");
        must(!(Boolean) field.get(null));
        Publish.run(() -> flag = true, () -> must((Boolean) field.get(null)));
    }
}
