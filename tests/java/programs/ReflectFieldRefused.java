// SPDX-License-Identifier: Apache-2.0
// What Field refuses accesses nothing: no permission, a value of the wrong type, a field that a method is not for.
// EXPECT: race Box.open write @1 then read @2
// EXPECT: race Box.wide write @3 then write @4
// EXPECT: race Box.hidden write @5 then write @6
// EXPECT: race Box.text write @7 then write @8
import static goldilocks.test.Order.*;

import java.lang.reflect.Field;
import lib.Sealed;

class ReflectFieldRefused {
    static class Box {
        int open;
        long wide;
        String text;
        private int hidden;
        int i;
        long l;
        String s;
        static int count;
    }

    interface Access {
        void run() throws Exception;
    }

    static void refused(Access access) throws Exception {
        try {
            access.run();
        } catch (IllegalAccessException | IllegalArgumentException | NullPointerException e) {
            return;
        }
        must(false);
    }

    public static void main(String[] args) throws Exception {
        Box box = new Box();
        Sealed sealed = new Sealed();
        Field open = Box.class.getDeclaredField("open"), wide = Box.class.getDeclaredField("wide"),
              hidden = Box.class.getDeclaredField("hidden"), text = Box.class.getDeclaredField("text"),
              i = Box.class.getDeclaredField("i"), l = Box.class.getDeclaredField("l"), s = Box.class.getDeclaredField("s"),
              count = Box.class.getDeclaredField("count"), secret = Sealed.class.getDeclaredField("secret"),
              shared = Sealed.class.getDeclaredField("shared");
        Run.turns(() -> {
            if (racy()) {
                box.open = 1; // @1
                box.wide = 1; // @3
                box.hidden = 1; // @5
                box.text = ""; // @7
            }
            box.i = 1;
            box.l = 1;
            box.s = "";
            Box.count = 1;
            sealed.write();
        }, () -> {
            use(open.getDouble(box)); // @2
            wide.set(box, 5); // @4
            hidden.setByte(box, (byte) 1); // @6
            text.set(box, null); // @8
            refused(() -> secret.getInt(sealed));
            refused(() -> secret.get(sealed));
            refused(() -> secret.setInt(sealed, 1));
            refused(() -> secret.set(sealed, 1));
            refused(() -> shared.setInt(null, 1));
            refused(() -> l.getInt(box));
            refused(() -> s.getInt(box));
            refused(() -> i.setLong(box, 1));
            refused(() -> i.setBoolean(box, true));
            refused(() -> i.set(box, 1L));
            refused(() -> i.set(box, null));
            refused(() -> s.set(box, 1));
            refused(() -> s.setInt(box, 1));
            refused(() -> count.set(null, ""));
            refused(() -> count.getByte(null));
        });
    }
}
