// SPDX-License-Identifier: Apache-2.0
// A successful compareAndSet is a write and a read of a volatile.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

class VarHandleCas {
    int flag;

    public static void main(String[] args) throws Exception {
        VarHandle handle = MethodHandles.lookup().findVarHandle(VarHandleCas.class, "flag", int.class);
        VarHandleCas object = new VarHandleCas();
        Publish.run(() -> must(handle.compareAndSet(object, 0, 1)), () -> must(handle.compareAndSet(object, 1, 2)));
    }
}
