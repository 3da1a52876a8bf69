// SPDX-License-Identifier: Apache-2.0
// A subclass declares a field of the same name as its superclass: one object, two variables.
// EXPECT: race Upper.x write @1 then write @2
import static goldilocks.test.Order.*;

class FieldHidden {
    static class Upper {
        int x;
    }

    static class Lower extends Upper {
        int x;
    }

    public static void main(String[] args) {
        Lower object = new Lower();
        Run.turns(
            () -> ((Upper) object).x = 1, // @1
            () -> {
                if (racy())
                    ((Upper) object).x = 2; // @2
                object.x = 3;
            });
    }
}
