/* SPDX-License-Identifier: Apache-2.0
 *
 * See stream.h.
 */
#define _GNU_SOURCE
#include "cli/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { STEP = 1 << 20 /* bytes of memory that come and go together */ };
static const size_t most = (size_t)1 << 45, least = (size_t)1 << 32; /* bytes of address space */

static void *reserve(void *at, size_t bytes, int protection, int flags)
{
    return mmap(at, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
}

/* One more step of memory: the first one that nobody looks at any more, or a new one. */
static bool back(struct gl_stream *s)
{
    char *to = s->at + s->backed;
    if (s->room - s->backed < STEP) {
        errno = EFBIG;
        return false;
    }
    void *got;
    if (s->released - s->begin >= STEP) {
        got = mremap(s->at + s->begin, STEP, STEP, MREMAP_MAYMOVE | MREMAP_FIXED, to);
        s->begin += got != MAP_FAILED ? STEP : 0;
    } else {
        got = reserve(to, STEP, PROT_READ | PROT_WRITE, MAP_FIXED);
    }
    if (got == MAP_FAILED)
        return false;
    s->backed += STEP;
    return true;
}

static bool more(void *ctx, size_t *size)
{
    struct gl_stream *s = ctx;
    ssize_t got = -1;
    if (s->come < s->backed || back(s)) {
        do
            got = read(s->fd, s->at + s->come, s->backed - s->come);
        while (got < 0 && errno == EINTR);
    }
    if (got < 0) {
        s->error = errno;
        return false;
    }
    *size = s->come += (size_t)got;
    return true;
}

static void release(void *ctx, size_t n)
{
    struct gl_stream *s = ctx;
    s->released = n;
    while (s->released - s->begin >=
           4 * STEP) { /* a long line or section has passed: it is not kept for the next one */
        reserve(s->at + s->begin, STEP, PROT_NONE, MAP_FIXED);
        s->begin += STEP;
    }
}

bool gl_stream_open(struct gl_stream *s, int fd)
{
    *s = (struct gl_stream){.fd = fd, .trace = {.ctx = s, .more = more, .release = release}};
    void *at;
    s->room = most;
    while ((at = reserve(NULL, s->room, PROT_NONE, 0)) == MAP_FAILED && s->room > least)
        s->room /= 2;
    if (at == MAP_FAILED)
        return false;
    s->at = at;
    s->trace.bytes = at;
    (void)fcntl(fd, F_SETPIPE_SZ, STEP); /* fewer turns; not every pipe may */
    return true;
}

void gl_stream_close(struct gl_stream *s)
{
    if (s->at)
        munmap(s->at + s->begin,
               s->room - s->begin); /* what was moved away before may belong to others now */
    s->at = NULL;
}
