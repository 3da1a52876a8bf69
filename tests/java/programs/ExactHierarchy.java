// SPDX-License-Identifier: Apache-2.0
// Fields of one name in a class and its superclass, in objects of two classes.
// EXPECT: race Upper.x write @1 then write @2
// OPTIONS: on_race=throw
// OUTPUT racy: 2000 found, 0 invented
// OUTPUT twin: 0 found, 0 invented

class ExactHierarchy {
    static class Upper {
        int x;

        void set(boolean first) {
            if (first)
                x = 1; // @1
            else
                x = 2; // @2
        }
    }

    static class Lower extends Upper {
        int x;

        @Override
        void set(boolean first) {
            super.set(first);
            if (first)
                x = 1;
            else
                x = 2;
        }
    }

    public static void main(String[] args) {
        Upper[] objects = new Upper[Exact.VARIABLES];
        for (int i = 0; i < objects.length; i++)
            objects[i] = i % 2 == 0 ? new Upper() : new Lower();
        Exact.run(i -> objects[i].set(true), i -> objects[i].set(false));
    }
}
