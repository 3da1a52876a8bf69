// SPDX-License-Identifier: Apache-2.0
// Libraries order memory by sun.misc.Unsafe: putOrderedInt publishes to getIntVolatile.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.lang.reflect.Field;
import java.lang.reflect.Method;

class UnsafeOrder {
    int flag;

    public static void main(String[] args) throws Exception {
        Class<?> type = Class.forName("sun.misc.Unsafe"); // not by its name: the compiler warns of it
        Field field = type.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        Object unsafe = field.get(null);
        Object at = type.getMethod("objectFieldOffset", Field.class).invoke(unsafe, UnsafeOrder.class.getDeclaredField("flag"));
        Method put = type.getMethod("putOrderedInt", Object.class, long.class, int.class);
        Method get = type.getMethod("getIntVolatile", Object.class, long.class);
        UnsafeOrder object = new UnsafeOrder(), other = new UnsafeOrder();
        put.invoke(unsafe, other, at, 1);
        get.invoke(unsafe, other, at);
        Publish.run(() -> put.invoke(unsafe, object, at, 1), () -> must((int) get.invoke(unsafe, object, at) == 1));
    }
}
