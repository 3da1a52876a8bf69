/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions: reading them, and writing them with what is inserted.
 */
#include "java/code.h"

/* Bytes of each instruction; 0: tableswitch, lookupswitch, wide, whose length is in them. */
static const uint8_t sizes[GL_JOPC_LAST + 1] = {
#define R4(n)  n, n, n, n
#define R16(n) R4(n), R4(n), R4(n), R4(n)
    R16(1),                                                                    /* 00: constants */
    2,      3,      2,      3,      3, 2, 2,     2, 2,     2,     1, 1, R4(1), /* 10: bipush sipush ldc ldc_w ldc2_w, loads */
    R16(1),                                                                    /* 20 */
    1,      1,      1,      1,      1, 1, 2,     2, 2,     2,     2, 1, R4(1), /* 30: array loads, stores */
    R16(1), R16(1), R16(1), R16(1),                                            /* 40, 50, 60, 70 */
    1,      1,      1,      1,      3, 1, 1,     1, R4(1), R4(1),              /* 80: iinc at 84 */
    R4(1),  R4(1),  1,      3,      3, 3, R4(3),                               /* 90: if at 99 */
    R4(3),  R4(3),  3,      2,      0, 0, R4(1), /* a0: goto, jsr, ret, switches, returns */
    1,      1,      3,      3,      3, 3, 3,     3, 3,     5,     5, 3, 2,     3,
    1,      1, /* b0: fields, invokes, new, newarray, anewarray */
    3,      3,      1,      1,      0, 4, 3,     3, 5,     5 /* c0: checkcast, monitors, wide, multianewarray, ifnull, goto_w */
#undef R16
#undef R4
};

/* ---- reading ---------------------------------------------------------------------------------------------- */

static bool is_conditional(unsigned op)
{
    return (op >= GL_JOPC_IFEQ && op < GL_JOPC_GOTO) || op == GL_JOPC_IFNULL || op == GL_JOPC_IFNONNULL;
}

static bool is_jump(unsigned op) { return is_conditional(op) || op == GL_JOPC_GOTO || op == GL_JOPC_JSR; }

/* Control never goes on to the instruction behind. */
static bool never_falls_through(const struct gl_jcode *c, uint32_t pc)
{
    unsigned op = c->code[pc];
    return op == GL_JOPC_GOTO || (op >= GL_JOPC_RET && op <= GL_JOPC_RETURN) || op == GL_JOPC_ATHROW ||
           op == GL_JOPC_GOTO_W || (op == GL_JOPC_WIDE && c->code[pc + 1] == GL_JOPC_RET);
}

/* A switch: where its numbers begin, and how many jumps follow the default and the counts. */
struct switches {
    uint32_t at;     /* of the default */
    uint32_t n;      /* jumps, without the default */
    uint32_t first;  /* of the first jump */
    uint32_t stride; /* bytes from one to the next */
    uint32_t end;
};

/* Checked by size_checked before. */
static struct switches read_switch(const struct gl_jcode *c, uint32_t pc)
{
    struct switches s = {.at = (pc + 4) & ~3u};
    const uint8_t *p = c->code + s.at;
    if (c->code[pc] == GL_JOPC_TABLESWITCH) {
        s.n = gl_jget4(p + 8) - gl_jget4(p + 4) + 1;
        s.first = s.at + 12;
        s.stride = 4;
    } else {
        s.n = gl_jget4(p + 4);
        s.first = s.at + 12;
        s.stride = 8;
    }
    s.end = c->code[pc] == GL_JOPC_TABLESWITCH ? s.at + 12 + 4 * s.n : s.at + 8 + 8 * s.n;
    return s;
}

static uint32_t long_size(const struct gl_jcode *c, uint32_t pc)
{
    if (c->code[pc] == GL_JOPC_WIDE)
        return c->code[pc + 1] == 0x84 ? 6 : 4;
    return read_switch(c, pc).end - pc;
}

