// SPDX-License-Identifier: Apache-2.0
// A volatile field that method handles set and get publishes; a plain one, set by the same kind of handle, does not.
// EXPECT: race Box.data write @1 then read @2
// EXPECT: race Box.plain write @3 then read @4
import static goldilocks.test.Order.*;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

class HandleVolatile {
    static class Box {
        int data;
        int plain;
        volatile int flag;
        static volatile Object shared;
    }

    static MethodHandle of(String name, boolean set) throws Exception {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        return set ? lookup.findSetter(Box.class, name, int.class) // @3
                   : lookup.findGetter(Box.class, name, int.class);
    }

    public static void main(String[] args) throws Throwable {
        String name = racy() ? "plain" : "flag";
        MethodHandle set = of(name, true), get = of(name, false);
        MethodHandle share = MethodHandles.lookup().findStaticSetter(Box.class, "shared", Object.class);
        MethodHandle shared = MethodHandles.lookup().findStaticGetter(Box.class, "shared", Object.class);
        Box warm = new Box(), box = new Box();
        set.invokeExact(warm, 1);
        share.invokeExact((Object) "warm");
        must((int) get.invokeExact(warm) == 1 && (Object) shared.invokeExact() == "warm");
        Run.turns(() -> HandleField.call(() -> {
            box.data = 1; // @1
            set.invokeExact(box, 1);
        }), () -> HandleField.call(() -> {
            must((int) get.invokeExact(box) == 1); // @4
            use(box.data); // @2
        }));
        Run.turns(() -> HandleField.call(() -> {
            int[] made = {1};
            share.invokeExact((Object) made);
        }), () -> HandleField.call(() -> use(((int[]) (Object) shared.invokeExact())[0])));
    }
}
