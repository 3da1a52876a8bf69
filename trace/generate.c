/* SPDX-License-Identifier: Apache-2.0
 *
 * Draws what happens next: whose turn it is, and which family of operations.  generate_steps.c makes it happen.
 *
 * A family's share of the events is kept although many steps cannot be what was drawn (a lock is busy: its holder runs
 * and gives it up; a condition wait needs a lock first): an event that was not drawn is a debt of its family, and a
 * draw of a family in debt pays for it and is drawn again.
 */
#include <string.h>

#include "trace/generate_state.h"
#include "trace/text.h"

enum { ADDRESSES_AT = 0x10000000, SLOT = 8, PATIENCE = 8, WEIGHT_MAX = 1000000 };

static const char *const family_names[] = {
#define X(family, name, sentence) name,
    GL_FAMILIES(X)
#undef X
};
static const char *const family_sentences[] = {
#define X(family, name, sentence) sentence,
    GL_FAMILIES(X)
#undef X
};
static const char *const topology_names[] = {
#define X(topology, name, sentence) name,
    GL_TOPOLOGIES(X)
#undef X
};
static const char *const topology_sentences[] = {
#define X(topology, name, sentence) sentence,
    GL_TOPOLOGIES(X)
#undef X
};

const char *gl_family_name(enum gl_family f) { return family_names[f]; }
const char *gl_family_sentence(enum gl_family f) { return family_sentences[f]; }
const char *gl_topology_name(enum gl_topology t) { return topology_names[t]; }
const char *gl_topology_sentence(enum gl_topology t) { return topology_sentences[t]; }

/* ---- options ---- */

void gl_generate_usual(struct gl_generate_options *o)
{
    *o = (struct gl_generate_options){
        .events = 10000000,
        .seed = 1,
        .threads = 16,
        .alive = 16,
        .variables = 100000,
        .locks = 100,
        .objects = 8,
        .party = 16,
        .quantum = 16,
        .locations = 1000,
        .weight = {[GL_FAMILY_READ] = 60, [GL_FAMILY_WRITE] = 30, [GL_FAMILY_LOCK] = 10},
    };
}

const char *gl_generate_complaint(const struct gl_generate_options *o)
{
    if (o->events < 1 || o->events > UINT64_C(1000000000000))
        return "the number of events must be from 1 to 10^12";
    if (o->threads < 1 || o->threads > 1u << 24)
        return "the number of threads must be from 1 to 16777216";
    if (o->alive < 1 || o->alive > o->threads)
        return "the number of threads alive at a time must be from 1 to the number of threads";
    if (o->variables < 16 || o->variables > 1u << 28)
        return "the number of variables must be from 16 to 268435456";
    if (o->locks < 1 || o->locks > 1u << 24)
        return "the number of locks must be from 1 to 16777216";
    if (o->objects < 1 || o->objects > 1u << 20)
        return "the number of objects must be from 1 to 1048576";
    if (o->party < 2 || o->party > 1u << 16)
        return "the number of threads at a barrier must be from 2 to 65536";
    if (o->weight[GL_FAMILY_BARRIER] && (uint64_t)o->party * o->objects > 1u << 26)
        return "the threads at a barrier times the barriers must be at most 67108864";
    if (o->quantum < 1 || o->quantum > 1u << 20)
        return "the length of a turn must be from 1 to 1048576 events";
    if (o->locations > 1u << 20)
        return "the number of locations must be at most 1048576";
    if (o->races_per_million > 1000000)
        return "the race rate must be from 0 to 1";
    for (int f = 0; f < GL_FAMILY_COUNT; f++)
        if (o->weight[f] > WEIGHT_MAX)
            return "a weight must be from 0 to 1000000";
    if (!o->weight[GL_FAMILY_READ])
        return "the weight of read must not be 0: a read is what a thread does when nothing else can be done";
    return NULL;
}

/* ---- making it ---- */

/* Zeroed memory until destroy; NULL: none. */
static void *take(struct gl_generator *g, uint64_t count, size_t element)
{
    size_t bytes = (size_t)(count ? count : 1) * element;
    void *at = g->env.map(g->env.ctx, bytes);
    if (at) {
        g->block[g->n_blocks].at = at;
        g->block[g->n_blocks++].bytes = bytes;
    }
    return at;
}

static uint32_t name(struct gl_names *names, enum gl_name_kind kind, const char *prefix, uint32_t i)
{
    char text[24];
    size_t n = gl_text_length(prefix);
    memcpy(text, prefix, n);
    n += gl_decimal(text + n, i);
    return gl_name_number(names, kind, text, n);
}

