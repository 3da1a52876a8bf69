// SPDX-License-Identifier: Apache-2.0
// Volatile fields of every type hand the data on from thread to thread; the last one does not look at the flag.
// EXPECT: race VolatileTypes.data write @1 then write @2
import static goldilocks.test.Order.*;

class VolatileTypes {
    static final int KINDS = 10;
    static int data;
    static volatile boolean z;
    static volatile byte b;
    static volatile char c;
    static volatile short s;
    static volatile int i;
    static volatile long j;
    static volatile float f;
    static volatile double d;
    volatile long wide;
    volatile Object reference;

    void set(int which) {
        switch (which) {
            case 0: z = true; break;
            case 1: b = 1; break;
            case 2: c = 1; break;
            case 3: s = 1; break;
            case 4: i = 1; break;
            case 5: j = 1; break;
            case 6: f = 1; break;
            case 7: d = 1; break;
            case 8: wide = 1; break;
            default: reference = this; break;
        }
    }

    boolean isSet(int which) {
        switch (which) {
            case 0: return z;
            case 1: return b == 1;
            case 2: return c == 1;
            case 3: return s == 1;
            case 4: return i == 1;
            case 5: return j == 1;
            case 6: return f == 1;
            case 7: return d == 1;
            case 8: return wide == 1;
            default: return reference == this;
        }
    }

    void thread(int me) {
        await(me);
        if (me > 0)
            must(isSet(me - 1));
        data = me; // @1
        set(me);
        pass();
    }

    void last() {
        await(KINDS);
        if (!racy())
            must(isSet(KINDS - 1));
        data = KINDS; // @2
    }

    public static void main(String[] args) {
        VolatileTypes object = new VolatileTypes();
        Run.Body[] bodies = new Run.Body[KINDS + 1];
        for (int n = 0; n < KINDS; n++) {
            int me = n;
            bodies[n] = () -> object.thread(me);
        }
        bodies[KINDS] = object::last;
        Run.all(bodies);
    }
}
