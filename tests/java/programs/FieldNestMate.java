// SPDX-License-Identifier: Apache-2.0
// A private field of a nested class, used directly by its nest mate.
// EXPECT: race Secret.x write @1 then read @2
import static goldilocks.test.Order.*;

class FieldNestMate {
    static class Secret {
        private long x;
    }

    public static void main(String[] args) {
        Secret secret = new Secret();
        Run.guarded(
            () -> secret.x = 1, // @1
            () -> use(secret.x)); // @2
    }
}