uint32_t gl_jcode_size(const struct gl_jcode *c, uint32_t pc)
{
    uint32_t size = sizes[c->code[pc]];
    return size ? size : long_size(c, pc);
}

/* The length of a wide or switch instruction that nobody has looked at; 0: malformed. */
static uint32_t long_size_checked(const struct gl_jcode *c, uint32_t pc)
{
    uint32_t left = c->n - pc;
    if (c->code[pc] == GL_JOPC_WIDE) {
        if (left < 4)
            return 0;
        unsigned op = c->code[pc + 1];
        bool known = (op >= GL_JOPC_ILOAD && op <= GL_JOPC_ALOAD) || (op >= 0x36 && op <= GL_JOPC_ASTORE) ||
                     op == GL_JOPC_RET || (op == 0x84 && left >= 6);
        return known ? long_size(c, pc) : 0;
    }
    uint32_t at = ((pc + 4) & ~3u) - pc;
    if (left < at + 12 && (c->code[pc] == GL_JOPC_TABLESWITCH || left < at + 8))
        return 0;
    const uint8_t *p = c->code + pc + at;
    if (c->code[pc] == GL_JOPC_TABLESWITCH) {
        int64_t n = (int64_t)(int32_t)gl_jget4(p + 8) - (int32_t)gl_jget4(p + 4) + 1;
        return n < 0 || n > (left - at - 12) / 4 ? 0 : at + 12 + 4 * (uint32_t)n;
    }
    uint32_t n = gl_jget4(p + 4);
    return n > (left - at - 8) / 8 ? 0 : at + 8 + 8 * n;
}

void gl_jcode_check_start(const struct gl_jcode *c, uint32_t pc)
{
    if (pc >= c->n || !(c->marks[pc] & GL_JM_START))
        gl_jfile_fail(c->f, "a position in the code is not of an instruction");
}

/* All jumps go to instructions. */
static void check_jumps(struct gl_jcode *c)
{
    for (uint32_t pc = 0; pc < c->n; pc += gl_jcode_size(c, pc)) {
        const uint8_t *p = c->code + pc;
        if (is_jump(*p)) {
            c->jumps_wide = true;
            gl_jcode_check_start(c, pc + (uint32_t)(int16_t)gl_jget2(p + 1));
        } else if (*p == GL_JOPC_GOTO_W || *p == GL_JOPC_JSR_W) {
            gl_jcode_check_start(c, pc + gl_jget4(p + 1));
        } else if (*p == GL_JOPC_TABLESWITCH || *p == GL_JOPC_LOOKUPSWITCH) {
            struct switches s = read_switch(c, pc);
            gl_jcode_check_start(c, pc + gl_jget4(c->code + s.at));
            for (uint32_t k = 0; k < s.n; k++)
                gl_jcode_check_start(c, pc + gl_jget4(c->code + s.first + k * s.stride));
        }
    }
}

static void check_handlers(struct gl_jcode *c)
{
    for (unsigned k = 0; k < c->n_handlers; k++) {
        const uint8_t *h = c->handlers + 8 * k;
        gl_jcode_check_start(c, gl_jget2(h));
        if (gl_jget2(h + 2) != c->n)
            gl_jcode_check_start(c, gl_jget2(h + 2));
        gl_jcode_check_start(c, gl_jget2(h + 4));
        if (gl_jget2(h) >= gl_jget2(h + 2))
            gl_jfile_fail(c->f, "an exception handler's range is empty");
    }
}

