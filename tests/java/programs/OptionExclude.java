// SPDX-License-Identifier: Apache-2.0
// A class that is excluded is not checked; the one beside it is.
// EXPECT: race Seen.x write @1 then write @2
// OPTIONS: exclude=OptionExclude$Hidden
// REPORTS racy: 1

class OptionExclude {
    static class Seen {
        int x;
    }

    static class Hidden {
        int x;

        void set(int value) {
            x = value;
        }
    }

    public static void main(String[] args) {
        Seen seen = new Seen();
        Hidden unseen = new Hidden();
        Run.turns(() -> unseen.set(1), () -> unseen.set(2));
        Run.guarded(
            () -> seen.x = 1, // @1
            () -> seen.x = 2); // @2
    }
}
