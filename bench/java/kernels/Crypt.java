// SPDX-License-Identifier: Apache-2.0
package kernels;

import java.util.Arrays;

/**
 * IDEA encryption and decryption of size bytes, as in the Java Grande suite (size A: 3,000,000). Threads have slices
 * of whole blocks; the keys are read by all.
 */
final class Crypt extends Kernel {
    static final int SIZE = 3_000_000;
    static final int REDUCED = 100_000;
    private static final int BLOCK = 8;
    private static final int KEYS = 52;
    private static final int ROUNDS = 8;

    private final byte[] plain;
    private final byte[] secret;
    private final byte[] back;
    private final int[] encryption = new int[KEYS];
    private final int[] decryption = new int[KEYS];

    Crypt(int threads, int size) {
        super(threads, size / BLOCK * BLOCK);
        plain = new byte[this.size];
        secret = new byte[this.size];
        back = new byte[this.size];
        Lcg random = new Lcg(5);
        for (int i = 0; i < plain.length; i++)
            plain[i] = (byte) random.next(256);
        int[] user = new int[8];
        for (int i = 0; i < user.length; i++)
            user[i] = random.next(1 << 16);
        expand(user);
        invert();
    }

    /** The 128 bits of the key, turned left by 25 bits for every eight subkeys. */
    private void expand(int[] user) {
        System.arraycopy(user, 0, encryption, 0, 8);
        for (int i = 8; i < KEYS; i++) {
            int[] z = encryption;
            switch (i & 7) {
                case 6:
                    z[i] = (z[i - 7] << 9 | z[i - 14] >>> 7) & 0xFFFF;
                    break;
                case 7:
                    z[i] = (z[i - 15] << 9 | z[i - 14] >>> 7) & 0xFFFF;
                    break;
                default:
                    z[i] = (z[i - 7] << 9 | z[i - 6] >>> 7) & 0xFFFF;
            }
        }
    }

    private void invert() {
        for (int round = 0; round <= ROUNDS; round++) {
            int from = 6 * (ROUNDS - round);
            int to = 6 * round;
            boolean edge = round == 0 || round == ROUNDS;
            decryption[to] = inverse(encryption[from]);
            decryption[to + 1] = -encryption[from + (edge ? 1 : 2)] & 0xFFFF;
            decryption[to + 2] = -encryption[from + (edge ? 2 : 1)] & 0xFFFF;
            decryption[to + 3] = inverse(encryption[from + 3]);
            if (round < ROUNDS) {
                decryption[to + 4] = encryption[from - 2];
                decryption[to + 5] = encryption[from - 1];
            }
        }
    }

    /** Multiplication modulo 65,537, where 0 stands for 65,536. */
    private static int times(int a, int b) {
        if (a == 0)
            return (1 - b) & 0xFFFF;
        if (b == 0)
            return (1 - a) & 0xFFFF;
        int product = a * b;
        int low = product & 0xFFFF;
        int high = product >>> 16;
        return (low - high + (low < high ? 1 : 0)) & 0xFFFF;
    }

    /** x to the power 65,535, which is 1/x modulo the prime 65,537. */
    private static int inverse(int x) {
        int result = 1;
        for (int i = 0; i < 16; i++)
            result = times(times(result, result), x);
        return result;
    }

    private static void cipher(byte[] from, byte[] to, int[] keys, int begin, int end) {
        for (int b = begin; b < end; b += BLOCK) {
            int x1 = (from[b] & 255) | (from[b + 1] & 255) << 8;
            int x2 = (from[b + 2] & 255) | (from[b + 3] & 255) << 8;
            int x3 = (from[b + 4] & 255) | (from[b + 5] & 255) << 8;
            int x4 = (from[b + 6] & 255) | (from[b + 7] & 255) << 8;
            int k = 0;
            for (int round = 0; round < ROUNDS; round++) {
                x1 = times(x1, keys[k++]);
                x2 = (x2 + keys[k++]) & 0xFFFF;
                x3 = (x3 + keys[k++]) & 0xFFFF;
                x4 = times(x4, keys[k++]);
                int t1 = times(x1 ^ x3, keys[k++]);
                int t2 = times((t1 + (x2 ^ x4)) & 0xFFFF, keys[k++]);
                t1 = (t1 + t2) & 0xFFFF;
                x1 ^= t2;
                x4 ^= t1;
                int middle = x2 ^ t1;
                x2 = x3 ^ t2;
                x3 = middle;
            }
            x1 = times(x1, keys[k++]);
            int y2 = (x3 + keys[k++]) & 0xFFFF;
            int y3 = (x2 + keys[k++]) & 0xFFFF;
            x4 = times(x4, keys[k]);
            put(to, b, x1);
            put(to, b + 2, y2);
            put(to, b + 4, y3);
            put(to, b + 6, x4);
        }
    }

    private static void put(byte[] to, int at, int value) {
        to[at] = (byte) value;
        to[at + 1] = (byte) (value >>> 8);
    }

    @Override
    void run(int id) {
        int begin = first(size / BLOCK, id) * BLOCK;
        int end = first(size / BLOCK, id + 1) * BLOCK;
        cipher(plain, secret, encryption, begin, end);
        barrier.await();
        cipher(secret, back, decryption, begin, end);
    }

    @Override
    void check() {
        expect(Arrays.equals(plain, back), "what was decrypted is not what was encrypted");
        expect(!Arrays.equals(plain, secret), "nothing was encrypted");
    }
}
