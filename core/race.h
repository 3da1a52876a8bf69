/* SPDX-License-Identifier: Apache-2.0
 *
 * A race as data: two accesses that nothing orders, at least one of them a write.
 */
#ifndef GL_CORE_RACE_H
#define GL_CORE_RACE_H

#include <stdbool.h>
#include <stdint.h>

struct gl_race_access {
    uint32_t thread; /* the thread's number, as the caller numbers threads */
    uint32_t site;   /* the caller's id of the place in the program */
    bool write;      /* a write (or a free) */
    bool atomic;     /* an atomic access */
};

struct gl_race {
    uint64_t object;             /* address of the access that raced (events: as given) */
    uint64_t bytes;              /* bit i: byte object+i races, i < 64; for a COMMIT: bit i is entry
                                  * i of reads followed by writes (at most 64 of them) */
    struct gl_race_access now;   /* the access being checked: the second of the two */
    struct gl_race_access then;  /* the earlier one, for the lowest racing byte */
    uint8_t then_bytes;          /* bytes of the same 4-byte word that the earlier access covered
                                  * (bit i: byte i of the word); 0 = not known */
    uint32_t now_segment, then_segment; /* of the engine, for gl_core_segment(); 0: another detector's */
};

#endif
