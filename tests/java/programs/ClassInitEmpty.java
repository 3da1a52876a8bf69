// SPDX-License-Identifier: Apache-2.0
// The same of classes that have no static initializer: who initialized them comes before who uses them.
// EXPECT: race Shared.data write @1 then read @2
// EXPECT: race Shared.more write @3 then read @4
// EXPECT: race Shared.less write @5 then read @6
import static goldilocks.test.Order.*;

class ClassInitEmpty {
    static class Shared {
        static int data, more, less;
    }

    static class Made {}

    static class Called {
        static void method() {}
    }

    static class Below extends Above {}

    static class Above {
        static int count;
    }

    public static void main(String[] args) {
        use(Shared.data);
        use(Above.count);
        Run.turns(() -> {
            Shared.data = 5; // @1
            use(new Made());
        }, () -> {
            if (!racy())
                use(new Made());
            use(Shared.data); // @2
        });
        Run.turns(() -> {
            Shared.more = 5; // @3
            Called.method();
        }, () -> {
            if (!racy())
                Called.method();
            use(Shared.more); // @4
        });
        Run.turns(() -> {
            Shared.less = 5; // @5
            use(new Below());
        }, () -> {
            use(new Above()); // it was initialized before
            if (!racy())
                use(new Below());
            use(Shared.less); // @6
        });
    }
}
