/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads tables of dynamic symbols where the linker mapped them.  Their length stands only in the hash tables: DT_HASH says it,
 * of DT_GNU_HASH it is the end of the last chain.  Where an object defines no symbol for others that has none, and says nothing of how many come before;
 * relocations name those then.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dl_iterate_phdr */
#endif
#include "symbol/dynamic.h"

#include <link.h>
#include <stddef.h>
#include <string.h>

struct search {
    uintptr_t pc, or_holds;
    const char *symbol;
    bool found;
};

static bool holds(const struct dl_phdr_info *info, uintptr_t a)
{
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
        if (ph->p_type == PT_LOAD && a - info->dlpi_addr >= ph->p_vaddr && a - info->dlpi_addr - ph->p_vaddr < ph->p_memsz)
            return true;
    }
    return false;
}

/* Symbols in a table with this GNU hash.  Those before `first` (which are the undefined ones) are not in it. */
static size_t count_gnu(const uint32_t *hash)
{
    uint32_t buckets = hash[0], first = hash[1], last = first;
    const uint32_t *bucket = (const uint32_t *)((const uintptr_t *)(hash + 4) + hash[2]), *chain = bucket + buckets;
    bool any = false;
    for (uint32_t i = 0; i < buckets; i++) {
        any = any || bucket[i];
        last = bucket[i] > last ? bucket[i] : last;
    }
    if (!any)
        return first;
    while (!(chain[last - first] & 1))
        last++;
    return last + 1;
}

/* Symbols up to the last one that one of these relocations is about. */
static size_t count_used(const ElfW(Rela) *r, size_t bytes)
{
    size_t count = 0;
    for (const ElfW(Rela) *end = r + bytes / sizeof *r; r < end; r++)
        count = ELF64_R_SYM(r->r_info) >= count ? ELF64_R_SYM(r->r_info) + 1 : count;
    return count;
}

static bool has_symbol(const ElfW(Dyn) *dynamic, uintptr_t base, const char *symbol)
{
    const ElfW(Sym) *table = NULL;
    const char *names = NULL;
    const ElfW(Rela) *data = NULL, *calls = NULL;
    size_t count = 0, data_bytes = 0, calls_bytes = 0;
    for (const ElfW(Dyn) *d = dynamic; d->d_tag != DT_NULL; d++) {
        /* glibc has added the base already, but for objects that may not be written (the vdso). */
        uintptr_t p = d->d_un.d_ptr < base ? d->d_un.d_ptr + base : d->d_un.d_ptr;
        if (d->d_tag == DT_SYMTAB)
            table = (const ElfW(Sym) *)p;
        else if (d->d_tag == DT_STRTAB)
            names = (const char *)p;
        else if (d->d_tag == DT_HASH && !count)
            count = ((const uint32_t *)p)[1];
        else if (d->d_tag == DT_GNU_HASH)
            count = count_gnu((const uint32_t *)p);
        else if (d->d_tag == DT_RELA)
            data = (const ElfW(Rela) *)p;
        else if (d->d_tag == DT_RELASZ)
            data_bytes = d->d_un.d_val;
        else if (d->d_tag == DT_JMPREL)
            calls = (const ElfW(Rela) *)p;
        else if (d->d_tag == DT_PLTRELSZ)
            calls_bytes = d->d_un.d_val;
    }
    if (count <= 1) {
        size_t of_data = count_used(data, data ? data_bytes : 0), of_calls = count_used(calls, calls ? calls_bytes : 0);
        count = of_data > of_calls ? of_data : of_calls;
    }
    for (size_t i = 0; table && names && i < count; i++)
        if (strcmp(names + table[i].st_name, symbol) == 0)
            return true;
    return false;
}

static bool object_has_symbol(const struct dl_phdr_info *info, const char *symbol)
{
    for (unsigned i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            return has_symbol((const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr), info->dlpi_addr, symbol);
    return false;
}

/* Called by the linker for each object, under its lock.  Non-zero stops. */
static int visit(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    struct search *s = data;
    if (!holds(info, s->pc))
        return 0;
    s->found = holds(info, s->or_holds) || object_has_symbol(info, s->symbol);
    return 1;
}

bool gl_module_needs(uintptr_t pc, const char *symbol, uintptr_t or_holds)
{
    struct search s = {pc, or_holds, symbol, false};
    dl_iterate_phdr(visit, &s);
    return s.found;
}

struct tour {
    const char *symbol;
    uintptr_t address;
    gl_module_visit *visit;
    void *ctx;
    bool begun;
};

static int visit_next(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    struct tour *t = data;
    const char *path = t->begun ? info->dlpi_name : "/proc/self/exe"; /* the first is the executable, whose name is empty */
    t->begun = true;
    if (strchr(path, '/')) /* the vdso has a name and no file */
        t->visit(t->ctx, path, object_has_symbol(info, t->symbol), holds(info, t->address));
    return 0;
}

void gl_modules_each(const char *symbol, uintptr_t address, gl_module_visit *visit, void *ctx)
{
    struct tour t = {symbol, address, visit, ctx, false};
    dl_iterate_phdr(visit_next, &t);
}

/* ---- where it lies ---- */

static struct gl_module_loaded loaded(const struct dl_phdr_info *info)
{
    uintptr_t lo = UINTPTR_MAX, hi = 0;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
        uintptr_t from = info->dlpi_addr + ph->p_vaddr, to = from + ph->p_memsz;
        if (ph->p_type != PT_LOAD)
            continue;
        lo = from < lo ? from : lo;
        hi = to > hi ? to : hi;
    }
    return (struct gl_module_loaded){lo, hi > lo ? hi - lo : 0, info->dlpi_adds};
}

struct one {
    uintptr_t pc;
    struct gl_module_loaded *out;
};

static int visit_one(struct dl_phdr_info *info, size_t size, void *one)
{
    (void)size;
    struct one *o = one;
    if (!holds(info, o->pc))
        return 0;
    *o->out = loaded(info);
    return 1;
}

bool gl_module_loaded(uintptr_t pc, struct gl_module_loaded *out)
{
    struct one o = {pc, out};
    return dl_iterate_phdr(visit_one, &o) != 0;
}

bool gl_module_span(uintptr_t pc, uintptr_t *lo, size_t *size)
{
    struct gl_module_loaded m;
    if (!gl_module_loaded(pc, &m))
        return false;
    *lo = m.lo;
    *size = m.size;
    return true;
}

struct list {
    size_t skip, max, n;
    struct gl_module_loaded *out;
};

static int visit_list(struct dl_phdr_info *info, size_t size, void *list)
{
    (void)size;
    struct list *l = list;
    if (l->n == l->max)
        return 1;
    if (l->skip)
        l->skip--;
    else
        l->out[l->n++] = loaded(info);
    return 0;
}

size_t gl_modules_loaded(size_t from, struct gl_module_loaded *out, size_t max)
{
    struct list l = {from, max, 0, out};
    dl_iterate_phdr(visit_list, &l);
    return l.n;
}
