// SPDX-License-Identifier: Apache-2.0
// Elements of an array in volatile mode.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

class VarHandleArrayElement {
    final int[] flags = new int[4];

    public static void main(String[] args) throws Exception {
        VarHandle handle = MethodHandles.arrayElementVarHandle(int[].class);
        VarHandleArrayElement object = new VarHandleArrayElement();
        Publish.run(
            () -> handle.setVolatile(object.flags, 2, 1),
            () -> must((int) handle.getVolatile(object.flags, 2) == 1));
    }
}
