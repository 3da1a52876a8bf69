// SPDX-License-Identifier: Apache-2.0
// A throwable keeps its suppressed exceptions and its cause under its monitor: who adds one comes before who gets it.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

class ThrowableSuppressed {
    public static void main(String[] args) {
        Throwable all = new Throwable("all"), one = new Throwable("one");
        Publish.run(() -> all.addSuppressed(one), () -> must(all.getSuppressed()[0] == one));
    }
}