/* The numbers of new names are i + the first one's; GEN_NONE: no memory. */
static uint32_t name_all(struct gl_names *names, enum gl_name_kind kind, const char *prefix, uint32_t from,
                         uint32_t to)
{
    uint32_t first = name(names, kind, prefix, from), last = first;
    for (uint32_t i = from + 1; i < to && last != GEN_NONE; i++)
        last = name(names, kind, prefix, i);
    return last == GEN_NONE ? GEN_NONE : first;
}

static bool name_variables(struct gl_generator *g, struct gl_names *names)
{
    for (uint32_t i = 0; i < g->o.variables; i++) {
        if (g->o.addresses) {
            g->place[i] = gl_data_of_address(names, ADDRESSES_AT + (uint64_t)SLOT * i);
        } else {
            uint32_t number = name(names, GL_NAME_DATA, "V", i);
            if (number == GEN_NONE)
                return false;
            g->place[i] = gl_data_of_name(names, number);
        }
        if (g->place[i] == UINT64_MAX)
            return false;
    }
    return true;
}

/* Atomics are data of their own, which nobody accesses otherwise. */
static bool name_atomics(struct gl_generator *g, struct gl_names *names)
{
    for (uint32_t i = 0; i < g->o.objects; i++) {
        uint32_t number = name(names, GL_NAME_DATA, "A", i);
        if (number == GEN_NONE || (g->atomics[i].object = gl_data_of_name(names, number)) == UINT64_MAX)
            return false;
    }
    return true;
}

static bool name_everything(struct gl_generator *g, struct gl_names *names)
{
    const struct gl_generate_options *o = &g->o;
    static const struct {
        enum gl_family family;
        enum gl_name_kind kind;
        const char *prefix;
    } other[] = {
        {GL_FAMILY_RWLOCK, GL_NAME_RWLOCK, "R"},
        {GL_FAMILY_VOLATILE, GL_NAME_VOLATILE, "U"},
        {GL_FAMILY_BARRIER, GL_NAME_BARRIER, "B"},
        {GL_FAMILY_SEMAPHORE, GL_NAME_SEMAPHORE, "S"},
    };
    if (name_all(names, GL_NAME_THREAD, "T", 0, o->threads) == GEN_NONE)
        return false;
    if ((o->weight[GL_FAMILY_LOCK] || o->weight[GL_FAMILY_CWAIT]) &&
        name_all(names, GL_NAME_MUTEX, "L", 0, o->locks) == GEN_NONE)
        return false;
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (o->weight[other[i].family] &&
            name_all(names, other[i].kind, other[i].prefix, 0, o->objects) == GEN_NONE)
            return false;
    if (o->locations) {
        g->first_location = name_all(names, GL_NAME_LOCATION, "", 1, o->locations + 1);
        if (g->first_location == GEN_NONE)
            return false;
    }
    return name_variables(g, names) && (!o->weight[GL_FAMILY_ATOMIC] || name_atomics(g, names));
}

/* Variables are shared out among the disciplines that the weights ask for, in sixteenths. */
static void share_variables(struct gl_generator *g)
{
    const struct gl_generate_options *o = &g->o;
    uint32_t sixteenth = o->variables / 16, used = 0;
    struct {
        struct gen_range *range;
        uint32_t sixteenths;
    } shares[] = {
        {&g->constant, 1},
        {&g->transactional, o->weight[GL_FAMILY_COMMIT] ? 1 : 0},
        {&g->rwguarded, o->weight[GL_FAMILY_RWLOCK] ? 2 : 0},
        {&g->guarded, !o->weight[GL_FAMILY_LOCK]         ? 0
                      : o->topology == GL_TOPOLOGY_LOCAL ? 2
                                                         : 6},
    };
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        *shares[i].range = (struct gen_range){used, shares[i].sixteenths * sixteenth};
        used += shares[i].sixteenths * sixteenth;
    }
    g->owned = (struct gen_range){used, o->variables - used};

    uint64_t packs = 2 * (uint64_t)o->alive;
    g->n_packs = packs < g->owned.count ? (uint32_t)packs : g->owned.count;
}

static void make_packs(struct gl_generator *g)
{
    for (uint32_t i = 0; i < g->n_packs; i++) {
        uint32_t first = (uint32_t)((uint64_t)g->owned.count * i / g->n_packs);
        uint32_t end = (uint32_t)((uint64_t)g->owned.count * (i + 1) / g->n_packs);
        g->pack[i] = (struct gen_pack){
            {g->owned.first + first, end - first}, GEN_NONE, i + 1 < g->n_packs ? i + 1 : GEN_NONE};
    }
    g->thread[0].packs = 0;
    g->thread[0].n_packs = g->n_packs;
}

