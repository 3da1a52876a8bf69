/* SPDX-License-Identifier: Apache-2.0
 *
 * Joined places: one number that stands for several places (site.h, bridge.h), one for each byte of a cell.  Arrays of one- and two-byte
 * elements are made of cells whose elements one segment accesses from different places.
 *
 * Any thread may call these, also with a cell locked; numbers are never given back.
 */
#ifndef GL_JAVA_JOIN_H
#define GL_JAVA_JOIN_H

#include <stdint.h>

/* The number for place `fresh` on the bytes fresh_bytes (a mask) and `old`, perhaps joined itself, on the others: a function of these three.  0: no
 * memory, or a million are made.  The type is that of gl_thread.join_sites; ctx and old_bytes are not looked at. */
uint32_t gl_jjoin(void *ctx, uint32_t old, uint32_t old_bytes, uint32_t fresh, uint32_t fresh_bytes);

/* The place that the number stands for on the lowest of these bytes; a place that is not joined is itself. */
uint32_t gl_jjoin_place(uint32_t place, uint32_t bytes);

#endif
