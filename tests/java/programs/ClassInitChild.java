// SPDX-License-Identifier: Apache-2.0
// A thread has from who started it which initializations are taken in, but not those that its parent takes in later.
// EXPECT: race Shared.data write @1 then read @2
import static goldilocks.test.Order.*;

class ClassInitChild {
    static class Shared {
        static int data;
    }

    static class Made {}

    static class Later {} // has a greater number than Made, so that its place is there already

    public static void main(String[] args) throws Exception {
        Class.forName(Made.class.getName(), false, ClassInitChild.class.getClassLoader());
        use(new Later());
        use(Shared.data);
        begin();
        Thread child = Run.start(() -> {
            await(2);
            if (!racy())
                use(new Made());
            use(Shared.data); // @2
        });
        Thread other = Run.start(() -> {
            Shared.data = 5; // @1
            use(new Made()); // initializes it
            pass();
            await(2);
        });
        await(1);
        use(new Made());
        pass();
        Run.join(child);
        Run.join(other);
    }
}
