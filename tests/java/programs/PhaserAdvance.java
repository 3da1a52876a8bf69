// SPDX-License-Identifier: Apache-2.0
// arriveAndAwaitAdvance of a Phaser.
// EXPECT: race Meet.data write Meet@late then read Meet@read
import java.util.concurrent.Phaser;

class PhaserAdvance {
    public static void main(String[] args) {
        Phaser phaser = new Phaser(2);
        Meet.run(phaser::arriveAndAwaitAdvance);
    }
}
