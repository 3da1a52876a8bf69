/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups: several plain accesses of one kind (reads, or writes) to one cell, under one id that fits where a cell's
 * half has a segment's: the readers of shared data, bytes of one word last touched in different segments.  A
 * group never changes and is the only one with its content, so that thousands of cells with the same readers
 * have the same group, and "is my access in it?" is asked once per group, not once per cell.
 *
 * A group is a list of halves; where each access was is a list of sites, whose number takes the place of a site.  The two
 * are apart because halves change with every epoch and sites do not.  Both are in one table of lists.
 *
 * A group is made when the same one serves a thread for the second time and groups have paid for themselves so far (cell.c);
 * what occurs once goes into a side record, which can be freed.  Lists live as long as the core: at most GL_LISTS of them, 32 bytes each.
 *
 * Who may write: gl_list_intern(), under the lock; a list is complete, with the next in its bucket, before its number is there or
 * returned, and never changes: so one that exists is found without the lock.
 */
#ifndef GL_CORE_GROUP_H
#define GL_CORE_GROUP_H

#include "core/cell.h"
#include "core/segment.h"

#define GL_GROUP_MAX 7u                                         /* accesses in a group */
#define GL_LISTS (1u << 22)
#define GL_GROUP_FIRST ((1u << GL_SEGMENT_BITS) - GL_LISTS - 4) /* ids from here on, below the tags of a cell */
#define GL_LIST_CHUNK 8192u
#define GL_LIST_TABLES 3u /* each has eight times as many buckets as the one before */
static inline uint32_t gl_list_buckets(uint32_t table) { return 1u << (14 + 3 * table); }

_Static_assert(GL_SEGMENT_MAX <= GL_GROUP_FIRST, "ids of segments and of groups are told apart");

struct gl_list {
    uint32_t next;                /* number of the next in its bucket; 0: none */
    uint32_t value[GL_GROUP_MAX]; /* halves, ascending, then 0; or the sites of as many */
};

struct gl_lists {
    const struct gl_env *env;
    struct gl_lock lock;   /* guards the rest, but for reading `chunk` and buckets */
    uint32_t used;         /* list 0 is never made */
    /* Numbers, each of the list that was made last in its bucket. When there are as many lists as a table has buckets, the next table
     * takes those that are made from then on: few lists touch little memory, and none ever moves. */
    _Atomic(_Atomic uint32_t *) bucket[GL_LIST_TABLES];
    _Atomic uint64_t lost; /* groups that lost bytes and could not be made again */
    _Atomic(struct gl_list *) chunk[GL_LISTS / GL_LIST_CHUNK];
};

void gl_lists_init(struct gl_lists *l, const struct gl_env *env);
void gl_lists_fini(struct gl_lists *l);

/* Is it the half of a group?  (A tag of the cell is not: ask for tags first.) */
static inline bool gl_half_is_group(uint32_t half) { return gl_half_segment(half) >= GL_GROUP_FIRST; }

static inline const struct gl_list *gl_list_at(struct gl_lists *l, uint32_t number)
{
    /* acquire: pairs with make() */
    return gl_load_acquire(&l->chunk[number / GL_LIST_CHUNK]) + number % GL_LIST_CHUNK;
}

/* May gl_list_at() be called?  For numbers that were read without the cell's lock; their list may not be complete. */
static inline bool gl_list_exists(struct gl_lists *l, uint32_t number)
{
    return number < GL_LISTS && gl_load_acquire(&l->chunk[number / GL_LIST_CHUNK]); /* pairs with make() */
}

/* The halves of a group. */
static inline const uint32_t *gl_group_halves(struct gl_lists *l, uint32_t half)
{
    return gl_list_at(l, gl_half_segment(half) - GL_GROUP_FIRST)->value;
}
/* The halves that a half stands for, then 0: a group's, or itself, put into `alone`. */
static inline const uint32_t *gl_halves_of(struct gl_lists *l, uint32_t half, uint32_t alone[2])
{
    alone[0] = half;
    alone[1] = 0;
    return half && gl_half_is_group(half) ? gl_group_halves(l, half) : alone;
}
static inline uint32_t gl_group_count(const uint32_t *halves)
{
    uint32_t n = 0;
    while (n < GL_GROUP_MAX && halves[n])
        n++;
    return n;
}

uint32_t gl_list_hash(const uint32_t value[GL_GROUP_MAX]);
/* The number of the list; 0: no memory, or GL_LISTS are made.  *made (may be NULL): there was none yet. */
uint32_t gl_list_intern(struct gl_lists *l, const uint32_t value[GL_GROUP_MAX], bool *made);
/* The half (id and union of the bytes) of a group of these halves, ascending, then 0; 0: as above. */
uint32_t gl_group_intern(struct gl_lists *l, const uint32_t halves[GL_GROUP_MAX], bool *made);

#endif
