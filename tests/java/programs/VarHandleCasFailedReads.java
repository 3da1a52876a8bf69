// SPDX-License-Identifier: Apache-2.0
// A compareAndSet that fails has the effect of a volatile read; so has compareAndExchange.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

class VarHandleCasFailedReads {
    int flag;

    public static void main(String[] args) throws Exception {
        VarHandle handle = MethodHandles.lookup().findVarHandle(VarHandleCasFailedReads.class, "flag", int.class);
        VarHandleCasFailedReads object = new VarHandleCasFailedReads();
        Publish.run(() -> handle.setVolatile(object, 1), () -> {
            must(!handle.compareAndSet(object, 5, 6));
            must((int) handle.compareAndExchange(object, 5, 6) == 1);
        });
    }
}
