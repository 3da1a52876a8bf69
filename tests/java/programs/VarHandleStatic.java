// SPDX-License-Identifier: Apache-2.0
// A static field behind a VarHandle.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

class VarHandleStatic {
    static long flag;

    public static void main(String[] args) throws Exception {
        VarHandle handle = MethodHandles.lookup().findStaticVarHandle(VarHandleStatic.class, "flag", long.class);
        VarHandleStatic object = new VarHandleStatic();
        Publish.run(() -> handle.setVolatile(1L), () -> must((long) handle.getVolatile() == 1));
    }
}
