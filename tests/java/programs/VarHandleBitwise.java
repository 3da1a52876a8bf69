// SPDX-License-Identifier: Apache-2.0
// getAndBitwiseOr of a byte field, whose neighbours are in the same word.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

class VarHandleBitwise {
    byte flag;

    public static void main(String[] args) throws Exception {
        VarHandle handle = MethodHandles.lookup().findVarHandle(VarHandleBitwise.class, "flag", byte.class);
        VarHandleBitwise object = new VarHandleBitwise();
        Publish.run(() -> use((byte) handle.getAndBitwiseOr(object, (byte) 4)), () -> must((byte) handle.getVolatile(object) == 4));
    }
}
