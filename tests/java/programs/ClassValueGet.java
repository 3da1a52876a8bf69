// SPDX-License-Identifier: Apache-2.0
// What ClassValue.get() gives is complete: what computeValue() did comes before every get(), what is written later does not.
// EXPECT: race int[0] write @1 then read @2
import static goldilocks.test.Order.*;

class ClassValueGet {
    static final ClassValue<int[]> NUMBERS = new ClassValue<>() {
        @Override
        protected int[] computeValue(Class<?> type) {
            return new int[] {type.getName().length()};
        }
    };

    public static void main(String[] args) {
        NUMBERS.get(Object.class); // so that all code is there
        Run.turns(() -> {
            int[] made = NUMBERS.get(String.class);
            if (racy())
                made[0] = 7; // @1
        }, () -> {
            use(NUMBERS.get(String.class)[0]); // @2
            use(NUMBERS.get(String.class)[0]);
        });
    }
}