static struct gen_channel *take_channels(struct gl_generator *g, enum gl_family f)
{
    uint32_t n = g->o.weight[f] ? g->o.objects : 0;
    struct gen_channel *c = take(g, n, sizeof *c);
    for (uint32_t i = 0; c && i < n; i++)
        c[i] = (struct gen_channel){.packs = GEN_NONE, .object = i};
    return c;
}

static bool take_rounds(struct gl_generator *g)
{
    uint32_t n = g->o.weight[GL_FAMILY_BARRIER] ? g->o.objects : 0, party = g->o.party;
    uint32_t *members = take(g, (uint64_t)n * party, sizeof *members);
    uint32_t *packs = take(g, (uint64_t)n * party, sizeof *packs);
    g->round = take(g, n, sizeof *g->round);
    if (!members || !packs || !g->round)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        g->round[i].member = members + (size_t)i * party;
        g->round[i].pack = packs + (size_t)i * party;
    }
    return true;
}

static bool take_everything(struct gl_generator *g)
{
    const struct gl_generate_options *o = &g->o;
    uint32_t rwlocks = o->weight[GL_FAMILY_RWLOCK] ? o->objects : 0;
    g->thread = take(g, o->threads, sizeof *g->thread);
    g->alive = take(g, o->alive, sizeof *g->alive);
    g->pack = take(g, g->n_packs, sizeof *g->pack);
    g->mutex = take(g, o->locks, sizeof *g->mutex);
    g->rwlock = take(g, rwlocks, sizeof *g->rwlock);
    g->volatiles = take_channels(g, GL_FAMILY_VOLATILE);
    g->atomics = take_channels(g, GL_FAMILY_ATOMIC);
    g->semaphores = take_channels(g, GL_FAMILY_SEMAPHORE);
    g->place = take(g, o->variables, sizeof *g->place);
    g->lists = take(g, o->weight[GL_FAMILY_COMMIT] ? GEN_LISTS : 1, sizeof *g->lists);
    if (!g->thread || !g->alive || !g->pack || !g->mutex || !g->rwlock || !g->volatiles || !g->atomics ||
        !g->semaphores || !g->place || !g->lists || !take_rounds(g))
        return false;
    memset(g->mutex, 0xff, o->locks * sizeof *g->mutex); /* GEN_NONE */
    memset(g->rwlock, 0xff, rwlocks * sizeof *g->rwlock);
    for (uint32_t i = 0; i < o->threads; i++) {
        struct gen_thread *t = &g->thread[i];
        t->parent = t->ended = t->next_ended = t->packs = t->out = t->in = t->waiting = t->rwlock = t->round =
            t->next_reader = t->last_reader = GEN_NONE;
    }
    return true;
}

struct gl_generator *gl_generator_create(const struct gl_env *env, const struct gl_generate_options *o,
                                         struct gl_names *names)
{
    struct gl_generator *g = env->map(env->ctx, sizeof *g);
    if (!g)
        return NULL;
    g->env = *env;
    g->o = *o;
    share_variables(g);
    if (!take_everything(g) || !name_everything(g, names)) {
        gl_generator_destroy(g);
        return NULL;
    }
    make_packs(g);
    /* splitmix64 spreads a small seed over all bits */
    uint64_t s = o->seed + 0x9e3779b97f4a7c15u;
    s = (s ^ s >> 30) * 0xbf58476d1ce4e5b9u;
    s = (s ^ s >> 27) * 0x94d049bb133111ebu;
    g->random = (s ^ s >> 31) | 1;
    g->left = o->events;
    for (int f = 0; f < GL_FAMILY_COUNT; f++)
        g->total_weight += o->weight[f];
    g->wish = GL_FAMILY_COUNT;
    g->thread[0].life = GEN_ALIVE;
    g->alive[0] = 0;
    g->n_alive = 1;
    g->next = 1;
    return g;
}

void gl_generator_destroy(struct gl_generator *g)
{
    struct gl_env env = g->env;
    for (unsigned i = 0; i < g->n_blocks; i++)
        env.unmap(env.ctx, g->block[i].at, g->block[i].bytes);
    env.unmap(env.ctx, g, sizeof *g);
}

/* ---- drawing ---- */

/* xorshift64*: Marsaglia, "Xorshift RNGs" (2003), with Vigna's multiplier; the bias of the reduction does not
 * matter. */
uint32_t gen_below(struct gl_generator *g, uint32_t n)
{
    g->random ^= g->random >> 12;
    g->random ^= g->random << 25;
    g->random ^= g->random >> 27;
    return (uint32_t)((g->random * 0x2545f4914f6cdd1du >> 32) * n >> 32);
}

