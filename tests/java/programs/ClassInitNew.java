// SPDX-License-Identifier: Apache-2.0
// `new` initializes a class, or waits until it is, before the arguments of the constructor are evaluated (JLS 12.4.1, 15.9.4). Where the class is used no more
// than by name nothing is ordered.
// EXPECT: race Shared.data write @1 then read @2
// EXPECT: race Shared.named write @3 then read @4
import static goldilocks.test.Order.*;

class ClassInitNew {
    static class Shared {
        static int data, named;
    }

    static class Made {
        static {
            Shared.data = 5; // @1
        }

        final int x;

        Made(int x) {
            this.x = x;
        }
    }

    static class Named {
        static {
            Shared.named = 5; // @3
        }
    }

    static int read() {
        return Shared.data; // @2
    }

    public static void main(String[] args) {
        ClassLoader loader = ClassInitNew.class.getClassLoader();
        use(Shared.data);
        Run.turns(() -> use(new Made(1)), () -> {
            if (racy())
                use(read());
            else
                use(new Made(read()).x);
        });
        Run.turns(() -> use(new Named()), () -> {
            use(Class.forName("ClassInitNew$Named", !racy(), loader));
            use(Shared.named); // @4
        });
    }
}