void gl_jcode_read(struct gl_jcode *c, struct gl_jfile *f, const struct gl_jmember *method,
                   struct gl_jattribute a, const uint8_t wanted[256])
{
    struct gl_jbuf keep = c->inserted; /* its memory serves one method after the other */
    keep.f = f;
    keep.n = 0;
    *c = (struct gl_jcode){.f = f, .method = method, .inserted = keep};
    const uint8_t *p = f->in + a.at;
    if (a.end - a.at < 12)
        gl_jfile_fail(f, "a Code attribute is too short");
    c->max_stack = gl_jget2(p);
    c->max_locals = gl_jget2(p + 2);
    c->n = gl_jget4(p + 4);
    c->code = p + 8;
    unsigned result, self = method->access & GL_JACC_STATIC ? 0 : 1;
    if (gl_jdesc_arguments(f, gl_jfile_text(f, method->desc), &result) + self > c->max_locals)
        gl_jfile_fail(f, "a method has more arguments than variables");
    if (c->n == 0 || c->n > 65535 || c->n > a.end - a.at - 12)
        gl_jfile_fail(f, "the length of a method's code cannot be");
    uint32_t at = a.at + 8 + c->n;
    c->n_handlers = gl_jget2(f->in + at);
    at += 2;
    if (c->n_handlers * 8u + 2 > a.end - at)
        gl_jfile_fail(f, "a table of exception handlers is too short");
    c->handlers = f->in + at;
    at += c->n_handlers * 8u;
    c->n_attributes = gl_jget2(f->in + at);
    c->attributes = at += 2;
    for (unsigned k = 0; k < c->n_attributes; k++) {
        struct gl_jattribute inner = gl_jfile_attribute(f, &at);
        if (at > a.end)
            gl_jfile_fail(f, "an attribute is longer than the one it is in");
        if (GL_JFILE_IS(f, inner.name, "StackMapTable") && f->major >= 50) {
            if (c->frames)
                gl_jfile_fail(f, "a method has two StackMapTables");
            c->frames = inner.at;
            c->frames_end = inner.end;
        }
    }
    if (at != a.end)
        gl_jfile_fail(f, "there are bytes behind the attributes of a method's code");

    c->marks = gl_jfile_scratch(f, c->n + 1);
    memset(c->marks, 0, c->n + 1);
    c->looked = gl_jfile_scratch(f, sizeof *c->looked * c->n);
    for (uint32_t pc = 0; pc < c->n;) {
        unsigned op = c->code[pc];
        uint32_t size = op <= GL_JOPC_LAST ? sizes[op] : 0;
        if (!size)
            size = op <= GL_JOPC_LAST ? long_size_checked(c, pc) : 0;
        if (!size || size > c->n - pc)
            gl_jfile_fail(f, "an instruction is unknown or cut off");
        c->marks[pc] = GL_JM_START;
        if (wanted[op])
            c->looked[c->n_looked++] = pc;
        pc += size;
    }
}

/* ---- edits ------------------------------------------------------------------------------------------------ */

struct gl_jedit *gl_jedit_begin(struct gl_jcode *c, uint32_t pc)
{
    if (!c->edits)
        c->edits = gl_jfile_scratch(c->f, sizeof *c->edits * (c->n_looked + 1));
    struct gl_jedit *e = &c->edits[c->n_edits];
    uint32_t at = (uint32_t)c->inserted.n;
    *e = (struct gl_jedit){.pc = pc, .before = at, .replace = at, .after = at, .end = at};
    return e;
}

void gl_jedit_done(struct gl_jcode *c, struct gl_jedit *e)
{
    e->end = (uint32_t)c->inserted.n;
    if (e->end == e->before)
        return;
    c->marks[e->pc] |= GL_JM_EDIT;
    c->n_edits++;
}

/* ---- positions -------------------------------------------------------------------------------------------- */

/* Bytes of the instruction in its new place `at`, without what is inserted. */
static uint32_t new_size(const struct gl_jcode *c, uint32_t pc, uint32_t at)
{
    unsigned op = c->code[pc];
    if (op == GL_JOPC_TABLESWITCH || op == GL_JOPC_LOOKUPSWITCH) {
        struct switches s = read_switch(c, pc);
        return ((at + 4) & ~3u) - at + s.end - s.at;
    }
    return c->marks[pc] & GL_JM_WIDE ? 5 : gl_jcode_size(c, pc);
}

