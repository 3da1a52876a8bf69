// SPDX-License-Identifier: Apache-2.0
// The same by Class.forName.
// EXPECT: race Shared.data write @1 then read @2
import static goldilocks.test.Order.*;

class ClassInitForName {
    static class Shared {
        static int data;
    }

    static class Setup {
        static {
            Shared.data = 5; // @1
        }
    }

    public static void main(String[] args) {
        use(Shared.data);
        String name = Shared.class.getName().replace("Shared", "Setup");
        Run.turns(() -> use(Class.forName(name)), () -> {
            if (!racy())
                use(Class.forName(name));
            use(Shared.data); // @2
        });
    }
}
