/* SPDX-License-Identifier: Apache-2.0 */
#include "symbol/instruction.h"

#define LONGEST 15u

/* What follows an opcode: m a ModRM byte; immediates: 1, 2, 3 of so many bytes, z of 2 or 4, w of 2, 4 or 8 (mov), a an address; I and M: ModRM, and an immediate as 1 and z;
 * g and G: the same if ModRM says so; j and J: a relative jump of 1 and 4 bytes; . nothing; - there is none; p a prefix, which is taken apart before. */
static const char one_byte[256 + 1] =
    /*       0123456789abcdef */
    /* 0 */ "mmmm1z--mmmm1z-p"
    /* 1 */ "mmmm1z--mmmm1z--"
    /* 2 */ "mmmm1zp-mmmm1zp-"
    /* 3 */ "mmmm1zp-mmmm1zp-"
    /* 4 */ "pppppppppppppppp"
    /* 5 */ "................"
    /* 6 */ "--pmppppzM1I...."
    /* 7 */ "jjjjjjjjjjjjjjjj"
    /* 8 */ "IM-Immmmmmmmmmmm"
    /* 9 */ "..........-....."
    /* a */ "aaaa....1z......"
    /* b */ "11111111wwwwwwww"
    /* c */ "II2.ppIM3.2..1-."
    /* d */ "mmmm---.mmmmmmmm"
    /* e */ "jjjj1111JJ-j...."
    /* f */ "p.pp..gG......mm";
static const char two_bytes[256 + 1] =
    /*       0123456789abcdef */
    /* 0 */ "mmmm-.....-.-m.I"
    /* 1 */ "mmmmmmmmmmmmmmmm"
    /* 2 */ "mmmm----mmmmmmmm"
    /* 3 */ "......-.p-p-----"
    /* 4 */ "mmmmmmmmmmmmmmmm"
    /* 5 */ "mmmmmmmmmmmmmmmm"
    /* 6 */ "mmmmmmmmmmmmmmmm"
    /* 7 */ "IIIImmm.mmmmmmmm"
    /* 8 */ "JJJJJJJJJJJJJJJJ"
    /* 9 */ "mmmmmmmmmmmmmmmm"
    /* a */ "...mIm--...mImmm"
    /* b */ "mmmmmmmmmmImmmmm"
    /* c */ "mmImIIIm........"
    /* d */ "mmmmmmmmmmmmmmmm"
    /* e */ "mmmmmmmmmmmmmmmm"
    /* f */ "mmmmmmmmmmmmmmmm";

struct reader {
    const uint8_t *code;
    size_t at, size;
};

static bool take(struct reader *r, uint8_t *byte)
{
    if (r->at >= r->size)
        return false;
    *byte = r->code[r->at++];
    return true;
}

static bool skip(struct reader *r, size_t n)
{
    r->at += n;
    return r->at <= r->size;
}

/* ModRM, SIB, displacement. */
static bool operand(struct reader *r, struct gl_instruction *i)
{
    i->has_modrm = true;
    i->modrm_at = (uint8_t)r->at;
    if (!take(r, &i->modrm))
        return false;
    unsigned mod = i->modrm >> 6, rm = i->modrm & 7;
    i->memory = mod != 3;
    if (!i->memory)
        return true;
    uint8_t base = (uint8_t)rm;
    if (rm == 4) {
        if (!take(r, &base))
            return false;
        base &= 7;
    }
    i->rip_relative = mod == 0 && rm == 5;
    i->displacement_size = mod == 1 ? 1 : mod == 2 || base == 5 ? 4 : 0;
    i->displacement_at = i->displacement_size ? (uint8_t)r->at : 0;
    return skip(r, i->displacement_size);
}

static bool immediate(struct reader *r, struct gl_instruction *i, uint8_t size)
{
    i->immediate_at = (uint8_t)r->at;
    i->immediate_size = size;
    return skip(r, size);
}

/* What the form of an opcode says that there is behind it. */
static bool behind(struct reader *r, struct gl_instruction *i, char form)
{
    uint8_t wide = i->narrow && !(i->rex & 8) ? 2 : 4;
    switch (form) {
    case '.': return true;
    case 'm': return operand(r, i);
    case 'I': return operand(r, i) && immediate(r, i, 1);
    case 'M': return operand(r, i) && immediate(r, i, wide);
    case 'g': return operand(r, i) && ((i->modrm & 0x38) > 8 || immediate(r, i, 1));    /* test, or not, neg, mul ... */
    case 'G': return operand(r, i) && ((i->modrm & 0x38) > 8 || immediate(r, i, wide));
    case '1': return immediate(r, i, 1);
    case '2': return immediate(r, i, 2);
    case '3': return immediate(r, i, 3);
    case 'z': return immediate(r, i, wide);
    case 'w': return immediate(r, i, i->rex & 8 ? 8 : wide);
    case 'a': return immediate(r, i, i->short_address ? 4 : 8); /* an address */
    case 'j': return immediate(r, i, 1);
    case 'J': return immediate(r, i, 4);
    default: return false;
    }
}

