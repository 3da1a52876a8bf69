// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.ReservedStackAccess;

/**
 * A weak identity table: (object, id) to {@link Node}. Looking up takes no lock; adding takes the lock of one stripe, so
 * that two threads which add the same key agree on one node. Nodes of dead objects are taken out when a stripe would
 * grow, and after each garbage collection by {@link R#reap}; no ReferenceQueue is used, for that would run code of the JDK that
 * may call us.
 */
final class Table {
    private static final Unsafe U = Unsafe.getUnsafe();
    static final int STRIPE_BITS = 10;
    private static final int FIRST = 4; // buckets of a new stripe

    private final Stripe[] stripes = new Stripe[1 << STRIPE_BITS];

    /** One part of the table, with its lock. */
    static final class Stripe extends Lock {
        Node[] buckets = new Node[FIRST]; // replaced and filled with release, under the lock
        int count;                        // nodes; guarded by the lock
    }

    Table() {
        for (int i = 0; i < stripes.length; i++) {
            stripes[i] = new Stripe();
        }
    }

    private static final long BUCKETS = U.objectFieldOffset(Stripe.class, "buckets");

    static int mix(int hash, long id) {
        int h = (hash ^ (int) id * 0x7FEB352D) * 0x9E3779B9;
        return h ^ h >>> 15;
    }

    Stripe stripe(int hash, long id) {
        return stripes[mix(hash, id) >>> 32 - STRIPE_BITS];
    }

    /** The node, or null. May overlook one that is being added, or while the stripe is rebuilt. */
    Node find(Object o, int hash, long id) {
        return find(stripe(hash, id), o, hash, id);
    }

    private static Node find(Stripe s, Object o, int hash, long id) {
        Node[] buckets = (Node[]) U.getReferenceAcquire(s, BUCKETS); // pairs with grow()
        int at = mix(hash, id) & buckets.length - 1;
        Node n = (Node) U.getReferenceAcquire(buckets, offset(at)); // pairs with addLocked()
        while (n != null) {
            if (n.hash == hash && n.id == id && n.refersTo(o)) {
                return n;
            }
            n = n.next;
        }
        return null;
    }

    /** For a caller that holds the stripe's lock: overlooks nothing. */
    @ForceInline
    static Node findLocked(Stripe s, Object o, int hash, long id) {
        return find(s, o, hash, id);
    }

    /** The node, or null: there is none. */
    @ReservedStackAccess
    Node findSurely(Object o, int hash, long id) {
        Stripe s = stripe(hash, id);
        Node n = find(s, o, hash, id);
        if (n == null) {
            s.lock();
            n = find(s, o, hash, id);
            s.unlock();
        }
        return n;
    }

    @ForceInline
    private static long offset(int bucket) {
        return Layout.REFERENCES + (long) bucket * Layout.REFERENCE;
    }

    /** The node of this key that is in the table already, or else `fresh`, which then is in it. `o` is its object. */
    @DontInline
    @ReservedStackAccess
    Node add(Object o, Node fresh) {
        Stripe s = stripe(fresh.hash, fresh.id);
        Node[] room = null;
        for (;;) {
            s.lock();
            Node n = findLocked(s, o, fresh.hash, fresh.id);
            if (n != null) {
                s.unlock();
                return n;
            }
            int full = s.buckets.length - (s.buckets.length >> 2);
            boolean swept = s.count >= full;
            if (swept) {
                sweepLocked(s, false);
            }
            if (swept && s.count >= full - (full >> 2)) { // few died: it would be swept again soon
                int want = s.buckets.length * 2;
                if (room == null || room.length != want) {
                    s.unlock();
                    room = new Node[want]; // not under the lock: it may throw
                    continue;
                }
                grow(s, room);
            }
            int at = mix(fresh.hash, fresh.id) & s.buckets.length - 1;
            fresh.next = s.buckets[at];
            fresh.listed = true;
            U.putReferenceRelease(s.buckets, offset(at), fresh); // publishes the node; pairs with find()
            s.count++;
            s.unlock();
            return fresh;
        }
    }

    @DontInline
    private static void grow(Stripe s, Node[] room) {
        Node[] old = s.buckets;
        for (int i = 0; i < old.length; i++) {
            Node n = old[i];
            while (n != null) {
                Node after = n.next;
                int at = mix(n.hash, n.id) & room.length - 1;
                n.next = room[at];
                room[at] = n;
                n = after;
            }
        }
        U.putReferenceRelease(s, BUCKETS, room); // pairs with find()
    }

    @DontInline
    private static void sweepLocked(Stripe s, boolean collected) {
        Node[] buckets = s.buckets;
        for (int i = 0; i < buckets.length; i++) {
            Node last = null;
            Node n = buckets[i];
            while (n != null) {
                Node after = n.next;
                if (n.refersTo(null)) {
                    if (last == null) {
                        U.putReferenceRelease(buckets, offset(i), after);
                    } else {
                        last.next = after;
                    }
                    s.count--;
                    n.died();
                } else {
                    last = n;
                    if (collected) {
                        n.collected();
                    }
                }
                n = after;
            }
        }
    }

    /** After a garbage collection: takes out what died. */
    @ReservedStackAccess
    void sweep() {
        for (int i = 0; i < stripes.length; i++) {
            Stripe s = stripes[i];
            s.lock();
            sweepLocked(s, true);
            s.unlock();
        }
    }

    /** All nodes of this id that are in the table now, and nulls behind them. */
    Node[] all(long id) {
        Node[] out = new Node[64];
        int n = 0;
        for (int i = 0; i < stripes.length; i++) {
            Stripe s = stripes[i];
            while (out.length - n < s.count + FIRST) { // racy: it is looked at again under the lock
                Node[] more = new Node[2 * out.length];
                for (int k = 0; k < n; k++) {
                    more[k] = out[k];
                }
                out = more;
            }
            int before = n;
            n = allLocked(s, id, out, n);
            if (n < 0) { // it has grown
                n = before;
                i--;
            }
        }
        return out;
    }

    /** How many are in `out` then; -1: there is no room. */
    @DontInline
    @ReservedStackAccess
    private static int allLocked(Stripe s, long id, Node[] out, int n) {
        s.lock();
        if (out.length - n < s.count) {
            s.unlock();
            return -1;
        }
        Node[] buckets = s.buckets;
        for (int b = 0; b < buckets.length; b++) {
            for (Node node = buckets[b]; node != null; node = node.next) {
                if (node.id == id) {
                    out[n++] = node;
                }
            }
        }
        s.unlock();
        return n;
    }

    /** How many nodes there are, of objects alive or not yet found dead. */
    int size() {
        int n = 0;
        for (int i = 0; i < stripes.length; i++) {
            n += stripes[i].count;
        }
        return n;
    }
}
