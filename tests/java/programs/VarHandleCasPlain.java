// SPDX-License-Identifier: Apache-2.0
// A weakCompareAndSetPlain orders nothing.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

class VarHandleCasPlain {
    int flag;

    public static void main(String[] args) throws Exception {
        VarHandle handle = MethodHandles.lookup().findVarHandle(VarHandleCasPlain.class, "flag", int.class);
        VarHandleCasPlain object = new VarHandleCasPlain();
        Publish.with(() -> {
            boolean done = false;
            while (!done) {
                int old = (int) handle.getOpaque(object);
                if (racy())
                    done = handle.weakCompareAndSetPlain(object, old, old + 1);
                else
                    done = handle.weakCompareAndSet(object, old, old + 1);
            }
        }, () -> must((int) handle.getVolatile(object) > 0));
    }
}
