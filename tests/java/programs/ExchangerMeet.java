// SPDX-License-Identifier: Apache-2.0
// An Exchanger orders both ways.
// EXPECT: race Meet.data write Meet@late then read Meet@read
import static goldilocks.test.Order.*;

import java.util.concurrent.Exchanger;

class ExchangerMeet {
    public static void main(String[] args) {
        Exchanger<Integer> exchanger = new Exchanger<>();
        Meet.run(() -> use((int) exchanger.exchange(1)), () -> use((int) exchanger.exchange(2)));
    }
}
