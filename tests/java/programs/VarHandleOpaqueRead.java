// SPDX-License-Identifier: Apache-2.0
// A release write seen by an opaque read orders nothing.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

class VarHandleOpaqueRead {
    int flag;

    public static void main(String[] args) throws Exception {
        VarHandle handle = MethodHandles.lookup().findVarHandle(VarHandleOpaqueRead.class, "flag", int.class);
        VarHandleOpaqueRead object = new VarHandleOpaqueRead();
        Publish.with(() -> handle.setRelease(object, 1), () -> {
            int flag = racy() ? (int) handle.getOpaque(object) : (int) handle.getAcquire(object);
            must(flag == 1);
        });
    }
}
