// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.ReservedStackAccess;

/**
 * A weak identity table: (object, id) to {@link Node}. Looking up takes no lock; adding takes the lock of one stripe, so
 * that two threads which add the same key agree on one node. Nodes of dead objects are taken out after each garbage collection
 * by {@link R#reap}; no ReferenceQueue is used, for that would run code of the JDK that may call us.
 *
 * Most objects die young, and so do their nodes: these are in buckets of their own, which are as young as they, so that nothing old refers to
 * what is new (for which a collector keeps books, dearly), and which are looked through after each collection. Who is still there after the second
 * one goes to the others, which are looked through more seldom.
 */
final class Table {
    private static final Unsafe U = Unsafe.getUnsafe();
    static final int STRIPE_BITS = 10;
    private static final int FIRST = 4; // buckets of a new stripe
    private static final Node[] NONE = new Node[1]; // never written

    private final Stripe[] stripes = new Stripe[1 << STRIPE_BITS];

    /** One part of the table, with its lock. */
    static final class Stripe extends Lock {
        // Replaced and filled with release, under the lock: of nodes that have lived through one flush() at most; of older ones.
        Node[] young = NONE;
        Node[] buckets = new Node[FIRST];
        int youngCount, count; // nodes; guarded by the lock
    }

    Table() {
        for (int i = 0; i < stripes.length; i++) {
            stripes[i] = new Stripe();
        }
    }

    private static final long YOUNG = U.objectFieldOffset(Stripe.class, "young");
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
        int mixed = mix(hash, id);
        Node n = find((Node[]) U.getReferenceAcquire(s, YOUNG), mixed, o, hash, id); // acquire, both: pairs with add() and flush()
        return n != null ? n : find((Node[]) U.getReferenceAcquire(s, BUCKETS), mixed, o, hash, id);
    }

    @ForceInline
    private static Node find(Node[] buckets, int mixed, Object o, int hash, long id) {
        Node n = (Node) U.getReferenceAcquire(buckets, offset(mixed & buckets.length - 1)); // pairs with add()
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
            Node[] buckets = s.young;
            if (buckets == NONE || s.youngCount >= most(buckets)) {
                int want = buckets == NONE ? FIRST : buckets.length * 2;
                if (room == null || room.length != want) {
                    s.unlock();
                    room = new Node[want]; // not under the lock: it may throw
                    continue;
                }
                move(buckets, room);
                U.putReferenceRelease(s, YOUNG, room); // pairs with find()
                buckets = room;
            }
            int at = mix(fresh.hash, fresh.id) & buckets.length - 1;
            fresh.next = buckets[at];
            fresh.listed = true;
            U.putReferenceRelease(buckets, offset(at), fresh); // publishes the node; pairs with find()
            s.youngCount++;
            s.unlock();
            return fresh;
        }
    }

    private static int most(Node[] buckets) {
        return buckets.length - (buckets.length >> 2);
    }

    /** All nodes from `old`, which is not changed, to `to`, which nobody else changes. */
    @DontInline
    private static void move(Node[] old, Node[] to) {
        for (int i = 0; i < old.length; i++) {
            Node n = old[i];
            while (n != null) {
                Node after = n.next;
                put(n, to);
                n = after;
            }
        }
    }

    private static void put(Node n, Node[] to) {
        int at = mix(n.hash, n.id) & to.length - 1;
        n.next = to[at];
        U.putReferenceRelease(to, offset(at), n); // pairs with find()
    }

    /** With the stripe's lock: takes out what died. Returns how many did. */
    @DontInline
    private static int sweepLocked(Node[] buckets, boolean collected) {
        int died = 0;
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
                    died++;
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
        return died;
    }

    /** After a garbage collection: takes out what died young. */
    void flush() {
        for (int i = 0; i < stripes.length; i++) {
            flush(stripes[i]);
        }
    }

    @ReservedStackAccess
    private static void flush(Stripe s) {
        Node[] room = null;
        Node[] youngRoom = NONE;
        for (;;) {
            s.lock();
            s.youngCount -= sweepLocked(s.young, true);
            int stay = youngest(s.young);
            int want = size(s.count + s.youngCount - stay, s.buckets.length);
            int wantYoung = stay == 0 ? 1 : size(stay, FIRST);
            if ((want == s.buckets.length || room != null && room.length >= want) && youngRoom.length >= wantYoung) {
                if (want != s.buckets.length) {
                    move(s.buckets, room);
                    U.putReferenceRelease(s, BUCKETS, room); // pairs with find()
                }
                part(s.young, stay == 0 ? NONE : youngRoom, s.buckets);
                U.putReferenceRelease(s, YOUNG, stay == 0 ? NONE : youngRoom); // pairs with find()
                s.count += s.youngCount - stay;
                s.youngCount = stay;
                s.unlock();
                return;
            }
            int have = s.buckets.length;
            s.unlock();
            try { // not under the lock: it may throw
                if (want != have) {
                    room = new Node[want];
                }
                youngRoom = new Node[wantYoung];
            } catch (OutOfMemoryError e) {
                return; // another time
            }
        }
    }

    /** Room for so many, a power of two times `least`. */
    private static int size(int nodes, int least) {
        int n = least;
        while (nodes > n - (n >> 2)) {
            n *= 2;
        }
        return n;
    }

    /** How many have lived through none. */
    @DontInline
    private static int youngest(Node[] young) {
        int count = 0;
        for (int i = 0; i < young.length; i++) {
            for (Node n = young[i]; n != null; n = n.next) {
                if (!n.aged) {
                    count++;
                }
            }
        }
        return count;
    }

    /** Those that have lived through one before go to `old`, the others to `to`. */
    @DontInline
    private static void part(Node[] young, Node[] to, Node[] old) {
        for (int i = 0; i < young.length; i++) {
            Node n = young[i];
            while (n != null) {
                Node after = n.next;
                put(n, n.aged ? old : to);
                n.aged = true;
                n = after;
            }
        }
    }

    /** After a garbage collection: takes out all that died. */
    void sweep() {
        for (int i = 0; i < stripes.length; i++) {
            sweep(stripes[i]);
        }
    }

    @ReservedStackAccess
    private static void sweep(Stripe s) {
        flush(s);
        s.lock();
        s.count -= sweepLocked(s.buckets, true);
        s.unlock();
    }

    /** All nodes of this id that are in the table now, and nulls behind them. */
    Node[] all(long id) {
        Node[] out = new Node[64];
        int n = 0;
        for (int i = 0; i < stripes.length; i++) {
            Stripe s = stripes[i];
            while (out.length - n < s.youngCount + s.count + FIRST) { // racy: it is looked at again under the lock
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
        if (out.length - n < s.youngCount + s.count) {
            s.unlock();
            return -1;
        }
        n = copy(s.young, id, out, n);
        n = copy(s.buckets, id, out, n);
        s.unlock();
        return n;
    }

    private static int copy(Node[] buckets, long id, Node[] out, int n) {
        for (int b = 0; b < buckets.length; b++) {
            for (Node node = buckets[b]; node != null; node = node.next) {
                if (node.id == id) {
                    out[n++] = node;
                }
            }
        }
        return n;
    }

    /** How many nodes there are, of objects alive or not yet found dead. */
    int size() {
        int n = 0;
        for (int i = 0; i < stripes.length; i++) {
            n += stripes[i].youngCount + stripes[i].count;
        }
        return n;
    }
}
