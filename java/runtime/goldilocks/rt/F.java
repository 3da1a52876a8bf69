// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import java.lang.ref.WeakReference;

/** A field of the program, as probes need it. */
final class F extends Node {
    static final int PLAIN = 0, VOLATILE = 1, FINAL = 2, UNCHECKED = 3;
    static final int DROPPED = 4; // was PLAIN until it raced (stop_checking=field)

    int kind; // PLAIN becomes DROPPED, at any time: who still sees PLAIN checks once more
    final boolean isStatic;
    final String key; // name and descriptor
    final WeakReference<Class<?>> declaring;
    final int classId; // whose initialization the first use by a thread sinks on; -1: none
    long off, soff;    // PLAIN: offsets of the cell's word and sites; VOLATILE: off, that of the field itself
    long w, s;         // the cell of a static field
    F other;           // the next field of the class that was looked up; under Fields.LOCK

    F(Class<?> declaring, int hash, String key, int kind, boolean isStatic, int classId) {
        super(declaring, hash, FIELDS);
        this.declaring = new WeakReference<Class<?>>(declaring);
        this.key = key;
        this.kind = kind;
        this.isStatic = isStatic;
        this.classId = classId;
    }

    @Override
    void died() {
        for (F f = this; f != null; f = f.other) {
            if ((int) (f.w >>> 32) == Access.SIDE) {
                R.freeSide(f.w);
            }
        }
    }
}
