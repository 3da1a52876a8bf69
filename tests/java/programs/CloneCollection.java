// SPDX-License-Identifier: Apache-2.0
// A collection of the JDK that an application class extends: its clone() copies the fields of that class, too, and the copy is a new object.
// EXPECT: race Named.x write @1 then write @2
import static goldilocks.test.Order.*;

import java.util.HashMap;

class CloneCollection {
    @SuppressWarnings("serial")
    static class Named extends HashMap<String, String> {
        int x;
    }

    public static void main(String[] args) {
        Named original = new Named();
        Run.turns(
            () -> original.x = 1, // @1
            () -> {
                Named mine = original;
                if (!racy()) {
                    mine = new Named();
                    mine = (Named) mine.clone();
                }
                mine.x = 2; // @2
            });
    }
}
