// SPDX-License-Identifier: Apache-2.0
// A store of the wrong class ends in an ArrayStoreException and writes nothing; one of a subclass writes.
// EXPECT: race Number[0] write @1 then write @2
// EXPECT: race Number[5] write @3 then write @4
import static goldilocks.test.Order.*;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

class ArrayStoreRefused {
    static void store(Object[] a, int i, Object x) {
        a[i] = x; // @2
    }

    /** In a loop, where the shadow of the array is kept in a variable. */
    static void each(Object[] a, int from, int to, Object x) {
        for (int i = from; i < to; i++)
            for (int j = i; j < i + 1; j++)
                a[j] = x; // @4
        for (int i = from; i < to; i++)
            a[i] = x;
    }

    interface Body {
        void run() throws Throwable;
    }

    static void refused(Body body) throws Exception {
        try {
            body.run();
        } catch (ArrayStoreException | ClassCastException e) {
            return;
        } catch (Throwable e) {
            throw new Exception(e);
        }
        must(false);
    }

    public static void main(String[] args) throws Exception {
        Object[] numbers = new Number[6];
        MethodHandle set = MethodHandles.arrayElementSetter(Object[].class);
        refused(() -> set.invoke(new Number[1], 0, (Object) ""));
        Run.turns(() -> {
            if (racy()) {
                numbers[0] = 1; // @1
                numbers[5] = 5; // @3
            }
            numbers[1] = 1;
            numbers[2] = 2;
            numbers[3] = 3;
        }, () -> {
            store(numbers, 0, 7);
            for (int k = 0; k < 100; k++) {
                refused(() -> store(numbers, 1, ""));
                refused(() -> each(numbers, 2, 4, new int[1]));
                refused(() -> set.invoke(numbers, 3, (Object) ""));
            }
            each(numbers, 5, 6, 5.0);
        });
    }
}
