// SPDX-License-Identifier: Apache-2.0
// The field of an anonymous class.
// EXPECT: race FieldAnonymous$1.x write @1 then write @2

class FieldAnonymous {
    public static void main(String[] args) {
        var shared = new Object() {
            int x;
        };
        Run.guarded(
            () -> shared.x = 1, // @1
            () -> shared.x = 2); // @2
    }
}
