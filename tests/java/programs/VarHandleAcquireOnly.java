// SPDX-License-Identifier: Apache-2.0
// getAndSetAcquire does not publish.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

class VarHandleAcquireOnly {
    int flag;

    public static void main(String[] args) throws Exception {
        VarHandle handle = MethodHandles.lookup().findVarHandle(VarHandleAcquireOnly.class, "flag", int.class);
        VarHandleAcquireOnly object = new VarHandleAcquireOnly();
        Publish.with(() -> {
            if (racy())
                use((int) handle.getAndSetAcquire(object, 1));
            else
                use((int) handle.getAndSetRelease(object, 1));
        }, () -> must((int) handle.getVolatile(object) == 1));
    }
}
