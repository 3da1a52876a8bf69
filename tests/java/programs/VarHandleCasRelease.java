// SPDX-License-Identifier: Apache-2.0
// A successful weakCompareAndSetRelease publishes.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

class VarHandleCasRelease {
    int flag;

    public static void main(String[] args) throws Exception {
        VarHandle handle = MethodHandles.lookup().findVarHandle(VarHandleCasRelease.class, "flag", int.class);
        VarHandleCasRelease object = new VarHandleCasRelease();
        Publish.run(() -> {
            while (!handle.weakCompareAndSetRelease(object, 0, 1))
                Thread.onSpinWait();
        }, () -> must((int) handle.getAcquire(object) == 1));
    }
}
