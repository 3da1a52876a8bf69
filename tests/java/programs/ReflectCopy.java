// SPDX-License-Identifier: Apache-2.0
// A copy that is made field by field, by reflection, is a new object: it has no share in the history of the original, which many threads have read.
// EXPECT: race Box.x write @1 then write @2
// OUTPUT: [x, y]
import static goldilocks.test.Order.*;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

class ReflectCopy {
    static class Box {
        int x;
        Object y = "y";
    }

    static final int READERS = 6;

    static Box copy(Box box) throws Exception {
        Box copy = new Box();
        for (Field field : Box.class.getDeclaredFields()) {
            field.setAccessible(true);
            field.set(copy, field.get(box));
        }
        return copy;
    }

    public static void main(String[] args) throws Exception {
        copy(new Box());
        Box box = new Box();
        List<Run.Body> bodies = new ArrayList<>();
        for (int i = 0; i < READERS; i++) {
            bodies.add(() -> {
                use(box.x);
                use(box.y);
                pass();
                await(READERS);
                Box copy = copy(box);
                copy.x = 1;
                copy.y = null;
                must(copy(copy).x == 1);
            });
        }
        Run.all(bodies.toArray(new Run.Body[0]));
        Run.guarded(
            () -> box.x = 1, // @1
            () -> box.x = 2); // @2
        System.out.println(Arrays.stream(Box.class.getDeclaredFields()).map(Field::getName).sorted().toList());
    }
}
