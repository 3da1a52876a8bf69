/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions of x86-64: where one ends and what it refers to, by its encoding alone (Intel SDM, volume 2, chapter 2 and appendix A).
 * Nothing is said of what an instruction computes.
 */
#ifndef GL_SYMBOL_INSTRUCTION_H
#define GL_SYMBOL_INSTRUCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum gl_flow {
    GL_FLOW_ON,       /* goes on with the next one */
    GL_FLOW_MAYBE,    /* a relative jump, or the next one */
    GL_FLOW_JUMP,     /* a relative jump */
    GL_FLOW_CALL,     /* a call of any kind */
    GL_FLOW_INDIRECT, /* a jump to what a register or memory holds */
    GL_FLOW_END,      /* a return, or one that does not go on */
};

/* The opcode maps. */
enum { GL_MAP_ONE, GL_MAP_0F, GL_MAP_0F38, GL_MAP_0F3A, GL_MAP_OTHER };

struct gl_instruction {
    uint8_t length;   /* in bytes, at most 15 */
    uint8_t map;      /* with `vector`: as encoded there */
    uint8_t opcode;   /* the last byte of it */
    uint8_t rex;      /* the prefix, or 0 */
    uint8_t modrm;    /* if has_modrm */
    uint8_t modrm_at; /* offsets in the instruction; where there is none, 0 */
    uint8_t displacement_at, immediate_at;
    uint8_t displacement_size, immediate_size; /* in bytes; a relative jump's is an immediate */
    uint8_t flow;    /* enum gl_flow */
    bool has_modrm, lock, segment /* %fs or %gs */, narrow /* operands of 16 bits */, short_address, vector /* VEX, EVEX */;
    bool memory;       /* ModRM names memory */
    bool rip_relative; /* by a displacement of 4 bytes from the instruction's end */
};

/* The instruction at `code`, of which `size` bytes may be read.  False: it is none that is known here, or longer. */
bool gl_instruction_at(const uint8_t *code, size_t size, struct gl_instruction *out);

/* Where a relative jump or call goes that lies at `at`. */
static inline uintptr_t gl_instruction_target(const struct gl_instruction *i, uintptr_t at)
{
    const uint8_t *p = (const uint8_t *)at + i->immediate_at;
    int32_t by;
    if (i->immediate_size == 1)
        by = (int8_t)*p;
    else
        __builtin_memcpy(&by, p, sizeof by);
    return at + i->length + (uintptr_t)(intptr_t)by;
}

#endif
