// SPDX-License-Identifier: Apache-2.0
// An exception that is made for the first time where the stack has just overflowed: its class, which has no initializer, can be used all the same, then and later.
// EXPECT: race Shared.data write @1 then write @1
import static goldilocks.test.Order.*;

class ClassInitOverflow {
    static class Shared {
        static int data;
    }

    static class TooDeep extends RuntimeException {
        private static final long serialVersionUID = 1;
        int depth;
    }

    static class MuchTooDeep extends TooDeep {
        private static final long serialVersionUID = 1;
    }

    static int depth, made;

    static void descend() {
        depth++;
        try {
            descend();
        } catch (StackOverflowError e) {
            TooDeep t = new MuchTooDeep();
            t.depth = depth;
            made++;
            throw t;
        }
    }

    static void write() {
        Shared.data = 1; // @1
    }

    public static void main(String[] args) throws Exception {
        ClassLoader loader = ClassInitOverflow.class.getClassLoader();
        Class.forName("ClassInitOverflow$TooDeep", false, loader);
        Class.forName("ClassInitOverflow$MuchTooDeep", false, loader);
        try {
            descend();
        } catch (TooDeep | StackOverflowError e) {
            use(e);
        }
        must(new MuchTooDeep().depth == 0);
        Run.guarded(ClassInitOverflow::write, ClassInitOverflow::write);
    }
}
