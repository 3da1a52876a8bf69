/* SPDX-License-Identifier: Apache-2.0
 *
 * Which events the binary format can hold: the rules that its reader and its writer both keep (private to trace/).
 */
#ifndef GL_TRACE_BINARY_SHAPE_H
#define GL_TRACE_BINARY_SHAPE_H

#include "trace/trace.h"

enum { GL_SHAPE_SIZE_MAX = 64 }; /* bytes of data of an event other than ALLOC */

/* Has the op a memory order? */
bool gl_shape_has_order(enum gl_op op);

/* May an event of this op have so many bytes of data (core/event.h)? */
bool gl_shape_has_size(enum gl_op op, uint32_t size);

/* The objects of events of this op and size are below; 0: there are no such objects yet. */
uint64_t gl_shape_limit(enum gl_op op, uint32_t size, const struct gl_names *names);

#endif
