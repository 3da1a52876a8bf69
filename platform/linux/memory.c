/* SPDX-License-Identifier: Apache-2.0
 *
 * Pages from the kernel and back.  Knows mmap's flags; keeps no state.
 */
#include "platform/platform.h"

#include <errno.h>
#include <linux/mman.h>
#include <string.h>

#include "platform/linux/syscall.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

enum {
    PROT_RW = 3,     /* PROT_READ | PROT_WRITE */
    MADVISE_DONTNEED = 4,
    MADVISE_HUGEPAGE = 14,
    MADVISE_NOHUGEPAGE = 15,
    MADVISE_DONTDUMP = 16,
    MADVISE_POPULATE_WRITE = 23,
    PRIVATE_ANONYMOUS = 0x22, /* MAP_PRIVATE | MAP_ANONYMOUS: the same on every machine we know */
    NORESERVE = 0x4000
};

void *gl_os_map(size_t bytes)
{
    long p = gl_syscall6(SYS_mmap, 0, (long)bytes, PROT_RW, PRIVATE_ANONYMOUS, -1, 0);
    return gl_syscall_failed(p) ? NULL : (void *)p;
}

bool gl_os_map_at(uintptr_t at, size_t bytes)
{
    long flags = PRIVATE_ANONYMOUS | NORESERVE | MAP_FIXED_NOREPLACE;
    long p = gl_syscall6(SYS_mmap, (long)at, (long)bytes, PROT_RW, flags, -1, 0);
    if (gl_syscall_failed(p))
        return false;
    if ((uintptr_t)p != at) {
        /* A kernel before 4.17 does not know the flag and takes the address for a hint. */
        gl_os_unmap((void *)p, bytes);
        return false;
    }
    /* A core dump of sparse terabytes helps nobody.  Where the advice is refused only dumps grow. */
    gl_syscall3(SYS_madvise, at, bytes, MADVISE_DONTDUMP);
    return true;
}

void *gl_os_map_near(uintptr_t place, size_t bytes)
{
    const uintptr_t first = 2u << 20, step = 16u << 20, most = 1u << 30;
    long flags = PRIVATE_ANONYMOUS | MAP_FIXED_NOREPLACE;
    /* The first is below an executable at 4 MiB; above it would be the heap's way. */
    for (uintptr_t by = first; by <= most; by = by == first ? step : by + step)
        for (int below = 1; below >= (by == first); below--) {
            uintptr_t at = (below ? place - by : place + by) & ~(uintptr_t)0xffff;
            long p = gl_syscall6(SYS_mmap, (long)at, (long)bytes, PROT_RW, flags, -1, 0);
            if (gl_syscall_failed(p))
                continue;
            if ((uintptr_t)p == at)
                return (void *)p;
            gl_os_unmap((void *)p, bytes); /* as in gl_os_map_at() */
        }
    return NULL;
}

bool gl_os_code_open(uintptr_t p, size_t bytes)
{
    return !gl_syscall_failed(gl_syscall3(SYS_mprotect, p, bytes, PROT_READ | PROT_WRITE | PROT_EXEC));
}

bool gl_os_code_close(uintptr_t p, size_t bytes)
{
    return !gl_syscall_failed(gl_syscall3(SYS_mprotect, p, bytes, PROT_READ | PROT_EXEC));
}

bool gl_os_data_open(uintptr_t p, size_t bytes)
{
    return !gl_syscall_failed(gl_syscall3(SYS_mprotect, p, bytes, PROT_RW));
}

bool gl_os_data_close(uintptr_t p, size_t bytes)
{
    return !gl_syscall_failed(gl_syscall3(SYS_mprotect, p, bytes, PROT_READ));
}

bool gl_os_is_mapped(uintptr_t page)
{
    unsigned char there;
    return gl_syscall3(SYS_mincore, page, 1, &there) == 0;
}

/* The kernel reads the set before it finds that it knows no such thing to do with it.  At address 0 there is none for it, whether one could be read or not. */
static bool reads(uintptr_t page)
{
    return gl_syscall4(SYS_rt_sigprocmask, -1, page + 8, 0, 8) != -EFAULT;
}

bool gl_os_is_readable(uintptr_t p, size_t bytes)
{
    uintptr_t pages = ((p & 4095) + bytes + 4095) / 4096;
    for (p &= ~4095ul; pages; pages--, p += 4096)
        if (!reads(p))
            return false;
    return true;
}

void gl_os_unmap(void *p, size_t bytes)
{
    gl_syscall2(SYS_munmap, p, bytes);
}

void gl_os_discard(uintptr_t p, size_t bytes)
{
    /* The kernel refuses for locked pages (mlockall): they stay resident then, but still become zero. */
    if (gl_syscall3(SYS_madvise, p, bytes, MADVISE_DONTNEED) != 0)
        memset((void *)p, 0, bytes);
}

void gl_os_unneeded(uintptr_t p, size_t bytes)
{
    gl_syscall3(SYS_madvise, p, bytes, MADVISE_DONTNEED); /* refused for locked pages, which stay */
}

void gl_os_populate(uintptr_t p, size_t bytes)
{
    gl_syscall3(SYS_madvise, p, bytes, MADVISE_POPULATE_WRITE); /* from Linux 5.14 on; else they get it one by one, as ever */
}

void gl_os_huge_pages(uintptr_t p, size_t bytes, bool want)
{
    gl_syscall3(SYS_madvise, p, bytes, want ? MADVISE_HUGEPAGE : MADVISE_NOHUGEPAGE);
}

size_t gl_os_page_size(void)
{
#if defined(__x86_64__)
    return 4096;
#else
    static size_t known; /* every thread computes the same value: relaxed is enough */
    size_t size = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (size)
        return size;
    unsigned long auxv[128]; /* pairs of type and value; type 6 is AT_PAGESZ */
    size = 4096;
    long n = gl_os_read_file("/proc/self/auxv", (char *)auxv, sizeof auxv);
    for (long i = 0; i + 2 <= n / (long)sizeof *auxv; i += 2)
        if (auxv[i] == 6)
            size = auxv[i + 1];
    __atomic_store_n(&known, size, __ATOMIC_RELAXED);
    return size;
#endif
}
