// SPDX-License-Identifier: Apache-2.0
// A class loader that is not parallel capable finds its classes under its monitor, which ClassLoader.loadClass() holds.
// EXPECT: race Own.asked write @1 then write @1
import static goldilocks.test.Order.*;

class LoaderFind {
    static class Own extends ClassLoader {
        int asked;

        Own() {
            super(null);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            asked = 1; // @1
            throw new ClassNotFoundException(name);
        }

        void load(String name, boolean locked) {
            try {
                if (locked)
                    loadClass(name);
                else
                    findClass(name);
            } catch (ClassNotFoundException e) {
                use(e);
            }
        }
    }

    public static void main(String[] args) {
        Own own = new Own(), other = new Own();
        other.load("None", true);
        other.load("None", false);
        Run.turns(() -> own.load("One", true), () -> own.load("Two", !racy()));
    }
}