enum { GOTO_BYTES = 3, TRAMPOLINE_BYTES = 5 };

/* Bytes before the instruction at `spot` for trampolines; they are given their places from `at` on. */
static uint32_t place_trampolines(struct gl_jcode *c, uint32_t spot, uint32_t at)
{
    uint32_t start = at;
    at += c->marks[spot] & GL_JM_OVER ? GOTO_BYTES : 0;
    for (uint32_t k = 0; k < c->n_trampolines; k++)
        if (c->trampolines[k].spot == spot) {
            c->trampolines[k].at = at;
            at += TRAMPOLINE_BYTES;
        }
    return at - start;
}

static void place_all(struct gl_jcode *c)
{
    uint32_t at = c->n_prologue, pc = 0;
    const struct gl_jedit *e = c->edits;
    while (pc < c->n) {
        if (c->marks[pc] & GL_JM_SPOTS)
            at += place_trampolines(c, pc, at);
        uint32_t size = gl_jcode_size(c, pc);
        c->land[pc] = at;
        if (c->marks[pc] & GL_JM_EDIT) {
            c->self[pc] = at += e->replace - e->before;
            at += e->after > e->replace ? e->after - e->replace : new_size(c, pc, at);
            at += e->end - e->after;
            if (e->forward)
                c->marks[pc + size] |= GL_JM_FORWARD;
            e++;
        } else {
            c->self[pc] = at;
            at += new_size(c, pc, at);
        }
        for (uint32_t k = 1; k < size; k++) /* for tables that name the inside of an instruction */
            c->land[pc + k] = c->self[pc + k] = c->land[pc];
        pc += size;
    }
    at += place_trampolines(c, pc, at);
    c->land[pc] = c->self[pc] = at;
    c->new_n = gl_jstub_place(c, at);
}

uint32_t gl_jcode_range(const struct gl_jcode *c, uint32_t pc, bool end)
{
    uint32_t at = c->land[pc];
    if (c->marks[pc] & GL_JM_FORWARD) {
        uint32_t low = 0, high = c->n_edits; /* the last edit before pc */
        while (high - low > 1) {
            uint32_t middle = low + (high - low) / 2;
            if (c->edits[middle].pc < pc)
                low = middle;
            else
                high = middle;
        }
        at -= c->edits[low].end - c->edits[low].after;
    }
    if (end && (c->marks[pc] & GL_JM_SPOTS)) { /* never together with FORWARD */
        at -= c->marks[pc] & GL_JM_OVER ? GOTO_BYTES : 0;
        for (uint32_t k = 0; k < c->n_trampolines; k++)
            at -= c->trampolines[k].spot == pc ? TRAMPOLINE_BYTES : 0;
    }
    return at;
}

enum {
    REACH = 32767,
    SAFE_REACH = 24000,       /* what is widened after a few rounds, so that they come to an end */
    TRAMPOLINE_REACH = 30000, /* at most this far when it is chosen: others may come between */
    TRAMPOLINES = 512,
    ROUNDS = 24
};

static bool reaches(uint32_t from, uint32_t to, int32_t reach)
{
    int32_t far = (int32_t)(to - from);
    return far >= -reach - 1 && far <= reach;
}

/* Where trampolines may lie, as far as that is the same for all: control cannot come there from the instruction before, or
 * can be led around because there is a frame (without a table of frames none is needed). */
static uint8_t *find_places(struct gl_jcode *c)
{
    uint8_t *places = gl_jfile_scratch(c->f, c->n + 1);
    memset(places, c->f->major < 50, c->n + 1);
    places[0] = places[c->n] = 0;
    struct gl_jframes i;
    for (gl_jframes_open(&i, c, false, NULL); gl_jframes_next(&i);)
        places[i.pc] = i.pc != 0;
    for (uint32_t pc = 0, next; pc < c->n; pc = next) {
        next = pc + gl_jcode_size(c, pc);
        places[next] = (places[next] && next < c->n) || never_falls_through(c, pc);
    }
    return places;
}

