/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls across the address space are slow.  Linux puts an executable at 0x55..., and libraries at 0x7f...; processors predict jumps and returns well within
 * 4 GiB or so, and worse beyond (docs/performance.md has what that costs).  So the functions that a program calls for each access and each call, of which
 * most return after a few instructions, are copied to a place near the executable when it begins, and its table of functions (the slots of the PLT, DT_JMPREL,
 * and of calls without one, DT_RELA) leads to the copies.  The executable's code is not changed.  Libraries lie near ours anyway, as does a runtime that is
 * linked into the program.
 *
 * A copy is the same instructions, with as many bytes each.  What differs:
 *   - a jump out of the copied block goes through one more, to any address (`jmp *`), behind the block;
 *   - what is loaded from or added of our table of addresses (in the linker's words, a thread-local variable of model "initial exec") becomes a constant,
 *     as a static linker does it; nothing writes that table any more.
 * Other data of ours cannot be reached from there, and a call would leave a copy on the stack: where there is either, as in a build that is not optimized, nothing
 * is copied (a test sees to it that there is none).
 *
 * No table for unwinding knows the copies.  Whoever is interrupted in one by a signal goes on in the original (rt_near_original()), so that handlers, and who
 * unwinds the stack from there, find what they know.  An asynchronous cancellation would unwind from libc's own handler: the first thread that asks for one
 * ends the use of copies for good.
 */
#include "native/near.h"

#include "native/state.h"
#include "symbol/dynamic.h"
#include "symbol/instruction.h"

#if defined(__x86_64__)

extern const uint8_t __start_rt_near[] __attribute__((weak, visibility("hidden"))); /* none in the static form, whose code is one section (cmake/localize) */
extern const uint8_t __stop_rt_near[] __attribute__((weak, visibility("hidden")));
extern const struct rt_near_function __start_rt_near_names[] __attribute__((weak, visibility("hidden")));
extern const struct rt_near_function __stop_rt_near_names[] __attribute__((weak, visibility("hidden")));

enum { WAY_SIZE = 16, WAYS = 64, SLOTS = 128 }; /* a program has one or two slots for each of the 70 functions */

static struct {
    uint8_t *place;      /* the copy of the block, ways out behind it; NULL: none */
    size_t size, bytes;  /* of the block; of the memory */
    uint8_t *first, *ways, *end; /* ways out: the first, behind the last, the end of the memory */
    uintptr_t constant_lo, constant_hi;
    struct gl_slot slot[SLOTS];
    uintptr_t original[SLOTS]; /* where it led */
    size_t slots, led; /* those that lead to a copy */
    struct gl_spin lock; /* of rt_near_end() */
    bool ended;
} near;

uintptr_t rt_near_original(uintptr_t pc)
{
    return near.place && pc - (uintptr_t)near.place < near.size ? pc - (uintptr_t)near.place + (uintptr_t)__start_rt_near : pc;
}

/* ---- the copy ---- */

static bool in_block(uintptr_t a) { return a - (uintptr_t)__start_rt_near < near.size; }

/* jmp *0(%rip) to `target`, made when it is first asked for; NULL: no room. */
static uint8_t *way_to(uintptr_t target)
{
    static const uint8_t jump[] = {0xff, 0x25, 0, 0, 0, 0};
    for (uint8_t *w = near.first; w < near.ways; w += WAY_SIZE)
        if (__builtin_memcmp(w + sizeof jump, &target, sizeof target) == 0)
            return w;
    uint8_t *w = near.ways;
    if (w + WAY_SIZE > near.end)
        return NULL;
    __builtin_memcpy(w, jump, sizeof jump);
    __builtin_memcpy(w + sizeof jump, &target, sizeof target);
    near.ways += WAY_SIZE;
    return w;
}

static bool put_way(const struct gl_instruction *i, uintptr_t at, uint8_t *to)
{
    uintptr_t target = gl_instruction_target(i, at);
    if (in_block(target))
        return true;
    const uint8_t *way = i->immediate_size == 4 ? way_to(target) : NULL;
    int32_t by = (int32_t)(way - (to + i->length));
    if (way)
        __builtin_memcpy(to + i->immediate_at, &by, sizeof by);
    return way != NULL;
}

/* mov or add of 8 bytes from a table that nothing writes to a register: of their value, if 4 bytes say it. */
static bool put_constant(const struct gl_instruction *i, uintptr_t at, uint8_t *to)
{
    bool add = i->opcode == 0x03;
    int32_t by, narrow;
    int64_t value;
    if (i->map != GL_MAP_ONE || i->vector || i->lock || i->segment || !(i->rex & 8) || !(add || i->opcode == 0x8b) || i->length != 7)
        return false;
    __builtin_memcpy(&by, to + i->displacement_at, sizeof by);
    uintptr_t from = at + i->length + (uintptr_t)(intptr_t)by;
    if (from < near.constant_lo || from + sizeof value > near.constant_hi)
        return false;
    __builtin_memcpy(&value, (const void *)from, sizeof value);
    narrow = (int32_t)value;
    to[0] = (uint8_t)(0x48 | (i->rex >> 2 & 1)); /* the register moves from ModRM.reg to ModRM.rm */
    to[1] = add ? 0x81 : 0xc7;
    to[2] = (uint8_t)(0xc0 | (i->modrm >> 3 & 7));
    __builtin_memcpy(to + 3, &narrow, sizeof narrow);
    return narrow == value;
}

static bool copy(void)
{
    struct gl_instruction i;
    __builtin_memcpy(near.place, __start_rt_near, near.size);
    for (size_t n = 0; n < near.size; n += i.length) {
        uintptr_t at = (uintptr_t)__start_rt_near + n;
        if (!gl_instruction_at(__start_rt_near + n, near.size - n, &i))
            return false;
        bool jump = i.flow == GL_FLOW_MAYBE || i.flow == GL_FLOW_JUMP;
        if (i.flow == GL_FLOW_CALL) /* the copy would be on the stack meanwhile */
            return false;
        if (jump ? !put_way(&i, at, near.place + n) : i.rip_relative && !put_constant(&i, at, near.place + n))
            return false;
    }
    return true;
}

/* ---- who calls it ---- */

static bool put_slot(const struct gl_slot *s, uintptr_t to)
{
    uintptr_t page = (uintptr_t)s->at & -gl_os_page_size();
    if (s->read_only && !gl_os_data_open(page, gl_os_page_size()))
        return false; /* it leads where it led */
    __atomic_store_n(s->at, to, __ATOMIC_RELEASE); /* others read it, by an indirect jump */
    if (s->read_only)
        gl_os_data_close(page, gl_os_page_size());
    return true;
}

/* A slot of the executable. */
static void visit(void *ctx, const char *name, const struct gl_slot *slot)
{
    (void)ctx;
    if (__builtin_strncmp(name, "__tsan_", 7) != 0 && __builtin_strncmp(name, "goldilocks_rt_", 14) != 0)
        return;
    for (const struct rt_near_function *f = __start_rt_near_names; f < __stop_rt_near_names && near.slots < SLOTS; f++) {
        if (__builtin_strcmp(name, f->name) != 0)
            continue;
        if (!in_block((uintptr_t)f->function)) /* another library's function of that name comes first */
            return;
        near.slot[near.slots] = *slot;
        near.original[near.slots++] = (uintptr_t)f->function;
        return;
    }
}

static bool is_near(uintptr_t a, uintptr_t b) { return (a > b ? a - b : b - a) < 1ull << 31; }

static void tell(const char *what)
{
    char text[200];
    if (rt.options.verbosity)
        rt_print(text, (size_t)gl_format(text, sizeof text, "Goldilocks: %zu of the program's slots lead to %s\n", near.led, what));
}

void rt_near_init(void)
{
    if (!rt.options.near_code || !__start_rt_near || is_near(gl_os_program_entry(), (uintptr_t)__start_rt_near) ||
        !gl_module_constants((uintptr_t)&rt_near_init, &near.constant_lo, &near.constant_hi))
        return;
    near.size = (size_t)(__stop_rt_near - __start_rt_near);
    gl_program_slots(visit, NULL);
    if (!near.slots)
        return;
    near.bytes = (near.size + (WAYS + 1) * WAY_SIZE + gl_os_page_size() - 1) & -gl_os_page_size();
    uint8_t *place = gl_os_map_near(gl_os_program_entry(), near.bytes);
    if (!place)
        return;
    near.place = place;
    near.first = near.ways = place + ((near.size + WAY_SIZE - 1) & -(size_t)WAY_SIZE);
    near.end = place + near.bytes;
    if (!copy() || !gl_os_code_close((uintptr_t)place, near.bytes)) {
        near.place = NULL;
        near.slots = 0;
        gl_os_unmap(place, near.bytes);
        tell("copies of our functions near it, since one of those cannot be copied");
        return;
    }
    for (size_t k = 0; k < near.slots; k++)
        near.led += put_slot(&near.slot[k], near.original[k] - (uintptr_t)__start_rt_near + (uintptr_t)place);
    tell("copies of our functions near it");
}

void rt_near_end(void)
{
    gl_spin_lock(&near.lock);
    if (!near.ended && near.place)
        for (size_t k = 0; k < near.slots; k++)
            (void)put_slot(&near.slot[k], near.original[k]);
    near.ended = true;
    gl_spin_unlock(&near.lock);
}

#else
void rt_near_init(void) {}
void rt_near_end(void) {}
uintptr_t rt_near_original(uintptr_t pc) { return pc; }
#endif
