// SPDX-License-Identifier: Apache-2.0
// A field that a superclass in another package declares; it belongs to that class.
// EXPECT: race Base.inherited write @1 then write @2

class FieldInherited extends lib.Base {
    public static void main(String[] args) {
        FieldInherited object = new FieldInherited();
        Run.guarded(
            () -> object.inherited = 1, // @1
            () -> object.inherited = 2); // @2
    }
}
