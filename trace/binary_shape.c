/* SPDX-License-Identifier: Apache-2.0
 *
 * See binary_shape.h.
 */
#include "goldilocks/trace_format.h"
#include "trace/binary_shape.h"

/* Files keep these numbers: a new op comes last, and so does a new kind of name. */
_Static_assert(GL_OP_READ == 0 && GL_OP_FREE == 3 && GL_OP_REL == 5 && GL_OP_CWAIT_END == 7 &&
                   GL_OP_WRUNLOCK == 11 && GL_OP_VOLWRITE == 13 && GL_OP_LOAD == 14 && GL_OP_RMW == 16 &&
                   GL_OP_FENCE == 17 && GL_OP_BAR_OUT == 19 && GL_OP_WAIT == 21 && GL_OP_JOIN == 23 &&
                   GL_OP_END == 25 && GL_OP_COMMIT == 26,
               "the ops of docs/trace-format.md");
_Static_assert(GL_RLX == 0 && GL_ACQ == 1 && GL_REL == 2 && GL_AR == 3 && GL_SC == 4, "the orders there");
_Static_assert((int)GL_NAME_THREAD == (int)GOLDILOCKS_TRACE_NAME_THREAD &&
                   (int)GL_NAME_DATA == (int)GOLDILOCKS_TRACE_NAME_DATA &&
                   (int)GL_NAME_MUTEX == (int)GOLDILOCKS_TRACE_NAME_MUTEX &&
                   (int)GL_NAME_RWLOCK == (int)GOLDILOCKS_TRACE_NAME_RWLOCK &&
                   (int)GL_NAME_VOLATILE == (int)GOLDILOCKS_TRACE_NAME_VOLATILE &&
                   (int)GL_NAME_ATOMIC == (int)GOLDILOCKS_TRACE_NAME_ATOMIC &&
                   (int)GL_NAME_BARRIER == (int)GOLDILOCKS_TRACE_NAME_BARRIER &&
                   (int)GL_NAME_SEMAPHORE == (int)GOLDILOCKS_TRACE_NAME_SEMAPHORE &&
                   (int)GL_NAME_LOCATION == (int)GOLDILOCKS_TRACE_NAME_LOCATION,
               "the kinds there");

bool gl_shape_has_order(enum gl_op op)
{
    return op == GL_OP_LOAD || op == GL_OP_STORE || op == GL_OP_RMW || op == GL_OP_FENCE;
}

bool gl_shape_has_size(enum gl_op op, uint32_t size)
{
    switch (gl_op_class(op)) {
    case GL_CLASS_DATA:
        return op == GL_OP_ALLOC || (size >= 1 && size <= GL_SHAPE_SIZE_MAX);
    case GL_CLASS_ATOMIC:
        return size <= 16;
    default:
        return size == 0;
    }
}

uint64_t gl_shape_limit(enum gl_op op, uint32_t size, const struct gl_names *names)
{
    enum gl_class class = gl_op_class(op);
    if (class == GL_CLASS_NONE || class == GL_CLASS_TRANSACTION)
        return 1; /* the object is 0 */
    if (class == GL_CLASS_DATA || size > 0) {
        uint64_t end = gl_data_end(names), last = size > 0 ? size - 1 : 0;
        return end > last ? end - last : 0;
    }
    return gl_names_count(names, gl_name_kind_of_class(class));
}