static uint8_t flow_of(const struct gl_instruction *i)
{
    unsigned reg = i->modrm >> 3 & 7;
    if (i->map == GL_MAP_0F && i->opcode >> 4 == 8)
        return GL_FLOW_MAYBE;
    if (i->map == GL_MAP_0F && i->opcode == 0x0b)
        return GL_FLOW_END; /* ud2 */
    if (i->map != GL_MAP_ONE)
        return GL_FLOW_ON;
    switch (i->opcode) {
    case 0xe0: case 0xe1: case 0xe2: case 0xe3: return GL_FLOW_MAYBE;
    case 0xe8: return GL_FLOW_CALL;
    case 0xe9: case 0xeb: return GL_FLOW_JUMP;
    case 0xc2: case 0xc3: case 0xca: case 0xcb: case 0xcf: case 0xf4: return GL_FLOW_END;
    case 0xff: return reg == 2 || reg == 3 ? GL_FLOW_CALL : reg == 4 || reg == 5 ? GL_FLOW_INDIRECT : GL_FLOW_ON;
    default: return i->opcode >> 4 == 7 ? GL_FLOW_MAYBE : GL_FLOW_ON;
    }
}

/* Prefixes, up to the opcode's first byte. */
static bool prefixes(struct reader *r, struct gl_instruction *i, uint8_t *opcode)
{
    for (;;) {
        if (!take(r, opcode))
            return false;
        switch (*opcode) {
        case 0xf0: i->lock = true; break;
        case 0x66: i->narrow = true; break;
        case 0x67: i->short_address = true; break;
        case 0x64: case 0x65: i->segment = true; break;
        case 0x26: case 0x2e: case 0x36: case 0x3e: case 0xf2: case 0xf3: break;
        default:
            if (*opcode >> 4 != 4)
                return true;
            i->rex = *opcode; /* right before the opcode, else it has no meaning */
            if (!take(r, opcode))
                return false;
            return *opcode >> 4 != 4;
        }
    }
}

/* VEX and EVEX. */
static bool vector(struct reader *r, struct gl_instruction *i, uint8_t first)
{
    uint8_t byte, map = 1;
    i->vector = true;
    if (!take(r, &byte))
        return false;
    if (first == 0xc4) {
        map = byte & 0x1f;
        if (!take(r, &byte))
            return false;
    } else if (first == 0x62) {
        map = byte & 7;
        if (!skip(r, 2))
            return false;
    }
    if (map < 1 || map > 6 || !take(r, &i->opcode))
        return false;
    i->map = map <= 3 ? map : GL_MAP_OTHER;
    if (map == 1 && i->opcode == 0x77)
        return true; /* vzeroupper */
    return operand(r, i) && (!(map == 3 || (map == 1 && two_bytes[i->opcode] == 'I')) || immediate(r, i, 1));
}

bool gl_instruction_at(const uint8_t *code, size_t size, struct gl_instruction *out)
{
    struct reader r = {code, 0, size < LONGEST ? size : LONGEST};
    struct gl_instruction i = {0};
    uint8_t opcode;
    bool known;
    if (!prefixes(&r, &i, &opcode))
        return false;
    if (opcode == 0xc4 || opcode == 0xc5 || opcode == 0x62) {
        known = vector(&r, &i, opcode);
    } else {
        char form = one_byte[opcode];
        if (opcode == 0x0f) {
            if (!take(&r, &opcode))
                return false;
            i.map = GL_MAP_0F;
            form = two_bytes[opcode];
            if (opcode == 0x38 || opcode == 0x3a) {
                i.map = opcode == 0x38 ? GL_MAP_0F38 : GL_MAP_0F3A;
                form = opcode == 0x38 ? 'm' : 'I';
                if (!take(&r, &opcode))
                    return false;
            }
        }
        i.opcode = opcode;
        known = behind(&r, &i, form);
    }
    if (!known)
        return false;
    i.length = (uint8_t)r.at;
    i.flow = flow_of(&i);
    *out = i;
    return true;
}
