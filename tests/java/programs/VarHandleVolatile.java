// SPDX-License-Identifier: Apache-2.0
// setVolatile and getVolatile of a plain field.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

class VarHandleVolatile {
    int flag;

    public static void main(String[] args) throws Exception {
        VarHandle handle = MethodHandles.lookup().findVarHandle(VarHandleVolatile.class, "flag", int.class);
        VarHandleVolatile object = new VarHandleVolatile();
        Publish.run(() -> handle.setVolatile(object, 1), () -> must((int) handle.getVolatile(object) == 1));
    }
}
