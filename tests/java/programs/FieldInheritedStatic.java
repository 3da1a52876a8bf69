// SPDX-License-Identifier: Apache-2.0
// A static field named through a subclass of the class that declares it.
// EXPECT: race Base.shared write @1 then read @2
import static goldilocks.test.Order.*;

class FieldInheritedStatic extends lib.Base {
    public static void main(String[] args) {
        Run.guarded(
            () -> FieldInheritedStatic.shared = 1, // @1
            () -> use(shared)); // @2
    }
}
