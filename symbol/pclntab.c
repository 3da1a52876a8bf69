/* SPDX-License-Identifier: Apache-2.0
 *
 * The format is that of Go's src/debug/gosym/pclntab.go: a header, the names of functions, the files of each compilation unit, programs of deltas that map a
 * function's pcs to numbers, and functions by address.  All numbers are offsets in the table.
 */
#include "symbol/pclntab.h"

#include <string.h>

enum {
    /* Words of 8 bytes, behind 8 bytes of which the first 4 are the magic number and the 7th what instructions are multiples of. */
    FUNCTIONS = 1, TEXT = 3, NAMES, UNITS, FILES, PROGRAMS, TABLE, WORDS,
    /* In a function's record. */
    NAME = 4, FILE_PROGRAM = 20, LINE_PROGRAM = 24, UNIT = 32
};

static bool number(struct gl_bytes t, uint64_t at, size_t n, uint64_t *out)
{
    *out = 0;
    if (at > t.size || n > t.size - at)
        return false;
    memcpy(out, t.bytes + at, n); /* little-endian, as we are */
    return true;
}

static const char *text(struct gl_bytes t, uint64_t at)
{
    return at < t.size && memchr(t.bytes + at, 0, t.size - at) ? t.bytes + at : NULL;
}

static bool varint(struct gl_bytes t, uint64_t *at, uint32_t *out)
{
    uint64_t byte;
    *out = 0;
    for (unsigned shift = 0; shift < 35 && number(t, (*at)++, 1, &byte); shift += 7) {
        *out |= (uint32_t)(byte & 0x7F) << shift;
        if (!(byte & 0x80))
            return true;
    }
    return false;
}

/* What the program says of the pc that lies so far behind its function's first. */
static bool run(struct gl_bytes t, uint64_t program, uint64_t unit, uint64_t pc, uint32_t *out)
{
    uint32_t value = UINT32_MAX, step, change;
    for (uint64_t at = program, reached = 0; varint(t, &at, &change) && (change || at == program + 1) && varint(t, &at, &step);) {
        value += change & 1 ? ~(change >> 1) : change >> 1;
        reached += step * unit;
        if (pc < reached) {
            *out = value;
            return true;
        }
    }
    return false;
}

bool gl_pclntab_line(struct gl_bytes t, uintptr_t pc, struct gl_go_line *out)
{
    uint64_t head, word[WORDS], entry, record, name, program, unit, files;
    uint32_t file, line;
    if (!number(t, 0, 8, &head) || ((uint32_t)head != 0xFFFFFFF0 && (uint32_t)head != 0xFFFFFFF1) || head >> 56 != 8)
        return false;
    for (unsigned i = FUNCTIONS; i < WORDS; i++)
        if (!number(t, 8 * i, 8, &word[i]))
            return false;
    uint64_t at = pc - word[TEXT], lo = 0, hi = word[FUNCTIONS];
    if (pc < word[TEXT] || hi > t.size)
        return false;
    while (lo < hi) { /* the first function that begins behind it */
        uint64_t middle = (lo + hi) / 2;
        if (!number(t, word[TABLE] + 8 * middle, 4, &entry))
            return false;
        if (entry > at)
            hi = middle;
        else
            lo = middle + 1;
    }
    if (lo == 0 || !number(t, word[TABLE] + 8 * (lo - 1), 4, &entry) || !number(t, word[TABLE] + 8 * (lo - 1) + 4, 4, &record))
        return false;
    record += word[TABLE];
    uint64_t multiple = head >> 48 & 0xFF;
    if (!number(t, record + NAME, 4, &name) || !(out->function = text(t, word[NAMES] + name)) || !number(t, record + LINE_PROGRAM, 4, &program) ||
        !run(t, word[PROGRAMS] + program, multiple, at - entry, &line) || !number(t, record + FILE_PROGRAM, 4, &program) ||
        !run(t, word[PROGRAMS] + program, multiple, at - entry, &file) || !number(t, record + UNIT, 4, &unit) ||
        !number(t, word[UNITS] + 4 * (unit + file), 4, &files) || !(out->file = text(t, word[FILES] + files)))
        return false;
    out->line = line;
    return true;
}
