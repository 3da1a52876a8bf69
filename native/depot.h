/* SPDX-License-Identifier: Apache-2.0
 *
 * The depot: what has to be remembered for good under a number below 2^30 - call paths, places on them, locksets, joined
 * sites (site.c says what for).  A number is that of a unit of 8 bytes; nothing moves or goes away.
 *
 *   a path    a line of 8 units: its parent and the return address that leads from there; then what is on it, in 6 units:
 *             places (a number of their own each) and calls, which lead to the lines of other paths.  Four lines hold what is
 *             on one path, whatever is beyond that is in a tree of lines: one of four, by hash, below each that is full
 *   a pair    2 units: a parent and 60 bits, once each; found by a table
 *
 * Why lines: what is on a path is looked up when the path has just been entered, which was most likely entered from its
 * parent.  So the parent's line, the path's and what is on it are one line of the cache each, and lines that are made one after the other
 * (depth first, in a recursion) lie one after the other.
 *
 *              look-up   make        "-"  safe together, any thread, any time; a struct rt_depot_hand is one thread's
 *   look-up      -        -
 *   make         -        -
 */
#ifndef GL_NATIVE_DEPOT_H
#define GL_NATIVE_DEPOT_H

#include <stdbool.h>
#include <stdint.h>

/* What a unit is, in its highest bits; no unit is 0 but an unused one. */
#define RT_DEPOT_TAG 60
enum rt_depot_tag {
    /* of pairs and places; the rest of the 60 bits is the caller's */
    RT_DEPOT_LOCK = 1,
    RT_DEPOT_ACCESS,
    RT_DEPOT_HELD,
    RT_DEPOT_JOIN,
    RT_DEPOT_STACK,
    /* the depot's own */
    RT_DEPOT_CALL, /* from a path to a longer one */
    RT_DEPOT_PATH, /* heads of lines */
    RT_DEPOT_MORE
};
#define RT_DEPOT_PC      ((1ull << 48) - 1)
#define RT_DEPOT_NUMBERS (1u << 30) /* numbers are below */

static inline uint64_t rt_depot_word(enum rt_depot_tag tag, uint64_t value)
{
    return (uint64_t)tag << RT_DEPOT_TAG | value;
}
static inline enum rt_depot_tag rt_depot_tag(uint64_t word)
{
    return (enum rt_depot_tag)(word >> RT_DEPOT_TAG);
}

/* A look-up that a thread did before. */
struct rt_depot_known {
    uint64_t word;
    uint32_t parent, number;
};
#define RT_DEPOT_FEW  256u  /* at first */
#define RT_DEPOT_MANY 4096u /* when as many were replaced by others */

/* What a thread has at hand: room that it took and has not used yet, and what it looked up last.  Another thread may go on with it. */
struct rt_depot_hand {
    uint32_t line, lines; /* the next line, and how many there are */
    uint32_t four, fours; /* the next four lines */
    uint32_t pair, pairs;
    struct rt_depot_known *known; /* by hash */
    uint32_t mask, replaced;      /* of hashes; how many were */
    struct rt_depot_known few[RT_DEPOT_FEW];
};
/* Of memory that is all zero. */
static inline void rt_depot_hand_begin(struct rt_depot_hand *hand)
{
    hand->known = hand->few;
    hand->mask = RT_DEPOT_FEW - 1;
}
void rt_depot_hand_end(struct rt_depot_hand *hand);

/* The empty path is 0.  Once, before anything else; false: no memory. */
bool rt_depot_init(void);

/* The path that a call with this return address leads to; 0: no memory (counted). */
uint32_t rt_depot_call(struct rt_depot_hand *hand, uint32_t path, uintptr_t pc);
/* A place on a path: `word` is RT_DEPOT_ACCESS or _STACK, whose lowest 48 bits are a pc.  0: no memory. */
uint32_t rt_depot_place(struct rt_depot_hand *hand, uint32_t path, uint64_t word);
/* A pair; 0: no memory. */
uint32_t rt_depot_pair(struct rt_depot_hand *hand, uint32_t parent, uint64_t word);

/* For a number that one of these returned: the pair's or place's word and parent (the path, for a place); of a path its pc, tagged, and the
 * path it is reached from. */
uint64_t rt_depot_word_of(uint32_t number);
uint32_t rt_depot_parent_of(uint32_t number);
/* Is there a unit with this number?  For numbers that may be none of ours; the unit may be any. */
bool rt_depot_exists(uint32_t number);

#endif
