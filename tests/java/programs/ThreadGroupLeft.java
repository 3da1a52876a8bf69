// SPDX-License-Identifier: Apache-2.0
// A thread that has ended is in no group: who finds that out comes after all it did (JLS 17.4.4).
// EXPECT: race ThreadGroupLeft.data write @1 then read @2
import static goldilocks.test.Order.*;

class ThreadGroupLeft {
    static int data;

    public static void main(String[] args) {
        begin();
        Thread thread = Run.start(() -> {
            data = 1; // @1
            pass();
            if (racy())
                await(2);
        });
        await(1);
        if (racy())
            must(thread.getThreadGroup() != null);
        else
            while (thread.getThreadGroup() != null)
                Thread.onSpinWait();
        use(data); // @2
        pass();
        Run.join(thread);
    }
}
