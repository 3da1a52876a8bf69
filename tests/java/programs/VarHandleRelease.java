// SPDX-License-Identifier: Apache-2.0
// setRelease publishes to getAcquire.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

class VarHandleRelease {
    int flag;

    public static void main(String[] args) throws Exception {
        VarHandle handle = MethodHandles.lookup().findVarHandle(VarHandleRelease.class, "flag", int.class);
        VarHandleRelease object = new VarHandleRelease();
        Publish.run(() -> handle.setRelease(object, 1), () -> must((int) handle.getAcquire(object) == 1));
    }
}
