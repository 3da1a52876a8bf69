// SPDX-License-Identifier: Apache-2.0
// A synchronized method called by reflection, and one that is not.
// EXPECT: race ReflectMethod.x write @1 then write @2
import static goldilocks.test.Order.*;

import java.lang.reflect.Method;

class ReflectMethod {
    static int x;

    synchronized void set() {
        x = 1; // @1
    }

    void forget() {
        x = 2; // @2
    }

    public static void main(String[] args) throws Exception {
        ReflectMethod object = new ReflectMethod();
        Method set = ReflectMethod.class.getDeclaredMethod("set");
        Method second = racy() ? ReflectMethod.class.getDeclaredMethod("forget") : set;
        Run.turns(() -> set.invoke(object), () -> second.invoke(object));
    }
}
