// SPDX-License-Identifier: Apache-2.0
// A static field that is not final, written by the initialization of its class.
// EXPECT: race Settings.level write @1 then read @2
import static goldilocks.test.Order.*;

class ClassInitStaticField {
    static class Settings {
        static int level;
        static String name;

        static {
            level = 3;
            name = "three";
        }
    }

    public static void main(String[] args) {
        Run.turns(() -> {
            use(Settings.name);
            if (racy())
                Settings.level = 4; // @1
        }, () -> {
            use(Settings.name);
            use(Settings.level); // @2
        });
    }
}
