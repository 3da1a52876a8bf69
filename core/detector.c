/* SPDX-License-Identifier: Apache-2.0
 *
 * Names and sentences of the vocabulary, all from its one table.
 */
#include "core/detector.h"

const char *gl_op_name(enum gl_op op)
{
    static const char *const names[] = {
#define X(op, cls, text, sentence) text,
        GL_OPS(X)
#undef X
    };
    return (unsigned)op < GL_OP_COUNT ? names[op] : "?";
}

enum gl_class gl_op_class(enum gl_op op)
{
    static const unsigned char classes[] = {
#define X(op, cls, text, sentence) GL_CLASS_##cls,
        GL_OPS(X)
#undef X
    };
    return (unsigned)op < GL_OP_COUNT ? (enum gl_class)classes[op] : GL_CLASS_NONE;
}

const char *gl_op_sentence(enum gl_op op)
{
    static const char *const sentences[] = {
#define X(op, cls, text, sentence) sentence,
        GL_OPS(X)
#undef X
    };
    return (unsigned)op < GL_OP_COUNT ? sentences[op] : "?";
}

const char *gl_order_name(enum gl_order o)
{
    static const char *const names[] = {"rlx", "acq", "rel", "ar", "sc"};
    return (unsigned)o < 5 ? names[o] : "?";
}

const char *gl_status_message(gl_status s)
{
    switch (s) {
    case GL_OK: return "no error";
    case GL_RACE: return "the access races with an earlier one";
    case GL_NOMEM: return "memory ran out; what could not be recorded was dropped";
    case GL_INVALID: return "no program can do this here: unlock what it does not hold, go on after its end, and the like";
    case GL_LIMIT: return "more threads, objects, addresses or segments than the representation holds";
    }
    return "unknown status";
}
