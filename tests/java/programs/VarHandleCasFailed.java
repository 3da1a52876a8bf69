// SPDX-License-Identifier: Apache-2.0
// A compareAndSet that fails reads and does not write: it publishes nothing.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

class VarHandleCasFailed {
    int flag;

    public static void main(String[] args) throws Exception {
        VarHandle handle = MethodHandles.lookup().findVarHandle(VarHandleCasFailed.class, "flag", int.class);
        VarHandleCasFailed object = new VarHandleCasFailed();
        Publish.with(() -> must(handle.compareAndSet(object, racy() ? 7 : 0, 0) == !racy()), () -> must((int) handle.getVolatile(object) == 0));
    }
}
