// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

/** A class as the agent would rewrite it, by hand: shadow fields, helpers, probes. Sites are 10 * what + 0..9. */
class Data {
    static final int A = 10, B = 20, V = 30, ST = 40, SV = 50, FIN = 60, UN = 70, ARR = 80;

    int a;
    private transient long $w$a, $s$a;
    Object b;
    private transient long $w$b, $s$b;
    volatile int v;
    final int fin = 1;
    static int st;
    static volatile int sv;

    static void register() {
        for (int i = 0; i < 10; i++) {
            Host.field(A + i, Data.class, "a", "I", F.PLAIN, false, -1);
            Host.field(B + i, Data.class, "b", "Ljava/lang/Object;", F.PLAIN, false, -1);
            Host.field(V + i, Data.class, "v", "I", F.VOLATILE, false, -1);
            Host.field(ST + i, Data.class, "st", "I", F.PLAIN, true, -1);
            Host.field(SV + i, Data.class, "sv", "I", F.VOLATILE, true, -1);
            Host.field(FIN + i, Data.class, "fin", "I", F.FINAL, false, -1);
        }
    }

    private static void readA(Data d, int site) {
        if (d != null && !R.readHit(d.$w$a, R.thread())) {
            R.read(d, R.thread(), site);
        }
    }

    private static void writeA(Data d, int site) {
        if (d != null && !R.writeHit(d.$w$a, R.thread())) {
            R.write(d, R.thread(), site);
        }
    }

    int getA(int site) {
        readA(this, site);
        return a;
    }

    void setA(int x, int site) {
        writeA(this, site);
        a = x;
    }

    Object getB(int site) {
        R.read(this, R.thread(), site);
        Object x = b;
        R.post(R.thread());
        return x;
    }

    void setB(Object x, int site) {
        R.write(this, R.thread(), site);
        b = x;
        R.post(R.thread());
    }

    int getV(int site) {
        R.read(this, R.thread(), site);
        int x = v;
        R.post(R.thread());
        return x;
    }

    void setV(int x, int site) {
        R.write(this, R.thread(), site);
        v = x;
        R.post(R.thread());
    }

    static int getSt(int site) {
        R.sread(site);
        int x = st;
        R.post(R.thread());
        return x;
    }

    static void setSt(int x, int site) {
        R.swrite(site);
        st = x;
        R.post(R.thread());
    }

    static int getSv(int site) {
        R.sread(site);
        int x = sv;
        R.post(R.thread());
        return x;
    }

    static void setSv(int x, int site) {
        R.swrite(site);
        sv = x;
        R.post(R.thread());
    }

    void locked(Runnable body) {
        synchronized (this) {
            R.entering(this); R.enter();
            try {
                body.run();
            } finally {
                R.exit(this);
            }
        }
    }

    synchronized void lockedMethod(Runnable body) {
        R.enterSync(this);
        try {
            body.run();
        } finally {
            R.exitSync();
        }
    }

    long wordA() {
        return $w$a;
    }
}
