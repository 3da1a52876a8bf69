// SPDX-License-Identifier: Apache-2.0
// Four threads at once: two of them write each variable, nobody says in which order, and exactly one of the two races.
// EXPECT: race Box.x write @1 and write @1
// OPTIONS: on_race=throw
// OUTPUT racy: 4000 races, 0 invented
// OUTPUT twin: 0 races, 0 invented
import static goldilocks.test.Order.*;

class ExactConcurrent {
    static final int THREADS = 4;

    static class Box {
        int x;
        int own;
    }

    static boolean throwsAt(Box box, int value) {
        try {
            box.x = value; // @1
            return false;
        } catch (RuntimeException e) {
            return true;
        }
    }

    static boolean ownThrows(Box box, int value) {
        try {
            box.own = value;
            return false;
        } catch (RuntimeException e) {
            return true;
        }
    }

    static void work(int me, Box[] boxes, int[] races, int[] invented) {
        for (int i = 0; i < boxes.length; i++) {
            int first = i % THREADS;
            int second = (i + 1) % THREADS;
            if (me == first && ownThrows(boxes[i], me))
                invented[me]++;
            if (me == first || (me == second && racy()))
                races[me] += throwsAt(boxes[i], me) ? 1 : 0;
        }
    }

    public static void main(String[] args) {
        Box[] boxes = new Box[Exact.VARIABLES];
        for (int i = 0; i < boxes.length; i++)
            boxes[i] = new Box();
        int[] races = new int[THREADS];
        int[] invented = new int[THREADS];
        Run.Body[] bodies = new Run.Body[THREADS];
        for (int t = 0; t < THREADS; t++) {
            int me = t;
            bodies[t] = () -> work(me, boxes, races, invented);
        }
        Run.all(bodies);
        int sum = 0;
        int wrong = 0;
        for (int t = 0; t < THREADS; t++) {
            sum += races[t];
            wrong += invented[t];
        }
        System.out.println(sum + " races, " + wrong + " invented");
    }
}
