/* SPDX-License-Identifier: Apache-2.0
 *
 * libbacktrace sorts the ranges of all units by their beginnings, a longer one before a shorter one, when a
 * state is first asked.  The build has its reader of DWARF call gl_backtrace_sort() for that, which then takes
 * overlaps out.  Nothing else that is sorted while units are read has elements of that size.
 */
#include "symbol/units.h"

#include <backtrace.h>
#include <stdbool.h>
#include <stddef.h>

/* libbacktrace's struct unit_addrs. */
struct range {
    uint64_t low, high; /* [low, high), as loaded */
    const void *unit;
};

typedef int compare_fn(const void *, const void *);

void backtrace_qsort(void *base, size_t count, size_t size, compare_fn *compare);
void gl_backtrace_sort(void *base, size_t count, size_t size, compare_fn *compare);

static bool reading; /* these two: guarded by the caller's lock */
static uint64_t object_base;

/* Of bytes that several ranges claim the first range keeps them: each byte of it is claimed by its unit, so it
 * is a function of that unit, or the copy that was kept in place of it.  What begins where the object's header
 * lies are functions that the linker left out.  The count cannot change: at the end the last one is repeated. */
static void disjoin(struct range *range, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        struct range next = range[i];
        if (kept && next.low < range[kept - 1].high)
            next.low = range[kept - 1].high;
        if (next.low != object_base && next.low < next.high)
            range[kept++] = next;
    }
    for (size_t i = kept; kept && i < count; i++)
        range[i] = range[kept - 1];
}

void gl_backtrace_sort(void *base, size_t count, size_t size, compare_fn *compare)
{
    backtrace_qsort(base, count, size, compare);
    if (reading && size == sizeof(struct range))
        disjoin(base, count);
}

static int take_nothing(void *data, uintptr_t pc, const char *file, int line, const char *function)
{
    (void)data, (void)pc, (void)file, (void)line, (void)function;
    return 0;
}

static void no_error(void *data, const char *message, int number)
{
    (void)data, (void)message, (void)number;
}

void gl_units_read(struct backtrace_state *state, uintptr_t base)
{
    reading = true;
    object_base = base;
    /* No unit has code at the end of the address space: this reads the list of units, and no unit's lines. */
    backtrace_pcinfo(state, UINTPTR_MAX - 1, take_nothing, no_error, NULL);
    reading = false;
}
