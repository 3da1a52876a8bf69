// SPDX-License-Identifier: Apache-2.0
// Initialization writes another class's field; who calls a static method afterwards is ordered after it.
// EXPECT: race Shared.data write @1 then read @2
import static goldilocks.test.Order.*;

class ClassInitCall {
    static class Shared {
        static int data;
    }

    static class Setup {
        static {
            Shared.data = 5; // @1
        }

        static void touch() {}
    }

    public static void main(String[] args) {
        use(Shared.data);
        Run.turns(Setup::touch, () -> {
            if (!racy())
                Setup.touch();
            use(Shared.data); // @2
        });
    }
}
