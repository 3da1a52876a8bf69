/* SPDX-License-Identifier: Apache-2.0
 *
 * The walk over a method's code that code_flow.c describes; private to it and to code_arrays.c.
 */
#ifndef GL_JAVA_CODE_FLOW_H
#define GL_JAVA_CODE_FLOW_H

#include "java/code.h"

/* Values of words.  FRESH, THIS and NEW + pc are those of gl_jcode_flow, LOCAL + i and MADE + pc those of gl_jcode_array_locals. */
enum { OTHER = 0, THIS = 1, NEW = 2, LOCAL = 1 << 17, MADE = 1 << 18, FRESH = 1 << 19 };

enum { LOCALS = 256 }; /* variables that are followed */

/* Which arrays are not the method's alone. */
struct leaks {
    bool local[LOCALS]; /* what is in the variable */
    bool *made;         /* by pc: what the instruction there makes */
    uint16_t *in;       /* by pc: the variable that it is in, + 1; 0: none */
};

/* A state that waits for its instruction: its non-zero values. */
struct waiting {
    struct waiting *next;
    uint32_t pc, n_stack, n;
    struct {
        uint32_t index, value; /* locals first, then the stack from max_locals on */
    } values[];
};

struct flow {
    struct gl_jcode *c;
    uint32_t *locals, *stack; /* one array: stack == locals + max_locals */
    uint32_t n_stack, room;
    struct waiting **waits; /* by pc; NULL: there are frames */
    struct gl_jframes frames;
    bool frame;          /* frames is at a frame not reached yet */
    bool known;          /* control comes here from the instruction before */
    struct leaks *leaks; /* NULL: not asked for.  Else values are LOCAL + i and MADE + pc */
    bool lets_out;       /* what is taken from the stack leaves the method, or is no longer FRESH */
    bool no_fresh;       /* `this` is not FRESH when super() has returned */
};

/* The walk is broken off: it would take too long. */
bool gl_jflow_too_long(const struct gl_jfile *f);

/* The stack: a word from its top (OTHER when it is empty), and onto it (if there is room). */
uint32_t gl_jflow_take(struct flow *w);
void gl_jflow_put(struct flow *w, uint32_t value);
void gl_jflow_set_local(struct flow *w, uint32_t index, uint32_t value);

/* What is known of the value ends: the array is not the method's alone any more, or the object not fresh. */
void gl_jflow_let_out(struct flow *w, uint32_t value);

/* The three steps at an instruction: control comes to it; what it does with variables and stack; where control goes. */
void gl_jflow_arrive(struct flow *w, uint32_t pc);
void gl_jflow_effect(struct flow *w, uint32_t pc);
void gl_jflow_hand_on(struct flow *w, uint32_t pc);

/* Does the instruction put a word of the stack into a variable?  And doing so, by opcodes 0x36.. with an index and 0x3b.. without. */
bool gl_jflow_is_store(const uint8_t *p);
void gl_jflow_store(struct flow *w, unsigned op, uint32_t index);

#endif
