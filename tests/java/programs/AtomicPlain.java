// SPDX-License-Identifier: Apache-2.0
// setPlain and getPlain order nothing.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.util.concurrent.atomic.AtomicInteger;

class AtomicPlain {
    public static void main(String[] args) throws Exception {
        AtomicInteger flag = new AtomicInteger();
        Publish.with(() -> {
            if (racy())
                flag.setPlain(1);
            else
                flag.setRelease(1);
        }, () -> must((racy() ? flag.getPlain() : flag.getAcquire()) == 1));
    }
}
