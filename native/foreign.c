/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomic operations in code that no compiler instrumented: libraries that make locks, counts of references and queues by them (GLib, Qt), assembly.
 * Each instruction of such a library that changes memory atomically (with a lock prefix, or an exchange) is moved to a place of its own, when the
 * program begins, and a jump is put where it was.  There the instruction runs between two calls of ours, which make it and its record one step, as
 * abi_atomic.c does for what the compiler tells: acquire and release, or of a comparison that failed an acquire.
 *
 * A jump takes five bytes.  Where the instruction has fewer, its neighbours move as well, if nothing jumps to the middle of what is replaced.  All
 * relative jumps of the library are known; where those through a table go is not, so that in a function with one of these only such instructions move
 * behind the atomic one as use its flags.  Calls never move, so nothing returns to the middle.  What cannot be moved is counted.
 *
 * Plain loads and stores of such code cannot be told from others: what is handed on by them alone stays unseen.  But a function that wakes others by a futex
 * (it loads the number of that system call) gives up by a plain store what they wait for, as Qt's mutexes do: there each store of a constant is a release.  So it is in
 * functions of which that is known (rt_foreign_gives_up()).
 */
#include "native/collect.h"
#include "native/foreign.h"
#include "native/record.h"
#include "symbol/dynamic.h"
#include "symbol/functions.h"
#include "symbol/instruction.h"
#include "symbol/symbol.h"

/* ---- which code ---- */

static const char *file_of(const char *path)
{
    const char *name = path;
    for (const char *s = path; *s; s++)
        if (*s == '/')
            name = s + 1;
    return name;
}

/* One of the names, separated by slashes: up to ".so", or up to a `*`. */
bool rt_foreign_named(const char *names, const char *path)
{
    const char *file = file_of(path);
    for (const char *s = names; *s;) {
        size_t n = 0, same = 0;
        while (s[n] && s[n] != '/')
            n++;
        while (same < n && file[same] == s[same])
            same++;
        if (n && ((same == n && (!file[n] || __builtin_strncmp(file + n, ".so", 3) == 0)) || (same == n - 1 && s[n - 1] == '*')))
            return true;
        s += n + (s[n] == '/');
    }
    return false;
}

#if defined(__x86_64__)

/* What we use ourselves, in the midst of a record. */
static bool is_ours(const char *path)
{
    return rt_foreign_named("libc/libpthread/ld-linux*/libgcc_s/libtsan/libgoldilocks_rt", path);
}

/* ---- the two calls ---- */

static __thread struct held {
    struct rt_atomic atomic;
    uintptr_t addr, pc;
    bool is;
    uint32_t unrecorded; /* instructions that were begun without: also those of a handler while one that faulted is held */
} held;

#define USED __attribute__((used, visibility("hidden")))

USED void rt_foreign_before(uintptr_t addr, uintptr_t pc)
{
    struct rt_thread *t = rt_enter();
    if (!t) {
        held.unrecorded++;
        return;
    }
    held = (struct held){.atomic = rt_atomic_lock(t, addr, true), .addr = addr, .pc = pc, .is = true};
}

enum change { CHANGED, STORED, COMPARED_ONLY };

static void after(enum change what)
{
    bool changed = what != COMPARED_ONLY;
    enum gl_order order = what == STORED ? GL_REL : changed ? GL_AR : GL_ACQ;
    if (held.unrecorded) {
        held.unrecorded--;
        return;
    }
    if (!held.is)
        return;
    held.is = false; /* a handler of a signal may come when we leave */
    struct rt_thread *t = rt_tls.self;
    struct rt_atomic hold = held.atomic;
    if (hold.s) {
        if (what != STORED)
            gl_atomic_acquire_part(t->core, hold.s, order);
        if (changed)
            what == STORED ? rt_atomic_stored(t, &hold, order) : gl_atomic_rmw_part(t->core, hold.s, order);
        if (RT_UNLIKELY(rt.recording))
            rt_record_atomic(t, what == STORED ? GL_OP_STORE : changed ? GL_OP_RMW : GL_OP_LOAD, order, held.addr, 1, held.pc);
    }
    rt_atomic_unlock(&hold);
    rt_leave();
}

USED void rt_foreign_after(uintptr_t flags)
{
    (void)flags;
    after(CHANGED);
}

