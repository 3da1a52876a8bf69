// SPDX-License-Identifier: Apache-2.0
// Two phasers below one.
// EXPECT: race Meet.data write Meet@late then read Meet@read
import java.util.concurrent.Phaser;

class PhaserTiered {
    public static void main(String[] args) {
        Phaser root = new Phaser();
        Phaser left = new Phaser(root, 1);
        Phaser right = new Phaser(root, 1);
        Meet.run(left::arriveAndAwaitAdvance, right::arriveAndAwaitAdvance);
    }
}
