// SPDX-License-Identifier: Apache-2.0
// A throwable's stack trace is set and got under its monitor; each who gets it has an array of its own.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

class ThrowableStack {
    public static void main(String[] args) {
        Throwable one = new Throwable("one");
        StackTraceElement[] none = {};
        StackTraceElement[] own = {new StackTraceElement("Some", "method", null, 1)};
        one.setStackTrace(none);
        Publish.run(() -> one.setStackTrace(own), () -> must(one.getStackTrace()[0].getLineNumber() == 1));
    }
}
