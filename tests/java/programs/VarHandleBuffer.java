// SPDX-License-Identifier: Apache-2.0
// setRelease() of an int in a direct buffer publishes to getAcquire().
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

class VarHandleBuffer {
    public static void main(String[] args) {
        VarHandle handle = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
        ByteBuffer buffer = ByteBuffer.allocateDirect(64).order(ByteOrder.nativeOrder());
        Run.Body set = () -> handle.setRelease(buffer, 8, 1), get = () -> must((int) handle.getAcquire(buffer, 8) == 1);
        Run.call(set); // what the JVM links at a first use orders nothing then
        Run.call(get);
        Publish.run(set, get);
    }
}
