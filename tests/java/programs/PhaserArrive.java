// SPDX-License-Identifier: Apache-2.0
// arrive, and awaitAdvance by a thread that is not registered.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.util.concurrent.Phaser;

class PhaserArrive {
    public static void main(String[] args) throws Exception {
        Phaser phaser = new Phaser(1);
        Publish.run(() -> use(phaser.arrive()), () -> use(phaser.awaitAdvance(0)));
    }
}
