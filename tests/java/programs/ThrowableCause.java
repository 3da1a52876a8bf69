// SPDX-License-Identifier: Apache-2.0
// initCause() and getCause() are synchronized: who gives a throwable its cause comes before who gets it.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

class ThrowableCause {
    public static void main(String[] args) {
        Throwable effect = new Throwable("effect"), cause = new Throwable("cause");
        Publish.run(() -> effect.initCause(cause), () -> must(effect.getCause() == cause));
    }
}
