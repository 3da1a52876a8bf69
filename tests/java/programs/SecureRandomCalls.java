// SPDX-License-Identifier: Apache-2.0
// SecureRandom makes one call after the other of an implementation that does not say that it needs no lock.
// EXPECT: race Steps.made write @1 then write @2
import static goldilocks.test.Order.*;

import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.SecureRandomSpi;

class SecureRandomCalls {
    static Steps only;

    public static class Steps extends SecureRandomSpi {
        int made;

        public Steps() {
            only = this;
        }

        @Override
        protected void engineSetSeed(byte[] seed) {}

        @Override
        protected void engineNextBytes(byte[] bytes) {
            made = 1; // @1
            bytes[0] = 1;
        }

        @Override
        protected byte[] engineGenerateSeed(int n) {
            return new byte[n];
        }
    }

    static class Mine extends Provider {
        Mine() {
            super("Mine", "1", "");
            put("SecureRandom.Steps", Steps.class.getName());
        }
    }

    public static void main(String[] args) throws NoSuchAlgorithmException {
        SecureRandom random = SecureRandom.getInstance("Steps", new Mine());
        Steps steps = only;
        Run.turns(
            () -> use(random.nextInt()),
            () -> {
                if (racy())
                    steps.made = 2; // @2
                else
                    use(random.nextInt());
            });
    }
}
