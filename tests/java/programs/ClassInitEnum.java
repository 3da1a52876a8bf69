// SPDX-License-Identifier: Apache-2.0
// Constants of an enum that come from a collection of enums, or by their name, have been initialized.
// EXPECT: race int[1] write @1 then read @2
import static goldilocks.test.Order.*;

import java.util.EnumSet;

class ClassInitEnum {
    enum Kind {
        FIRST;

        final int[] table = {0, 7};
    }

    enum Named {
        ONLY;

        final int[] table = {0, 7};
    }

    enum Listed {
        ONLY;

        final int[] table = {0, 7};
    }

    public static void main(String[] args) {
        Run.turns(() -> {
            use(EnumSet.allOf(Kind.class).iterator().next().table[1] + Listed.ONLY.table[1]);
            use(Enum.valueOf(Named.class, "ONLY").table[1] + Listed.class.getEnumConstants()[0].table[1]);
            if (racy())
                Kind.FIRST.table[1] = 8; // @1
        }, () -> {
            use(Enum.valueOf(Named.class, "ONLY").table[1] + Listed.class.getEnumConstants()[0].table[1]);
            int[] table = EnumSet.allOf(Kind.class).iterator().next().table;
            use(table[1]); // @2
        });
    }
}
