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

#include "platform/platform.h"

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

/* What an object's dynamic section names. */
struct tables {
    const ElfW(Sym) *symbols;
    const char *names;
    const ElfW(Rela) *data, *calls;
    size_t data_bytes, calls_bytes, relative; /* of `data`, the relocations at its head that name no symbol */
    size_t hashed;                            /* symbols, as a hash table says */
    const uint32_t *gnu_hash;
};

static struct tables read_tables(const struct dl_phdr_info *info)
{
    struct tables t = {0};
    const ElfW(Dyn) *d = NULL;
    for (unsigned i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            d = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    for (; d && d->d_tag != DT_NULL; d++) {
        /* glibc has added the base already, but for objects that may not be written (the vdso). */
        uintptr_t p = d->d_un.d_ptr < info->dlpi_addr ? d->d_un.d_ptr + info->dlpi_addr : d->d_un.d_ptr;
        if (d->d_tag == DT_SYMTAB)
            t.symbols = (const ElfW(Sym) *)p;
        else if (d->d_tag == DT_STRTAB)
            t.names = (const char *)p;
        else if (d->d_tag == DT_HASH)
            t.hashed = ((const uint32_t *)p)[1];
        else if (d->d_tag == DT_GNU_HASH)
            t.gnu_hash = (const uint32_t *)p;
        else if (d->d_tag == DT_RELA)
            t.data = (const ElfW(Rela) *)p;
        else if (d->d_tag == DT_RELASZ)
            t.data_bytes = d->d_un.d_val;
        else if (d->d_tag == DT_RELACOUNT)
            t.relative = d->d_un.d_val;
        else if (d->d_tag == DT_JMPREL)
            t.calls = (const ElfW(Rela) *)p;
        else if (d->d_tag == DT_PLTRELSZ)
            t.calls_bytes = d->d_un.d_val;
    }
    return t;
}

static bool object_has_symbol(const struct dl_phdr_info *info, const char *symbol)
{
    struct tables t = read_tables(info);
    size_t count = t.gnu_hash ? count_gnu(t.gnu_hash) : t.hashed;
    if (count <= 1) {
        size_t of_data = count_used(t.data, t.data ? t.data_bytes : 0), of_calls = count_used(t.calls, t.calls ? t.calls_bytes : 0);
        count = of_data > of_calls ? of_data : of_calls;
    }
    for (size_t i = 0; t.symbols && t.names && i < count; i++)
        if (strcmp(t.names + t.symbols[i].st_name, symbol) == 0)
            return true;
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

/* ---- what the executable calls ---- */

#if defined(__aarch64__)
enum { OF_CALL = R_AARCH64_JUMP_SLOT, OF_ADDRESS = R_AARCH64_GLOB_DAT };
#else
enum { OF_CALL = R_X86_64_JUMP_SLOT, OF_ADDRESS = R_X86_64_GLOB_DAT };
#endif

static bool constants_of(const struct dl_phdr_info *info, uintptr_t *lo, uintptr_t *hi)
{
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
        if (ph->p_type != PT_GNU_RELRO)
            continue;
        *lo = info->dlpi_addr + ph->p_vaddr;
        *hi = (*lo + ph->p_memsz) & -gl_os_page_size(); /* the linker leaves a page at the end alone that others are in */
        return *lo < *hi;
    }
    return false;
}

struct calls {
    gl_slot_visit *visit;
    void *ctx;
};

static void visit_slots(const struct dl_phdr_info *info, const struct tables *t, const ElfW(Rela) *r, size_t n, const struct calls *c)
{
    uintptr_t lo = 0, hi = 0;
    constants_of(info, &lo, &hi);
    for (const ElfW(Rela) *end = r + n; r < end; r++) {
        const ElfW(Sym) *symbol = &t->symbols[ELF64_R_SYM(r->r_info)];
        if ((ELF64_R_TYPE(r->r_info) != OF_CALL && ELF64_R_TYPE(r->r_info) != OF_ADDRESS) || symbol->st_shndx != SHN_UNDEF || r->r_addend)
            continue;
        uintptr_t at = info->dlpi_addr + r->r_offset;
        struct gl_slot slot = {(uintptr_t *)at, at >= lo && at < hi};
        c->visit(c->ctx, t->names + symbol->st_name, &slot);
    }
}

/* The first is the executable. */
static int visit_calls(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    struct tables t = read_tables(info);
    if (t.symbols && t.names && t.calls)
        visit_slots(info, &t, t.calls, t.calls_bytes / sizeof *t.calls, data);
    size_t n = t.data ? t.data_bytes / sizeof *t.data : 0;
    if (t.symbols && t.names && t.relative < n)
        visit_slots(info, &t, t.data + t.relative, n - t.relative, data);
    return 1;
}

void gl_program_slots(gl_slot_visit *visit, void *ctx)
{
    struct calls c = {visit, ctx};
    dl_iterate_phdr(visit_calls, &c);
}

struct range {
    uintptr_t pc, *lo, *hi;
    bool found;
};

static int visit_constants(struct dl_phdr_info *info, size_t size, void *range)
{
    (void)size;
    struct range *r = range;
    if (!holds(info, r->pc))
        return 0;
    r->found = constants_of(info, r->lo, r->hi);
    return 1;
}

bool gl_module_constants(uintptr_t pc, uintptr_t *lo, uintptr_t *hi)
{
    struct range r = {pc, lo, hi, false};
    dl_iterate_phdr(visit_constants, &r);
    return r.found;
}

/* ---- what it defines ---- */

struct wanted {
    uintptr_t pc;
    const char *const *names;
    size_t count;
    gl_defined_visit *visit;
    void *ctx;
};

static uint32_t gnu_hash(const char *name)
{
    uint32_t h = 5381;
    for (const unsigned char *s = (const unsigned char *)name; *s; s++)
        h = h * 33 + *s;
    return h;
}

static void visit_name(const struct dl_phdr_info *info, const struct tables *t, const char *name, const struct wanted *w)
{
    const uint32_t *hash = t->gnu_hash, buckets = hash[0], first = hash[1], h = gnu_hash(name);
    const uint32_t *bucket = (const uint32_t *)((const uintptr_t *)(hash + 4) + hash[2]), *chain = bucket + buckets;
    for (uint32_t i = buckets ? bucket[h % buckets] : 0; i >= first && i; i++) {
        const ElfW(Sym) *symbol = &t->symbols[i];
        bool function = ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_shndx != SHN_UNDEF && symbol->st_size;
        if ((chain[i - first] | 1) == (h | 1) && function && strcmp(t->names + symbol->st_name, name) == 0)
            w->visit(w->ctx, info->dlpi_addr + symbol->st_value, symbol->st_size);
        if (chain[i - first] & 1)
            break;
    }
}

static int visit_defined(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    const struct wanted *w = data;
    if (!holds(info, w->pc))
        return 0;
    struct tables t = read_tables(info);
    for (size_t i = 0; t.symbols && t.names && t.gnu_hash && i < w->count; i++)
        visit_name(info, &t, w->names[i], w);
    return 1;
}

void gl_module_functions(uintptr_t pc, const char *const *names, size_t count, gl_defined_visit *visit, void *ctx)
{
    struct wanted w = {pc, names, count, visit, ctx};
    dl_iterate_phdr(visit_defined, &w);
}
