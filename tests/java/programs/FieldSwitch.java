// SPDX-License-Identifier: Apache-2.0
// Accesses in the arms of both kinds of switch.
// EXPECT: race Box.x write @1 then write @2
import static goldilocks.test.Order.*;

class FieldSwitch {
    static class Box {
        int x;
        int y;
    }

    static void set(Box box, int which) {
        switch (which) {
            case 1:
                box.x = 1; // @1
                break;
            case 2:
                box.y = 1;
                break;
            case 3:
                box.x = 2; // @2
                break;
            default:
                must(false);
        }
        switch (which * 1000) {
            case 1000:
            case 90000:
                must(box.x == 1);
                break;
            default:
                break;
        }
    }

    public static void main(String[] args) {
        Box box = new Box();
        Run.turns(() -> set(box, 1), () -> set(box, racy() ? 3 : 2));
    }
}
