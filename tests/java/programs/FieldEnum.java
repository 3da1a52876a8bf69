// SPDX-License-Identifier: Apache-2.0
// The state of an enum constant.
// EXPECT: race Colour.uses write @1 then write @2
import static goldilocks.test.Order.*;

class FieldEnum {
    enum Colour {
        RED, GREEN;

        int uses;
    }

    public static void main(String[] args) {
        use(Colour.RED);
        Run.turns(
            () -> Colour.RED.uses = 1, // @1
            () -> {
                Colour colour = racy() ? Colour.RED : Colour.GREEN;
                colour.uses = 2; // @2
            });
    }
}
