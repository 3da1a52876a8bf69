// SPDX-License-Identifier: Apache-2.0
// A report names both threads, and the methods on the stack of the access.
// EXPECT: race ReportThreads.x write @1 then read @2
// REPORT: by thread "the writer"
// REPORT: by thread "the reader"
// REPORT: at ReportThreads\.inner\(ReportThreads\.java:\d+\)\n +at ReportThreads\.outer\(ReportThreads\.java:\d+\)
import static goldilocks.test.Order.*;

class ReportThreads {
    static int x;

    static void inner() {
        use(x); // @2
    }

    static void outer() {
        inner();
    }

    public static void main(String[] args) {
        begin();
        Thread writer = new Thread(() -> {
            x = 1; // @1
            pass();
            if (racy())
                await(2);
        }, "the writer");
        Thread reader = new Thread(() -> {
            await(1);
            if (!racy())
                Run.join(writer);
            outer();
            pass();
        }, "the reader");
        writer.start();
        reader.start();
        Run.join(reader);
        Run.join(writer);
    }
}
