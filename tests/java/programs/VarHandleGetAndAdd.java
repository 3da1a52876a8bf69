// SPDX-License-Identifier: Apache-2.0
// getAndAddRelease publishes to getAndAddAcquire.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

class VarHandleGetAndAdd {
    int flag;

    public static void main(String[] args) throws Exception {
        VarHandle handle = MethodHandles.lookup().findVarHandle(VarHandleGetAndAdd.class, "flag", int.class);
        VarHandleGetAndAdd object = new VarHandleGetAndAdd();
        Publish.run(() -> use((int) handle.getAndAddRelease(object, 1)), () -> must((int) handle.getAndAddAcquire(object, 1) == 1));
    }
}
