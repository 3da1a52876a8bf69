// SPDX-License-Identifier: Apache-2.0
// getAndSet of a boolean field.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

class VarHandleGetAndSet {
    boolean flag;

    public static void main(String[] args) throws Exception {
        VarHandle handle = MethodHandles.lookup().findVarHandle(VarHandleGetAndSet.class, "flag", boolean.class);
        VarHandleGetAndSet object = new VarHandleGetAndSet();
        Publish.run(() -> must(!(boolean) handle.getAndSet(object, true)), () -> must((boolean) handle.getAndSet(object, false)));
    }
}
