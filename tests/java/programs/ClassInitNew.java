// SPDX-License-Identifier: Apache-2.0
// The same by creating an object of the class.
// EXPECT: race Shared.data write @1 then read @2
import static goldilocks.test.Order.*;

class ClassInitNew {
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
        Run.turns(() -> use(new Setup()), () -> {
            if (!racy())
                use(new Setup());
            use(Shared.data); // @2
        });
    }
}