struct gl_event *gen_emit(struct gl_generator *g, enum gl_op op, uint32_t thread, uint64_t object)
{
    struct gl_event *e = g->out++;
    g->room--;
    g->left--;
    g->thread[thread].fresh = false;
    *e = (struct gl_event){.op = op, .thread = thread, .object = object};
    if (g->o.locations) /* a few places per kind of operation and object, as in a program */
        e->site = g->first_location +
                  (uint32_t)((op * 31u + (object >> 2) * 7u + gen_below(g, 4)) % g->o.locations);
    return e;
}

static enum gl_family family_of(enum gl_op op)
{
    switch (op) {
    case GL_OP_READ:
        return GL_FAMILY_READ;
    case GL_OP_WRITE:
        return GL_FAMILY_WRITE;
    case GL_OP_ALLOC:
    case GL_OP_FREE:
        return GL_FAMILY_HEAP;
    case GL_OP_ACQ:
    case GL_OP_REL:
        return GL_FAMILY_LOCK;
    case GL_OP_CWAIT_BEGIN:
    case GL_OP_CWAIT_END:
        return GL_FAMILY_CWAIT;
    case GL_OP_RDLOCK:
    case GL_OP_RDUNLOCK:
    case GL_OP_WRLOCK:
    case GL_OP_WRUNLOCK:
        return GL_FAMILY_RWLOCK;
    case GL_OP_VOLREAD:
    case GL_OP_VOLWRITE:
        return GL_FAMILY_VOLATILE;
    case GL_OP_LOAD:
    case GL_OP_STORE:
    case GL_OP_RMW:
        return GL_FAMILY_ATOMIC;
    case GL_OP_FENCE:
        return GL_FAMILY_FENCE;
    case GL_OP_BAR_IN:
    case GL_OP_BAR_OUT:
        return GL_FAMILY_BARRIER;
    case GL_OP_POST:
    case GL_OP_WAIT:
        return GL_FAMILY_SEMAPHORE;
    case GL_OP_COMMIT:
        return GL_FAMILY_COMMIT;
    default:
        return GL_FAMILY_THREAD;
    }
}

static enum gl_family draw(struct gl_generator *g)
{
    for (;;) {
        uint32_t at = gen_below(g, g->total_weight);
        enum gl_family f = 0;
        while (at >= g->o.weight[f])
            at -= g->o.weight[f++];
        if (!g->debt[f])
            return f;
        g->debt[f]--;
    }
}

/* The first threads are there before anything else happens. */
static bool settle(struct gl_generator *g)
{
    if (!g->settled && g->next < g->o.alive && gen_affords(g, 2) &&
        gen_fork(g, g->o.topology == GL_TOPOLOGY_TREE ? g->alive[gen_below(g, g->n_alive)] : 0))
        return true;
    g->settled = true;
    return false;
}

/* Whose turn is it?  False: a lock was given up before the turn ended, which is this step's event. */
static bool take_turn(struct gl_generator *g)
{
    if (g->turn && g->thread[g->current].life == GEN_ALIVE) {
        g->turn--;
        return true;
    }
    /* Threads mostly leave their critical sections before they are interrupted. */
    if (g->thread[g->current].life == GEN_ALIVE && gen_below(g, 8) && gen_release(g, g->current))
        return false;
    g->current = g->alive[gen_below(g, g->n_alive)];
    g->turn = gen_below(g, 2 * g->o.quantum);
    g->wish = GL_FAMILY_COUNT;
    return true;
}

/* One event: what was drawn, or what has to come before it. */
static void run(struct gl_generator *g)
{
    if (!take_turn(g))
        return;
    struct gen_thread *t = &g->thread[g->current];
    if (t->waiting != GEN_NONE || t->inside) {
        gen_unblock(g, g->current);
        return;
    }
    if (t->fresh && g->o.weight[GL_FAMILY_THREAD] && gen_one_in(g, 2)) {
        gen_emit(g, GL_OP_BEGIN, g->current, 0);
        return;
    }
    if (g->wish == GL_FAMILY_COUNT || !g->patience--) {
        g->wish = draw(g);
        g->patience = PATIENCE;
    }
    if (!gen_step(g, g->wish, g->current)) {
        g->wish = GL_FAMILY_COUNT;
        gen_read(g, g->current);
    }
}

size_t gl_generator_next(struct gl_generator *g, struct gl_event *events, size_t capacity)
{
    g->out = events;
    g->room = capacity;
    g->n_lists = 0;
    while (g->room && g->left && g->n_lists < GEN_LISTS) {
        if (g->left == g->owed) {
            gen_drain(g);
        } else if (!settle(g)) {
            run(g);
            enum gl_family made = family_of(g->out[-1].op);
            if (made == g->wish)
                g->wish = GL_FAMILY_COUNT;
            else
                g->debt[made]++;
        }
    }
    return capacity - g->room;
}