/* taken[pc] > 0: pc lies strictly inside a handler's range in which `target` does not: so the target's frame need not fit it. */
static const int32_t *find_taken(const struct gl_jcode *c, uint32_t target)
{
    int32_t *taken = gl_jfile_scratch(c->f, sizeof *taken * (c->n + 2));
    memset(taken, 0, sizeof *taken * (c->n + 2));
    for (unsigned k = 0; k < c->n_handlers; k++) {
        uint32_t start = gl_jget2(c->handlers + 8 * k), end = gl_jget2(c->handlers + 8 * k + 2);
        if (start <= target && target < end)
            continue;
        taken[start + 1]++;
        taken[end]--;
    }
    for (uint32_t pc = 0; pc < c->n; pc++)
        taken[pc + 1] += taken[pc];
    return taken;
}

/* The nearest spot for a trampoline from the jump at pc (c->n: behind the code), or UINT32_MAX. */
static uint32_t find_spot(struct gl_jcode *c, uint32_t pc, uint32_t target, const uint8_t *places)
{
    const int32_t *taken = find_taken(c, target);
    uint32_t best = UINT32_MAX, best_far = TRAMPOLINE_REACH + 1, before = 0;
    for (uint32_t at = 0, next; at < c->n; at = next) {
        next = at + gl_jcode_size(c, at);
        uint32_t far =
            c->land[next] > c->self[pc] ? c->land[next] - c->self[pc] : c->self[pc] - c->land[next];
        if (places[next] && !taken[next] && !(c->marks[next] & GL_JM_FORWARD) && far < best_far) {
            best = next;
            best_far = far;
            before = at;
        }
    }
    if (best != UINT32_MAX)
        c->marks[best] |= GL_JM_SPOTS | (never_falls_through(c, before) ? 0 : GL_JM_OVER);
    return best;
}

