// SPDX-License-Identifier: Apache-2.0
// A field that holds a reference.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

class VarHandleReference {
    Object flag;

    public static void main(String[] args) throws Exception {
        VarHandle handle = MethodHandles.lookup().findVarHandle(VarHandleReference.class, "flag", Object.class);
        VarHandleReference object = new VarHandleReference();
        Publish.run(() -> handle.setRelease(object, (Object) "x"), () -> must((Object) handle.getAcquire(object) == "x"));
    }
}
