// SPDX-License-Identifier: Apache-2.0
// An object given away through an Exchanger.
// EXPECT: race Item.value write Handoff@late then read Handoff@taken
import static goldilocks.test.Order.*;

import java.util.concurrent.Exchanger;

class ExchangerSwap {
    public static void main(String[] args) throws Exception {
        Exchanger<Item> exchanger = new Exchanger<>();
        Handoff.run(item -> use(exchanger.exchange(item)), () -> exchanger.exchange(null));
    }
}
