// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import java.lang.ref.PhantomReference;

/**
 * An entry of a {@link Table}: what is kept about an object without keeping the object. A phantom, not a weak reference:
 * an object that its finalizer brings back keeps its state, which goes when nothing can ever use the object again.
 */
abstract class Node extends PhantomReference<Object> {
    final int hash; // identity hash of the object
    final long id;  // what of the object: MONITOR ..., or an offset
    boolean listed;     // it is, or was, in its table; written under the stripe's lock
    volatile Node next; // in the bucket; written under the stripe's lock, read without: then nodes may be overlooked

    /** Ids below 0 are not offsets of fields. */
    static final long MONITOR = -1, INTERRUPT = -2, CELLS = -3, FIELDS = -4, THREAD = -5, FINALIZER = -6, TASK = -7, HANDLER = -8, END = -9, LINK = -10;

    /** Below these: something of a class that belongs to a site; see {@link Clones}, {@link Reflect}; of a class alone: {@link Atomics}. */
    static final long CLONES = -1L << 32, REFLECTED = -1L << 48, ATOMICS = -1L << 60;

    Node(Object o, int hash, long id) {
        super(o, null);
        this.hash = hash;
        this.id = id;
    }

    /** The object is gone and the node is out of its table: gives back what the core holds for it. Called once. */
    abstract void died();

    /** There was a garbage collection, and the object lives. */
    void collected() {}
}
