/* SPDX-License-Identifier: Apache-2.0
 *
 * Follows the dynamic linker.  dl_iterate_phdr() counts loads and unloads; while both numbers stand
 * still, so does our table.  When one moved the table is read anew; a record survives when its
 * identity is unchanged, so that what was read of its debug information is not read again.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dl_iterate_phdr */
#endif
#include "symbol/modules.h"

#include <link.h>
#include <stddef.h>
#include <string.h>

#include "platform/platform.h"
#include "symbol/intern.h"

struct segment {
    uintptr_t lo, hi;
    bool exec;
    struct gl_module *module;
};

/* All guarded by the symbolizer's lock. */
static struct gl_module *loaded;
static struct segment *segment;
static size_t segments, segments_cap;
static unsigned long long adds, subs; /* the linker's counts at the last refresh */
static bool complete;                 /* the table was read to its end with these counts */
static uint32_t last_id;
static const char *executable;        /* its path */

static uint64_t hash_bytes(uint64_t hash, const void *p, size_t n)
{
    const unsigned char *s = p;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ s[i]) * 1099511628211ull; /* FNV-1a */
    return hash;
}

static bool is_loaded(const struct dl_phdr_info *info, uintptr_t vaddr, size_t n)
{
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
        if (ph->p_type == PT_LOAD && (ph->p_flags & PF_R) && vaddr >= ph->p_vaddr && n <= ph->p_filesz &&
            vaddr - ph->p_vaddr <= ph->p_filesz - n)
            return true;
    }
    return false;
}

static uint64_t identity_of(const struct dl_phdr_info *info, const char *path)
{
    uint64_t hash = hash_bytes(14695981039346656037ull, path, strlen(path));
    hash = hash_bytes(hash, &info->dlpi_addr, sizeof info->dlpi_addr);
    hash = hash_bytes(hash, info->dlpi_phdr, info->dlpi_phnum * sizeof *info->dlpi_phdr);
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
        /* Notes hold the build id, which tells a rebuilt plugin from the old one at the same place. */
        if (ph->p_type == PT_NOTE && ph->p_filesz < 4096 && is_loaded(info, ph->p_vaddr, ph->p_filesz))
            hash = hash_bytes(hash, (const void *)(info->dlpi_addr + ph->p_vaddr), ph->p_filesz);
    }
    return hash;
}

static const char *path_of(const struct dl_phdr_info *info)
{
    if (info->dlpi_name && info->dlpi_name[0])
        return gl_intern_locked(info->dlpi_name, strlen(info->dlpi_name));
    if (!executable) {
        char path[4096];
        long n = gl_os_readlink(gl_os_executable(), path, sizeof path);
        executable = n > 0 ? gl_intern_locked(path, (size_t)n) : "/proc/self/exe";
    }
    return executable;
}

static struct gl_module *record_of(const struct dl_phdr_info *info)
{
    const char *path = path_of(info);
    if (!path)
        return NULL;
    uint64_t identity = identity_of(info, path);
    for (struct gl_module *m = loaded; m; m = m->next)
        if (m->identity == identity)
            return m;
    struct gl_module *m = gl_arena_alloc(sizeof *m);
    if (!m)
        return NULL;
    m->path = path;
    m->executable = path == executable;
    m->base = info->dlpi_addr;
    m->identity = identity;
    m->id = ++last_id;
    m->next = loaded;
    loaded = m;
    return m;
}

static bool add_segment(struct segment s)
{
    if (segments == segments_cap) {
        size_t cap = segments_cap ? segments_cap * 2 : 128;
        struct segment *bigger = gl_arena_alloc(cap * sizeof *bigger);
        if (!bigger)
            return false;
        if (segments)
            memcpy(bigger, segment, segments * sizeof *segment);
        gl_arena_free(segment, segments_cap * sizeof *segment);
        segment = bigger;
        segments_cap = cap;
    }
    segment[segments++] = s;
    return true;
}

struct refresh {
    bool started;
};

/* Called by the linker for each object, under its lock.  Non-zero stops. */
static int visit(struct dl_phdr_info *info, size_t size, void *data)
{
    struct refresh *r = data;
    if (!r->started) {
        bool counted = size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs;
        if (complete && counted && info->dlpi_adds == adds && info->dlpi_subs == subs)
            return 1;
        r->started = true;
        complete = true;
        adds = counted ? info->dlpi_adds : 0;
        subs = counted ? info->dlpi_subs : 0;
        segments = 0;
        for (struct gl_module *m = loaded; m; m = m->next)
            m->seen = false;
    }
    struct gl_module *m = record_of(info);
    if (!m) {
        complete = false; /* no memory: known in part, and tried again next time */
        return 0;
    }
    m->seen = true;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
        if (ph->p_type != PT_LOAD)
            continue;
        uintptr_t lo = info->dlpi_addr + ph->p_vaddr;
        if (!add_segment((struct segment){lo, lo + ph->p_memsz, (ph->p_flags & PF_X) != 0, m}))
            complete = false;
    }
    return 0;
}

static void refresh(void)
{
    struct refresh r = {false};
    dl_iterate_phdr(visit, &r);
    if (!r.started)
        return;
    for (struct gl_module **link = &loaded; *link;) {
        if ((*link)->seen)
            link = &(*link)->next;
        else
            *link = (*link)->next;
    }
}

struct gl_module *gl_module_at_locked(uintptr_t addr, bool *exec)
{
    refresh();
    for (size_t i = 0; i < segments; i++)
        if (addr >= segment[i].lo && addr < segment[i].hi) {
            *exec = segment[i].exec;
            return segment[i].module;
        }
    return NULL;
}
