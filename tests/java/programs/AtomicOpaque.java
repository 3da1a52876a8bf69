// SPDX-License-Identifier: Apache-2.0
// setOpaque and getOpaque order nothing.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.util.concurrent.atomic.AtomicReference;

class AtomicOpaque {
    public static void main(String[] args) throws Exception {
        AtomicReference<String> flag = new AtomicReference<>();
        Publish.with(() -> {
            if (racy())
                flag.setOpaque("x");
            else
                flag.set("x");
        }, () -> must((racy() ? flag.getOpaque() : flag.get()) == "x"));
    }
}
