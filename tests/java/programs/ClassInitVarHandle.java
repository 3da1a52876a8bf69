// SPDX-License-Identifier: Apache-2.0
// A VarHandle's access to a static field is a use of its class: what the initialization wrote is there.
// EXPECT: race int[1] write @1 then read @2
import static goldilocks.test.Order.*;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

class ClassInitVarHandle {
    static class Holder {
        static int[] table = new int[3];

        static {
            table[1] = 7;
        }
    }

    public static void main(String[] args) {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        Run.turns(() -> {
            use(Holder.table[1]);
            if (racy())
                Holder.table[1] = 8; // @1
        }, () -> {
            VarHandle handle = lookup.findStaticVarHandle(Holder.class, "table", int[].class);
            int[] table = (int[]) handle.getOpaque();
            use(table[1]); // @2
        });
    }
}
