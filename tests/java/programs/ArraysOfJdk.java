// SPDX-License-Identifier: Apache-2.0
import static goldilocks.test.Order.*;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.Callable;

/** What a method of java.util.Arrays does when it is called by reflection, where the agent has no part in it. */
final class ArraysOfJdk {
    private ArraysOfJdk() {}

    /** The result of a call, or its exception in words. */
    static Object outcome(Callable<?> call) {
        try {
            return call.call();
        } catch (Exception e) {
            return e.getClass().getName() + ": " + e.getMessage();
        } catch (StackOverflowError e) {
            return "too deep";
        }
    }

    /** Arrays.name(arguments), where the parameters are of these types. */
    static Object call(String name, Class<?>[] types, Object... arguments) throws Exception {
        Method method = Arrays.class.getMethod(name, types);
        try {
            return method.invoke(null, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error)
                throw (Error) e.getCause();
            throw (Exception) e.getCause();
        }
    }

    /** The call, which is in the program, does what the JDK does. */
    static void same(Callable<?> call, String name, Class<?>[] types, Object... arguments) {
        Object here = outcome(call);
        Object there = outcome(() -> call(name, types, arguments));
        if (!Objects.equals(here, there))
            fail(new AssertionError(name + Arrays.asList(types) + ": " + here + ", not " + there));
    }

    static Class<?>[] types(Class<?>... types) {
        return types;
    }
}
