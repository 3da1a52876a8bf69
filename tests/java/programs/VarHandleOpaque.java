// SPDX-License-Identifier: Apache-2.0
// Opaque accesses are atomic and order nothing.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

class VarHandleOpaque {
    int flag;

    public static void main(String[] args) throws Exception {
        VarHandle handle = MethodHandles.lookup().findVarHandle(VarHandleOpaque.class, "flag", int.class);
        VarHandleOpaque object = new VarHandleOpaque();
        Publish.with(() -> {
            if (racy())
                handle.setOpaque(object, 1);
            else
                handle.setRelease(object, 1);
        }, () -> {
            int flag = racy() ? (int) handle.getOpaque(object) : (int) handle.getAcquire(object);
            must(flag == 1);
        });
    }
}
