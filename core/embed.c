/* SPDX-License-Identifier: Apache-2.0
 *
 * The public library (include/goldilocks/goldilocks.h) over the detector interface: other names for the
 * same things, so that the inside may change.
 */
#include "core/detector.h"
#include "goldilocks/goldilocks.h"

_Static_assert((int)GOLDILOCKS_RACE == (int)GL_RACE && (int)GOLDILOCKS_NOMEM == (int)GL_NOMEM &&
                   (int)GOLDILOCKS_INVALID == (int)GL_INVALID && (int)GOLDILOCKS_LIMIT == (int)GL_LIMIT,
               "statuses are the same numbers");
_Static_assert((int)GOLDILOCKS_RLX == (int)GL_RLX && (int)GOLDILOCKS_SC == (int)GL_SC, "orders too");

/* A goldilocks is the detector's state; the type only keeps callers from mixing it up. */
static struct gl_state *state(goldilocks *g) { return (struct gl_state *)g; }

goldilocks *goldilocks_create(const struct goldilocks_env *env)
{
    if (env->size < sizeof *env)
        return NULL; /* compiled against an older header than this, which had less */
    struct gl_env inner = {.ctx = env->ctx, .map = env->map, .unmap = env->unmap, .pause = env->pause, .fence = NULL};
    return (goldilocks *)gl_detector_goldilocks.create(&inner);
}

void goldilocks_destroy(goldilocks *g)
{
    gl_detector_goldilocks.destroy(state(g));
}

static enum goldilocks_status feed(goldilocks *g, const struct gl_event *e, struct goldilocks_report *report)
{
    struct gl_race race;
    gl_status status = gl_detector_goldilocks.event(state(g), e, &race);
    if (status == GL_RACE && report)
        *report = (struct goldilocks_report){.bytes = race.bytes,
                                             .then_thread = race.then.thread,
                                             .then_site = race.then.site,
                                             .then_is_write = race.then.write,
                                             .then_is_atomic = race.then.atomic};
    return (enum goldilocks_status)status;
}

enum goldilocks_status goldilocks_read(goldilocks *g, uint32_t thread, uint64_t addr, uint32_t size, uint32_t site,
                                       struct goldilocks_report *report)
{
    return feed(g, &(struct gl_event){.op = GL_OP_READ, .thread = thread, .object = addr, .size = size, .site = site}, report);
}

enum goldilocks_status goldilocks_write(goldilocks *g, uint32_t thread, uint64_t addr, uint32_t size, uint32_t site,
                                        struct goldilocks_report *report)
{
    return feed(g, &(struct gl_event){.op = GL_OP_WRITE, .thread = thread, .object = addr, .size = size, .site = site}, report);
}

enum goldilocks_status goldilocks_fresh(goldilocks *g, uint32_t thread, uint64_t addr, uint32_t size)
{
    return feed(g, &(struct gl_event){.op = GL_OP_ALLOC, .thread = thread, .object = addr, .size = size}, NULL);
}

enum goldilocks_status goldilocks_sync(goldilocks *g, uint32_t thread, enum goldilocks_sync_op op, uint64_t object)
{
    static const unsigned char ops[] = {
        [GOLDILOCKS_ACQUIRE] = GL_OP_ACQ,           [GOLDILOCKS_RELEASE] = GL_OP_REL,
        [GOLDILOCKS_WAIT_BEGIN] = GL_OP_CWAIT_BEGIN, [GOLDILOCKS_WAIT_END] = GL_OP_CWAIT_END,
        [GOLDILOCKS_RDLOCK] = GL_OP_RDLOCK,         [GOLDILOCKS_RDUNLOCK] = GL_OP_RDUNLOCK,
        [GOLDILOCKS_WRLOCK] = GL_OP_WRLOCK,         [GOLDILOCKS_WRUNLOCK] = GL_OP_WRUNLOCK,
        [GOLDILOCKS_VOLREAD] = GL_OP_VOLREAD,       [GOLDILOCKS_VOLWRITE] = GL_OP_VOLWRITE,
        [GOLDILOCKS_BARRIER_IN] = GL_OP_BAR_IN,     [GOLDILOCKS_BARRIER_OUT] = GL_OP_BAR_OUT,
        [GOLDILOCKS_POST] = GL_OP_POST,             [GOLDILOCKS_SEM_WAIT] = GL_OP_WAIT,
        [GOLDILOCKS_FORK] = GL_OP_FORK,             [GOLDILOCKS_JOIN] = GL_OP_JOIN,
        [GOLDILOCKS_END] = GL_OP_END,
    };
    if ((unsigned)op >= sizeof ops)
        return GOLDILOCKS_INVALID;
    return feed(g, &(struct gl_event){.op = (enum gl_op)ops[op], .thread = thread, .object = object}, NULL);
}

enum goldilocks_status goldilocks_atomic(goldilocks *g, uint32_t thread, enum goldilocks_atomic_op op, uint64_t object,
                                         uint32_t size, enum goldilocks_order order, uint32_t site,
                                         struct goldilocks_report *report)
{
    static const unsigned char ops[] = {GL_OP_LOAD, GL_OP_STORE, GL_OP_RMW};
    if ((unsigned)op >= sizeof ops || (unsigned)order > GOLDILOCKS_SC)
        return GOLDILOCKS_INVALID;
    return feed(g,
                &(struct gl_event){.op = (enum gl_op)ops[op],
                                   .order = (enum gl_order)order,
                                   .thread = thread,
                                   .object = object,
                                   .size = size,
                                   .site = site},
                report);
}

enum goldilocks_status goldilocks_fence(goldilocks *g, uint32_t thread, enum goldilocks_order order)
{
    if ((unsigned)order > GOLDILOCKS_SC)
        return GOLDILOCKS_INVALID;
    return feed(g, &(struct gl_event){.op = GL_OP_FENCE, .order = (enum gl_order)order, .thread = thread}, NULL);
}

const char *goldilocks_status_message(enum goldilocks_status status)
{
    return gl_status_message((gl_status)status);
}
