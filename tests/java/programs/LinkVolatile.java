// SPDX-License-Identifier: Apache-2.0
// The target of a VolatileCallSite is like a volatile field, also for who calls it; that of a MutableCallSite is not.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.lang.invoke.CallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MutableCallSite;
import java.lang.invoke.VolatileCallSite;

class LinkVolatile {
    private static int call(MethodHandle invoker) {
        try {
            return (int) invoker.invokeExact();
        } catch (Throwable e) {
            fail(e);
            return 0;
        }
    }

    public static void main(String[] args) {
        MethodHandle one = MethodHandles.constant(int.class, 1), two = MethodHandles.constant(int.class, 2);
        CallSite site = racy() ? new MutableCallSite(one) : new VolatileCallSite(one);
        MethodHandle invoker = site.dynamicInvoker();
        must(call(invoker) == 1);
        Publish.with(() -> site.setTarget(two), () -> must(call(invoker) == 2));
    }
}
