// SPDX-License-Identifier: Apache-2.0
// Who gets the contents of a StableValue (of JDK 25) comes after who has set them; of its kin in other JDKs a volatile is as good.
// EXPECT: race Publish.data write Publish@written then read Publish@read
// JDK: 21+
// JVM: --enable-preview
import static goldilocks.test.Order.*;

import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicReference;

class StableSet {
    static final AtomicReference<Object> OTHER = new AtomicReference<>();
    static Method set, get;

    private static Object value() throws ReflectiveOperationException {
        try {
            Class<?> type = Class.forName("java.lang.StableValue");
            set = type.getMethod("trySet", Object.class);
            get = type.getMethod("orElse", Object.class);
            return type.getMethod("of").invoke(null);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    private static void set(Object value) throws ReflectiveOperationException {
        if (value == null)
            OTHER.set("set");
        else
            set.invoke(value, "set");
    }

    private static void get(Object value) throws ReflectiveOperationException {
        must((value == null ? OTHER.get() : get.invoke(value, "not set")).equals("set"));
    }

    public static void main(String[] args) throws Exception {
        Object first = value(), value = value();
        set(first); // so that what the JVM links at a first use orders nothing
        get(first);
        Publish.run(() -> set(value), () -> get(value));
    }
}
