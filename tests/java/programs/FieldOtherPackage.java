// SPDX-License-Identifier: Apache-2.0
// A public field of a class in another package.
// EXPECT: race Base.open read @1 then write @2
import static goldilocks.test.Order.*;

import lib.Base;

class FieldOtherPackage {
    public static void main(String[] args) {
        Base base = new Base();
        Run.guarded(
            () -> use(base.open), // @1
            () -> base.open = 2); // @2
    }
}