USED void rt_foreign_stored(uintptr_t flags)
{
    (void)flags;
    after(STORED);
}

USED void rt_foreign_compared(uintptr_t flags)
{
    after(flags & 0x40 ? CHANGED : COMPARED_ONLY); /* ZF */
}

/* Called from the moved code with the program's registers: all are kept, the flags too, and those for vectors by XSAVE: SSE, AVX, AVX-512 (0xe6; at most 2,688
 * bytes of it), or FXSAVE where that is not there.  rdi and rsi are arguments of the first; the others get the flags. */
USED uint8_t rt_foreign_xsave;
#define KEEPING(name, function, argument)                                                                                 \
    __asm__(".text\n.hidden " #name "\n.globl " #name "\n.type " #name ", @function\n" #name ":\n"                         \
            "pushfq\n cld\n push %rax\n push %rcx\n push %rdx\n push %rsi\n push %rdi\n push %r8\n push %r9\n push %r10\n push %r11\n push %rbx\n" \
            "mov %rsp, %rbx\n" argument                                                                                    \
            "sub $2752, %rsp\n and $-64, %rsp\n"                                                                           \
            "cmpb $0, rt_foreign_xsave(%rip)\n je 1f\n"                                                                    \
            "xor %eax, %eax\n"                                                                                             \
            "mov %rax, 512(%rsp)\n mov %rax, 520(%rsp)\n mov %rax, 528(%rsp)\n mov %rax, 536(%rsp)\n"                      \
            "mov %rax, 544(%rsp)\n mov %rax, 552(%rsp)\n mov %rax, 560(%rsp)\n mov %rax, 568(%rsp)\n"                      \
            "mov $0xe6, %eax\n xor %edx, %edx\n xsave64 (%rsp)\n call " #function "\n"                                     \
            "mov $0xe6, %eax\n xor %edx, %edx\n xrstor64 (%rsp)\n jmp 2f\n"                                                \
            "1: fxsave64 (%rsp)\n call " #function "\n fxrstor64 (%rsp)\n"                                                 \
            "2: mov %rbx, %rsp\n"                                                                                          \
            "pop %rbx\n pop %r11\n pop %r10\n pop %r9\n pop %r8\n pop %rdi\n pop %rsi\n pop %rdx\n pop %rcx\n pop %rax\n popfq\n ret\n" \
            ".size " #name ", . - " #name "\n");                                                                           \
    void name(void) __attribute__((visibility("hidden")));
KEEPING(rt_foreign_call_before, rt_foreign_before, "")
KEEPING(rt_foreign_call_after, rt_foreign_after, "mov 80(%rbx), %rdi\n")
KEEPING(rt_foreign_call_stored, rt_foreign_stored, "mov 80(%rbx), %rdi\n")
KEEPING(rt_foreign_call_compared, rt_foreign_compared, "mov 80(%rbx), %rdi\n")

static bool has_xsave(void)
{
    uint32_t a = 1, b, c, d;
    __asm__("cpuid" : "+a"(a), "=b"(b), "=c"(c), "=d"(d));
    return c >> 27 & 1; /* OSXSAVE */
}

/* ---- one library ---- */

/* Of a library that is being changed.  The place for moved code begins with the addresses that it calls by a jump through each. */
enum { BEFORE, AFTER, STORE, COMPARED, CALLS, CALL_SIZE = 16, ROOM = 15 * 16 /* more than one window takes */ };
struct patch {
    uintptr_t lo, hi;
    /* A bit for each byte of code: a relative jump goes there; a function begins there that has such instructions, and is known to its end. */
    uint8_t *targets, *marked;
    uint8_t *place, *at, *end;
    uintptr_t done; /* the end of what was replaced last */
    bool wakes;     /* the function gives up by plain stores of constants */
    uintptr_t gives_up; /* one of which that is known; 0: none */
    bool tables;    /* some function jumps by a table */
    struct rt_foreign_known known; /* if any: only these are looked at */
    size_t atomics, moved;
};

static bool is_set(const struct patch *p, const uint8_t *map, uintptr_t a)
{
    return map[(a - p->lo) / 8] >> (a - p->lo) % 8 & 1;
}

static void set(const struct patch *p, uint8_t *map, uintptr_t a)
{
    if (a >= p->lo && a < p->hi)
        map[(a - p->lo) / 8] |= (uint8_t)(1u << (a - p->lo) % 8);
}

static bool decode(uintptr_t at, uintptr_t end, struct gl_instruction *i)
{
    return gl_instruction_at((const uint8_t *)at, end - at, i);
}

static bool is_store(const struct gl_instruction *i)
{
    return i->map == GL_MAP_ONE && !i->vector && (i->opcode & 0xfe) == 0xc6 && !(i->modrm & 0x38); /* mov of a constant */
}

/* Changes memory atomically, at an address that the registers say, but for a fence (on the stack) and what is the thread's own; or gives up what others
 * wait for. */
static bool is_atomic(const struct patch *p, const uint8_t *code, const struct gl_instruction *i)
{
    bool exchange = i->map == GL_MAP_ONE && !i->vector && (i->opcode & 0xfe) == 0x86;
    if (!(i->lock || exchange || (p->wakes && is_store(i))) || !i->memory || i->segment || i->short_address || i->vector)
        return false;
    bool has_index = (i->modrm & 7) == 4;
    return !(has_index && (code[i->modrm_at + 1] & 7) == 4 && !(i->rex & 1)); /* the base is rsp */
}

static bool compares(const struct gl_instruction *i)
{
    return i->map == GL_MAP_0F && ((i->opcode & 0xfe) == 0xb0 || i->opcode == 0xc7);
}

static bool uses_flags(const struct gl_instruction *i)
{
    return (i->flow == GL_FLOW_MAYBE && i->opcode >> 4 != 0xe) || (i->map == GL_MAP_0F && !i->vector && i->opcode >> 4 == 9);
}

static bool can_move(const struct gl_instruction *i)
{
    bool counts = i->flow == GL_FLOW_MAYBE && i->map == GL_MAP_ONE && i->opcode >> 4 == 0xe; /* loop, jrcxz: no long form */
    return i->flow != GL_FLOW_CALL && !counts && !(i->rip_relative && i->short_address);
}

/* Is the number of futex, 202, loaded as an argument of syscall(), or to rax for the instruction? */
static bool calls_futex(uintptr_t at, uintptr_t end)
{
    struct gl_instruction i;
    const uint8_t *code = (const uint8_t *)at;
    size_t size = end - at, first = 0;
    while (first + 5 <= size && !((code[first] == 0xbf || code[first] == 0xb8) && code[first + 1] == 202))
        first++; /* quickly, where there are no such bytes at all */
    if (first + 5 > size)
        return false;
    for (; at < end && decode(at, end, &i); at += i.length) {
        uint32_t number;
        if (i.map != GL_MAP_ONE || (i.opcode != 0xbf && i.opcode != 0xb8) || i.immediate_size != 4 || (i.rex & 1))
            continue;
        __builtin_memcpy(&number, (const uint8_t *)at + i.immediate_at, sizeof number);
        if (number == 202)
            return true;
    }
    return false;
}

/* To what a register holds, or an index reaches. */
static bool jumps_by_table(const struct gl_instruction *i) { return i->flow == GL_FLOW_INDIRECT && (!i->memory || (i->modrm & 7) == 4); }

/* A function, before anything is changed. */
static void look(void *ctx, uintptr_t begin, size_t size)
{
    struct patch *p = ctx;
    struct gl_instruction i;
    uintptr_t at = begin, end = begin + size;
    size_t atomics = p->atomics;
    if (is_set(p, p->marked, begin)) /* by another of its names */
        return;
    p->wakes = begin == p->gives_up || calls_futex(begin, end);
    for (; at < end && decode(at, end, &i); at += i.length) {
        if (i.flow == GL_FLOW_MAYBE || i.flow == GL_FLOW_JUMP || (i.flow == GL_FLOW_CALL && i.opcode == 0xe8))
            set(p, p->targets, gl_instruction_target(&i, at));
        p->atomics += is_atomic(p, (const uint8_t *)at, &i);
        p->tables |= jumps_by_table(&i);
    }
    p->tables |= at != end; /* what could not be read may have one */
    if (rt_in_runtime(begin))
        p->atomics = atomics;
    else if (p->atomics > atomics && at == end)
        set(p, p->marked, begin);
}

/* ---- moving ---- */

static void put(struct patch *p, const void *bytes, size_t n)
{
    __builtin_memcpy(p->at, bytes, n);
    p->at += n;
}

static bool put_relative(struct patch *p, uintptr_t target)
{
    intptr_t by = (intptr_t)(target - (uintptr_t)(p->at + 4));
    int32_t narrow = (int32_t)by;
    put(p, &narrow, sizeof narrow);
    return by == narrow;
}

#define PUT(...) put(p, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

/* Registers but rsp are as they were; the red zone is left alone. */
static bool put_call(struct patch *p, int which)
{
    PUT(0xe8);
    return put_relative(p, (uintptr_t)p->place + (size_t)which * CALL_SIZE);
}

/* The bytes of an instruction whose displacement, if it is one from where it stands, still leads to the same place. */
static bool put_same(struct patch *p, uintptr_t at, const struct gl_instruction *i)
{
    uint8_t *to = p->at;
    put(p, (const void *)at, i->length);
    if (!i->rip_relative)
        return true;
    int32_t by;
    __builtin_memcpy(&by, to + i->displacement_at, sizeof by);
    intptr_t now = (intptr_t)(at + (uintptr_t)(intptr_t)by - (uintptr_t)to);
    by = (int32_t)now;
    __builtin_memcpy(to + i->displacement_at, &by, sizeof by);
    return by == now;
}

/* lea of the instruction's memory operand to rdi. */
static bool put_address(struct patch *p, uintptr_t at, const struct gl_instruction *i)
{
    const uint8_t *code = (const uint8_t *)at;
    size_t n = (i->displacement_size ? (size_t)i->displacement_at + i->displacement_size
                                     : (size_t)i->modrm_at + 1 + ((i->modrm & 7) == 4)) - i->modrm_at;
    PUT((uint8_t)(0x48 | (i->rex & 3)), 0x8d, (uint8_t)((i->modrm & 0xc7) | 7 << 3));
    if (!i->rip_relative) {
        put(p, code + i->modrm_at + 1, n - 1);
        return true;
    }
    int32_t by;
    __builtin_memcpy(&by, code + i->displacement_at, sizeof by);
    return put_relative(p, at + i->length + (uintptr_t)(intptr_t)by);
}

static bool put_atomic(struct patch *p, uintptr_t at, const struct gl_instruction *i)
{
    uint64_t pc = at;
    PUT(0x48, 0x8d, 0x64, 0x24, 0x80, 0x57, 0x56); /* lea -128(%rsp), %rsp; push %rdi; push %rsi */
    bool fits = put_address(p, at, i);
    PUT(0x48, 0xbe); /* movabs pc, %rsi */
    put(p, &pc, sizeof pc);
    fits = put_call(p, BEFORE) && fits;
    PUT(0x5e, 0x5f, 0x48, 0x8d, 0xa4, 0x24, 0x80, 0, 0, 0); /* pop %rsi; pop %rdi; lea 128(%rsp), %rsp */
    fits = put_same(p, at, i) && fits;
    PUT(0x48, 0x8d, 0x64, 0x24, 0x80);
    fits = put_call(p, is_store(i) ? STORE : compares(i) ? COMPARED : AFTER) && fits;
    PUT(0x48, 0x8d, 0xa4, 0x24, 0x80, 0, 0, 0);
    return fits;
}

static bool put_moved(struct patch *p, uintptr_t at, const struct gl_instruction *i)
{
    if (is_atomic(p, (const uint8_t *)at, i))
        return put_atomic(p, at, i);
    if (i->flow == GL_FLOW_MAYBE)
        PUT(0x0f, (uint8_t)(0x80 | (i->opcode & 0xf)));
    else if (i->flow == GL_FLOW_JUMP)
        PUT(0xe9);
    else
        return put_same(p, at, i);
    return put_relative(p, gl_instruction_target(i, at));
}

/* [from, to) moves, and a jump to it takes its place. */
static bool move(struct patch *p, uintptr_t from, uintptr_t to)
{
    uint8_t *begin = p->at, jump[5] = {0xe9};
    struct gl_instruction i;
    bool fits = true;
    size_t atomics = 0;
    for (uintptr_t at = from; at < to; at += i.length) {
        fits = decode(at, to, &i) && put_moved(p, at, &i) && fits;
        atomics += is_atomic(p, (const uint8_t *)at, &i);
    }
    PUT(0xe9);
    fits = put_relative(p, to) && fits;
    intptr_t by = (intptr_t)((uintptr_t)begin - (from + sizeof jump));
    int32_t narrow = (int32_t)by;
    if (!fits || by != narrow) {
        p->at = begin;
        return false;
    }
    __builtin_memcpy(jump + 1, &narrow, sizeof narrow);
    __builtin_memset((void *)from, 0xcc, to - from); /* int3: nothing goes there */
    __builtin_memcpy((void *)from, jump, sizeof jump);
    p->moved += atomics;
    p->done = to;
    return true;
}

/* The instructions [*from, *to) are an atomic one, which begins at *from: makes them at least five bytes.  before: where those in front of it begin, the last
 * first. */
static bool widen(const struct patch *p, uintptr_t *from, uintptr_t *to, uintptr_t end, const uintptr_t *before, size_t count, bool open)
{
    struct gl_instruction i;
    bool ends = false;
    while (*to - *from < 5 && !ends && *to < end && !is_set(p, p->targets, *to) && decode(*to, end, &i) && can_move(&i) && (!open || uses_flags(&i))) {
        *to += i.length;
        ends = i.flow == GL_FLOW_JUMP || i.flow == GL_FLOW_END || i.flow == GL_FLOW_INDIRECT;
    }
    for (size_t k = 0; *to - *from < 5 && k < count && !open && !is_set(p, p->targets, *from); k++) {
        if (before[k] < p->done || !decode(before[k], end, &i) || !can_move(&i) || i.flow != GL_FLOW_ON)
            break;
        *from = before[k];
    }
    return *to - *from >= 5;
}

/* To a part that a compiler has put elsewhere, which may jump back: where no other function is looked at, nobody knows where to. */
static bool leaves(const struct gl_instruction *i, uintptr_t at, uintptr_t begin, uintptr_t end)
{
    if (i->flow != GL_FLOW_MAYBE && i->flow != GL_FLOW_JUMP)
        return false;
    uintptr_t target = gl_instruction_target(i, at);
    return (target < begin || target >= end) && (i->flow == GL_FLOW_MAYBE || target % 16); /* else the call of another function, at the end */
}

/* May something unknown jump into the function?  Then it has a table of jumps, or is perhaps a part that a compiler has put elsewhere (.cold, without alignment) of one
 * that has. */
static bool is_open(const struct patch *p, uintptr_t begin, uintptr_t end)
{
    struct gl_instruction i;
    if (begin % 16 && p->tables)
        return true;
    for (uintptr_t at = begin; at < end && decode(at, end, &i); at += i.length)
        if (jumps_by_table(&i) || (p->known.count && leaves(&i, at, begin, end)))
            return true;
    return false;
}

static void tell_left(const struct patch *p, uintptr_t at)
{
    char text[100];
    int n = gl_format(text, sizeof text, "Goldilocks: the atomic instruction at +0x%zx is not followed\n", (size_t)(at - p->lo));
    rt_print(text, (size_t)n);
}

static void change(void *ctx, uintptr_t begin, size_t size)
{
    struct patch *p = ctx;
    uintptr_t end = begin + size, before[4] = {0};
    struct gl_instruction i;
    size_t count = 0;
    int open = -1; /* not known */
    if (!is_set(p, p->marked, begin))
        return;
    p->wakes = begin == p->gives_up || calls_futex(begin, end);
    for (uintptr_t at = begin; at < end && decode(at, end, &i);) {
        uintptr_t next = at + i.length;
        if (is_atomic(p, (const uint8_t *)at, &i)) {
            uintptr_t from = at, to = next;
            if (open < 0)
                open = is_open(p, begin, end);
            if (p->at + ROOM <= p->end && widen(p, &from, &to, end, before, count, open) && move(p, from, to)) {
                at = to;
                count = 0;
                continue;
            }
            if (rt.options.verbosity > 1)
                tell_left(p, at);
        }
        for (size_t k = 3; k > 0; k--)
            before[k] = before[k - 1];
        before[0] = at;
        count += count < 4;
        at = next;
    }
}

static bool prepare(struct patch *p)
{
    static void (*const calls[CALLS])(void) = {rt_foreign_call_before, rt_foreign_call_after, rt_foreign_call_stored, rt_foreign_call_compared};
    size_t bytes = (p->atomics * ROOM + CALLS * CALL_SIZE + 0xffff) & ~(size_t)0xffff;
    p->place = gl_os_map_near(p->lo, bytes);
    if (!p->place)
        return false;
    p->at = p->place;
    p->end = p->place + bytes;
    for (int i = 0; i < CALLS; i++) {
        PUT(0xff, 0x25, 2, 0, 0, 0, 0xcc, 0xcc); /* jmp *2(%rip) */
        put(p, &calls[i], sizeof calls[i]);
    }
    return true;
}

/* Written at the start: atomic instructions that are not followed, and libraries of which that is not known. */
static size_t left, unknown;

void rt_foreign_closing(void)
{
    char line[200];
    if (rt.options.format == RT_FORMAT_JSON)
        return;
    if (left)
        rt_print(line, (size_t)gl_format(line, sizeof line,
                                         "Goldilocks: %zu atomic instructions of libraries (option foreign_atomics) are not followed; what they order is not seen\n",
                                         left));
    if (unknown)
        rt_print(line, (size_t)gl_format(line, sizeof line,
                                         "Goldilocks: the code of %zu libraries (option foreign_atomics) could not be taken apart; what they order is not seen\n",
                                         unknown));
}

static void tell(const char *path, const struct patch *p)
{
    char text[1400];
    if (!rt.options.verbosity)
        return;
    int n = gl_format(text, sizeof text, "Goldilocks: %s: %zu of %zu atomic instructions are followed\n", path, p->moved, p->atomics);
    rt_print(text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

static void note_gives_up(void *ctx, uintptr_t begin, size_t size)
{
    (void)size;
    ((struct patch *)ctx)->gives_up = begin;
}

static bool each_function(struct patch *p, const struct gl_code *code, gl_function_visit *visit)
{
    if (!p->known.count)
        return gl_functions_each(code, visit, p);
    gl_module_functions(code->lo, p->known.functions, p->known.count, visit, p);
    return true;
}

static void visit(void *ctx, const char *path, const struct gl_code *code)
{
    (void)ctx;
    char name[1024] = "";
    if (__builtin_strcmp(path, "/proc/self/exe") == 0) {
        long n = gl_os_readlink(path, name, sizeof name - 1);
        path = name;
        name[n > 0 ? n : 0] = 0;
    } else if (code->holds) {
        return; /* our own library */
    }
    bool whole = rt_foreign_named(rt.options.foreign_atomics, path);
    struct rt_foreign_known known = whole ? (struct rt_foreign_known){0} : rt_foreign_known(path);
    if ((!whole && !known.count) || is_ours(path))
        return;
    uintptr_t lo = code->lo & -gl_os_page_size(), hi = (code->hi + gl_os_page_size() - 1) & -gl_os_page_size();
    size_t bytes = (hi - lo) / 8;
    struct patch p = {.lo = lo, .hi = hi, .targets = gl_os_map(bytes), .marked = gl_os_map(bytes), .known = known};
    struct rt_foreign_known gives_up = rt_foreign_gives_up(path);
    gl_module_functions(code->lo, gives_up.functions, gives_up.count, note_gives_up, &p);
    bool taken_apart = p.targets && p.marked && each_function(&p, code, look);
    if (taken_apart && p.atomics && prepare(&p) && gl_os_code_open(lo, hi - lo)) {
        each_function(&p, code, change);
        gl_os_code_close(lo, hi - lo);
        gl_os_code_close((uintptr_t)p.place, (size_t)(p.end - p.place));
    }
    if (p.targets)
        gl_os_unmap(p.targets, bytes);
    if (p.marked)
        gl_os_unmap(p.marked, bytes);
    left += p.atomics - p.moved;
    unknown += !taken_apart;
    tell(path, &p);
}

void rt_foreign_init(void)
{
    if (!rt.options.foreign_atomics[0] || !gl_os_one_thread()) /* another might be where code is changed */
        return;
    rt_foreign_xsave = has_xsave();
    gl_code_each((uintptr_t)&rt, visit, NULL);
}

#else
void rt_foreign_init(void) {} /* docs/limits.md says so */
void rt_foreign_closing(void) {}
#endif