static struct gl_jtrampoline *trampoline_of(const struct gl_jcode *c, uint32_t pc)
{
    uint32_t low = 0, high = c->n_trampolines; /* sorted by `from` */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (c->trampolines[middle].from < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->n_trampolines && c->trampolines[low].from == pc ? &c->trampolines[low] : NULL;
}

static const char *add_trampoline(struct gl_jcode *c, uint32_t pc, uint32_t target, const uint8_t *places)
{
    if (!c->trampolines)
        c->trampolines = gl_jfile_scratch(c->f, sizeof *c->trampolines * TRAMPOLINES);
    if (c->n_trampolines == TRAMPOLINES)
        return "too many conditional jumps would be too long";
    uint32_t spot = find_spot(c, pc, target, places), k = c->n_trampolines++;
    if (spot == UINT32_MAX)
        return "a conditional jump would be too long";
    for (; k > 0 && c->trampolines[k - 1].from > pc; k--)
        c->trampolines[k] = c->trampolines[k - 1];
    c->trampolines[k] = (struct gl_jtrampoline){.from = pc, .spot = spot, .target = target};
    c->marks[pc] |= GL_JM_FAR;
    return NULL;
}

/* Widens the jumps that do not reach; *again: some were, so positions have changed. */
static const char *widen(struct gl_jcode *c, int32_t reach, const uint8_t **places, bool *again)
{
    for (uint32_t pc = 0; pc < c->n; pc += gl_jcode_size(c, pc)) {
        unsigned op = c->code[pc];
        if (!is_jump(op) || (c->marks[pc] & GL_JM_WIDE))
            continue;
        uint32_t target = pc + (uint32_t)(int16_t)gl_jget2(c->code + pc + 1);
        if (c->marks[pc] & GL_JM_FAR) {
            if (!reaches(c->self[pc], trampoline_of(c, pc)->at, REACH))
                return "a conditional jump would be too long";
            continue;
        }
        if (reaches(c->self[pc], c->land[target], reach))
            continue;
        *again = true;
        if (!is_conditional(op)) {
            c->marks[pc] |= GL_JM_WIDE;
            continue;
        }
        if (!*places)
            *places = find_places(c);
        const char *why = add_trampoline(c, pc, target, *places);
        if (why)
            return why;
    }
    return NULL;
}

const char *gl_jcode_layout(struct gl_jcode *c)
{
    check_jumps(c);
    check_handlers(c);
    c->land = gl_jfile_scratch(c->f, sizeof *c->land * (c->n + 1));
    c->self = gl_jfile_scratch(c->f, sizeof *c->self * (c->n + 1));
    const uint8_t *places = NULL;
    for (int round = 0; round < ROUNDS; round++) {
        place_all(c);
        if (c->new_n + c->n_epilogue > 65535)
            return "its code would be longer than 65,535 bytes";
        bool again = false;
        if (c->jumps_wide && c->new_n > REACH) {
            const char *why = widen(c, round < 4 ? REACH : SAFE_REACH, &places, &again);
            if (why)
                return why;
        }
        if (!again)
            return NULL;
    }
    return "its jumps would be too long";
}

/* ---- writing ------------------------------------------------------------------------------------------------ */

static void write_trampolines(struct gl_jcode *c, uint32_t pc, struct gl_jbuf *out)
{
    if (c->marks[pc] & GL_JM_OVER) {
        gl_jbuf_1(out, GL_JOPC_GOTO);
        gl_jbuf_2(out, gl_jcode_range(c, pc, false) - gl_jcode_range(c, pc, true));
    }
    for (uint32_t k = 0; k < c->n_trampolines; k++)
        if (c->trampolines[k].spot == pc) {
            gl_jbuf_1(out, GL_JOPC_GOTO_W);
            gl_jbuf_4(out, c->land[c->trampolines[k].target] - c->trampolines[k].at);
        }
}

static void write_switch(struct gl_jcode *c, uint32_t pc, struct gl_jbuf *out)
{
    struct switches s = read_switch(c, pc);
    uint32_t self = c->self[pc], pad = ((self + 4) & ~3u) - self - 1;
    gl_jbuf_1(out, c->code[pc]);
    memset(gl_jbuf_more(out, pad), 0, pad);
    uint8_t *to = gl_jbuf_more(out, s.end - s.at);
    memcpy(to, c->code + s.at, s.end - s.at);
    gl_jset4(to, c->land[pc + gl_jget4(to)] - self);
    for (uint32_t k = 0; k < s.n; k++) {
        uint8_t *jump = to + (s.first - s.at) + k * s.stride;
        gl_jset4(jump, c->land[pc + gl_jget4(jump)] - self);
    }
}

static void write_instruction(struct gl_jcode *c, uint32_t pc, struct gl_jbuf *out)
{
    unsigned op = c->code[pc];
    uint32_t self = c->self[pc];
    if (is_jump(op)) {
        uint32_t to = c->land[pc + (uint32_t)(int16_t)gl_jget2(c->code + pc + 1)];
        if (c->marks[pc] & GL_JM_FAR)
            to = trampoline_of(c, pc)->at;
        if (c->marks[pc] & GL_JM_WIDE) {
            gl_jbuf_1(out, op + (GL_JOPC_GOTO_W - GL_JOPC_GOTO));
            gl_jbuf_4(out, to - self);
        } else {
            gl_jbuf_1(out, op);
            gl_jbuf_2(out, to - self);
        }
    } else if (op == GL_JOPC_GOTO_W || op == GL_JOPC_JSR_W) {
        gl_jbuf_1(out, op);
        gl_jbuf_4(out, c->land[pc + gl_jget4(c->code + pc + 1)] - self);
    } else if (op == GL_JOPC_TABLESWITCH || op == GL_JOPC_LOOKUPSWITCH) {
        write_switch(c, pc, out);
    } else {
        gl_jbuf_bytes(out, c->code + pc, gl_jcode_size(c, pc));
    }
}

static void write_code(struct gl_jcode *c, struct gl_jbuf *out)
{
    const uint8_t *inserted = c->inserted.at;
    const struct gl_jedit *e = c->edits;
    gl_jbuf_bytes(out, inserted, c->n_prologue);
    uint32_t pc = 0;
    for (; pc < c->n; pc += gl_jcode_size(c, pc)) {
        if (c->marks[pc] & GL_JM_SPOTS)
            write_trampolines(c, pc, out);
        if (!(c->marks[pc] & GL_JM_EDIT)) {
            write_instruction(c, pc, out);
            continue;
        }
        gl_jbuf_bytes(out, inserted + e->before, e->replace - e->before);
        if (e->after > e->replace)
            gl_jbuf_bytes(out, inserted + e->replace, e->after - e->replace);
        else
            write_instruction(c, pc, out);
        gl_jbuf_bytes(out, inserted + e->after, e->end - e->after);
        e++;
    }
    write_trampolines(c, pc, out);
    gl_jstub_code(c, out);
    gl_jbuf_bytes(out, c->epilogue, c->n_epilogue);
}

/* Returns how many there are. */
static uint32_t write_handlers(struct gl_jcode *c, struct gl_jbuf *out)
{
    size_t count = out->n;
    uint32_t n = c->n_epilogue ? 1 : 0;
    gl_jbuf_2(out, 0);
    for (unsigned k = 0; k < c->n_handlers; k++)
        n += gl_jstub_handlers(c, k, out);
    gl_jset2(out->at + count, n);
    if (c->n_epilogue) {
        gl_jbuf_2(out, c->covered);
        gl_jbuf_2(out, c->new_n);
        gl_jbuf_2(out, c->new_n);
        gl_jbuf_2(out, 0);
    }
    return n;
}

const char *gl_jcode_write(struct gl_jcode *c, uint16_t name, struct gl_jpool *pool, struct gl_jbuf *out)
{
    if (c->max_stack + c->more_stack > 65535)
        return "its stack would be too deep";
    if (c->max_locals + c->more_locals > 65535)
        return "it would have too many variables";
    gl_jbuf_2(out, name);
    size_t length = out->n;
    gl_jbuf_4(out, 0);
    gl_jbuf_2(out, (uint32_t)c->max_stack + c->more_stack);
    gl_jbuf_2(out, (uint32_t)c->max_locals + c->more_locals);
    gl_jbuf_4(out, c->new_n + c->n_epilogue);
    write_code(c, out);
    if (write_handlers(c, out) > 65535)
        return "it would have too many exception handlers";

    size_t count = out->n;
    uint32_t n = 0;
    gl_jbuf_2(out, 0);
    uint32_t at = c->attributes;
    for (unsigned k = 0; k < c->n_attributes; k++, n++) {
        struct gl_jattribute a = gl_jfile_attribute(c->f, &at);
        if (a.at == c->frames)
            continue; /* below */
        gl_jbuf_2(out, a.name);
        size_t inner = out->n;
        gl_jbuf_4(out, 0);
        if (!gl_jcode_table(c, a, out))
            gl_jbuf_bytes(out, c->f->in + a.at, a.end - a.at);
        gl_jset4(out->at + inner, (uint32_t)(out->n - inner - 4));
    }
    if (c->frames || (c->n_epilogue && c->f->major >= 50)) {
        gl_jbuf_2(out, gl_jpool_utf8(pool, "StackMapTable"));
        size_t inner = out->n;
        gl_jbuf_4(out, 0);
        const char *why = gl_jcode_frames(c, pool, out);
        if (why)
            return why;
        gl_jset4(out->at + inner, (uint32_t)(out->n - inner - 4));
        n += c->frames ? 0 : 1;
    }
    if (n > 65535)
        return "it has too many attributes";
    gl_jset2(out->at + count, n);
    gl_jset4(out->at + length, (uint32_t)(out->n - length - 4));
    return NULL;
}
