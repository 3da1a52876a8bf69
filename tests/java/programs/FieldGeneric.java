// SPDX-License-Identifier: Apache-2.0
// A generic field behind a bridge method: the access is in the method that the bridge calls.
// EXPECT: race Cell.value write @1 then write @2

class FieldGeneric {
    static class Cell<V> {
        V value;

        void set(V v) {
            value = v;
        }
    }

    static class Text extends Cell<String> {
        @Override
        void set(String v) {
            value = v; // @1 @2
        }
    }

    public static void main(String[] args) {
        Cell<String> cell = new Text();
        Run.guarded(() -> cell.set("one"), () -> cell.set("two"));
    }
}
