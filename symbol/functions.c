/* SPDX-License-Identifier: Apache-2.0
 *
 * .eh_frame_hdr and .eh_frame, as the Linux Standard Base (Core, 10.6) has them.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dl_iterate_phdr */
#endif
#include "symbol/functions.h"

#include <link.h>
#include <string.h>

/* DW_EH_PE_...: how addresses are written. */
enum { UDATA4 = 0x03, SDATA4 = 0x0b, RELATIVE = 0x10 /* to where it stands */, TO_TABLE = 0x30 };

struct tour {
    uintptr_t address;
    gl_code_visit *visit;
    void *ctx;
    bool begun;
};

static int visit_next(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    struct tour *t = data;
    const char *path = t->begun ? info->dlpi_name : "/proc/self/exe"; /* the first is the executable, whose name is empty */
    struct gl_code code = {0};
    unsigned parts = 0;
    t->begun = true;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
        uintptr_t at = info->dlpi_addr + ph->p_vaddr;
        if (ph->p_type == PT_GNU_EH_FRAME) {
            code.table = (const uint8_t *)at;
            code.table_size = ph->p_memsz;
        }
        if (ph->p_type != PT_LOAD)
            continue;
        code.holds = code.holds || t->address - at < ph->p_memsz;
        if (!(ph->p_flags & PF_X) || !(ph->p_flags & PF_R))
            continue;
        parts++;
        code.lo = at;
        code.hi = at + ph->p_filesz;
    }
    if (parts > 1)
        code.table = NULL;
    if (parts && strchr(path, '/')) /* the vdso has a name and no file */
        t->visit(t->ctx, path, &code);
    return 0;
}

void gl_code_each(uintptr_t address, gl_code_visit *visit, void *ctx)
{
    struct tour t = {address, visit, ctx, false};
    dl_iterate_phdr(visit_next, &t);
}

static int32_t read4(const uint8_t *p)
{
    int32_t value;
    memcpy(&value, p, sizeof value);
    return value;
}

static const uint8_t *skip_number(const uint8_t *p) /* LEB128 */
{
    while (*p++ & 0x80)
        ;
    return p;
}

/* Does the entry's CIE say that addresses are 4 bytes, relative to where they stand? */
static bool usual(const uint8_t *entry)
{
    const uint8_t *cie = entry + 4 - read4(entry + 4), *p = cie + 9;
    const char *augmentation = (const char *)p;
    if (cie[8] != 1 || augmentation[0] != 'z')
        return false;
    p += strlen(augmentation) + 1;
    for (int i = 0; i < 4; i++) /* alignment of code and of data, the register of the return address, the length of what follows */
        p = skip_number(p);
    for (const char *a = augmentation + 1; *a; a++) {
        if (*a == 'R')
            return *p == (RELATIVE | SDATA4);
        if (*a == 'L')
            p++;
        else if (*a == 'P')
            p += 1 + ((*p & 7) == UDATA4 ? 4 : 8);
        else if (*a != 'S' && *a != 'B')
            return false;
    }
    return false;
}

bool gl_functions_each(const struct gl_code *code, gl_function_visit *visit, void *ctx)
{
    const uint8_t *t = code->table;
    if (!t || code->table_size < 12 || t[0] != 1 || t[1] != (RELATIVE | SDATA4) || t[2] != UDATA4 || t[3] != (TO_TABLE | SDATA4))
        return false;
    size_t count = (uint32_t)read4(t + 8);
    if (count > (code->table_size - 12) / 8)
        return false;
    uintptr_t end = code->lo;
    for (size_t i = 0; i < count; i++) {
        uintptr_t at = (uintptr_t)t + (uintptr_t)(intptr_t)read4(t + 12 + 8 * i);
        const uint8_t *entry = t + read4(t + 16 + 8 * i);
        if (!usual(entry))
            return false;
        size_t size = (uint32_t)read4(entry + 12);
        if (at < end || at > code->hi || size > code->hi - at)
            continue; /* of another segment, or it overlaps the one before */
        if (size)
            visit(ctx, at, size);
        end = at + size;
    }
    return true;
}
