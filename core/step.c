/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps: what the slow path did to one half of a cell, done to the next cell without taking it apart.  A loop over data that
 * other threads read, or over parts of words, makes the same change thousands of times; the halves repeat exactly, the
 * sites nearly so.  A step says what becomes of the half, and its recipe how the sites follow from those that were there.
 *
 * Why a step may be used again, by the thread that kept it: the new half is a function of the old one, of the access (its
 * segment is in the key), and of which old accesses are ordered before it; those that were are still, and those that were not
 * were kept, which is never wrong.  What the access conflicts with in the other half is asked each time.
 */
#include "core/cell_inl.h"
#include "core/state.h"

#define FORM_GROUPS 8u /* gl_step.form: accesses of the new half + FORM_GROUPS * (2 * old is a group + new is a group) */

struct gl_steps gl_no_steps;

/* The memory for steps, when enough could have been kept; false: not yet, or there is none. */
static bool steps_make(struct gl_thread *t)
{
    const struct gl_env *env = &t->core->env;
    if (gl_load_relaxed(&t->core->slots) > GL_MANY && !t->core->group_at_once && ++t->unkept < GL_STEPS_AFTER)
        return false; /* slots may be stale: sooner or later, not wrongly */
    t->unkept = 0;
    struct gl_steps *steps = env->map(env->ctx, sizeof *steps);
    if (!steps)
        return false;
    t->steps = steps;
    t->wanted = steps->wanted;
    t->wanted_shift = gl_shift(GL_WANTED);
    return true;
}

static struct gl_step *step_at(struct gl_thread *t, uint32_t old_half, uint32_t mine, bool write)
{
    uint32_t h = (old_half + mine * 7) * 0x9E3779B1u;
    return &t->steps->step[write][h / (UINT32_MAX / GL_STEPS + 1)];
}

/* The one half of a list that is of this segment and has all these bytes; GL_GROUP_MAX: none or several. */
static uint32_t only(const uint32_t *halves, uint32_t segment, uint32_t bytes)
{
    uint32_t found = GL_GROUP_MAX;
    for (uint32_t i = 0; i < GL_GROUP_MAX && halves[i]; i++)
        if (gl_half_segment(halves[i]) == segment && !(bytes & ~halves[i])) {
            if (found != GL_GROUP_MAX)
                return GL_GROUP_MAX;
            found = i;
        }
    return found;
}

static uint32_t of_segment(const uint32_t *halves, uint32_t segment)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < GL_GROUP_MAX && halves[i]; i++)
        n += gl_half_segment(halves[i]) == segment;
    return n;
}

/* How the sites of `now` follow from those of `was` and of an access of segment `mine`; false: not from the halves alone.
 * Bits 28..31: the bytes that the access added to an access of its segment. */
static bool recipe_of(const uint32_t *was, const uint32_t *now, uint32_t mine, uint32_t *recipe)
{
    uint32_t before = of_segment(was, mine);
    *recipe = 0;
    if (before > 1 || of_segment(now, mine) > 1)
        return false;
    for (uint32_t i = 0; i < GL_GROUP_MAX && now[i]; i++) {
        uint32_t from = GL_FROM_NOW, segment = gl_half_segment(now[i]);
        if (segment != mine || before) {
            from = only(was, segment, segment == mine ? 0 : gl_half_mask(now[i]));
            if (from == GL_GROUP_MAX)
                return false;
            if (segment == mine && now[i] != was[from]) {
                *recipe |= gl_half_mask(now[i] & ~was[from]) << 28;
                from += GL_FROM_BOTH;
            }
        }
        *recipe |= from << 4 * i;
    }
    return true;
}

static bool site_after_slow(struct gl_thread *t, const struct gl_step *s, uint32_t old_site, uint32_t site,
                            struct gl_site_step *k, uint32_t *new_site)
{
    struct gl_lists *lists = &t->core->lists;
    uint32_t sites[GL_GROUP_MAX] = {0}, bytes = s->recipe >> 28;
    const uint32_t *old = &old_site;
    if (gl_half_is_group(s->old_half))
        old = gl_list_at(lists, old_site)->value;
    for (uint32_t i = 0; i < s->form % FORM_GROUPS; i++) {
        uint32_t from = s->recipe >> 4 * i & 0xF;
        sites[i] = from == GL_FROM_NOW ? site : old[from & 7];
        if (from > GL_FROM_NOW && sites[i] != site) {
            sites[i] = t->join_sites ? t->join_sites(t->join_ctx, sites[i], 0xF & ~bytes, site, bytes) : 0;
            if (!sites[i])
                return false;
        }
    }
    *new_site = sites[0];
    if (gl_half_is_group(s->new_half) && !(*new_site = gl_list_intern(lists, sites, NULL)))
        return false;
    *k = (struct gl_site_step){.old_site = old_site, .site = site, .recipe = s->recipe, .form = s->form, .new_site = *new_site};
    return true;
}

/* The site of a half after a change, by its recipe; false: no memory, or sites that cannot be joined.  old_site belongs to
 * step->old_half: it was read under the cell's lock, or is the caller's alone. */
static inline bool site_after(struct gl_thread *t, const struct gl_step *s, uint32_t old_site, uint32_t site, uint32_t *new_site)
{
    uint32_t h = (old_site + site * 7 + s->recipe * 31) * 0x9E3779B1u;
    struct gl_site_step *k = &t->steps->site_step[h / (UINT32_MAX / GL_SITE_STEPS + 1)];
    if (__builtin_expect(k->form == s->form && k->old_site == old_site && k->site == site && k->recipe == s->recipe, 1)) {
        *new_site = k->new_site;
        return true;
    }
    return site_after_slow(t, s, old_site, site, k, new_site);
}

void gl_step_keep(struct gl_thread *t, uint32_t mine_half, bool write, uint64_t word, uint64_t next)
{
    unsigned shift = write ? 32 : 0;
    uint32_t mine = gl_half_segment(mine_half), alone[2], alone_now[2];
    struct gl_step s = {.old_half = (uint32_t)(word >> shift), .mine = mine_half, .new_half = (uint32_t)(next >> shift)};
    if ((mine_half & GL_HALF_ATOMIC) || !s.old_half || (!gl_half_is_group(s.old_half) && !gl_half_is_group(s.new_half)))
        return;
    if (!write && of_segment(gl_halves_of(&t->core->lists, (uint32_t)(word >> 32), alone), mine))
        return;
    const uint32_t *now = gl_halves_of(&t->core->lists, s.new_half, alone_now);
    s.form = (gl_half_is_group(s.old_half) * 2u + gl_half_is_group(s.new_half)) * FORM_GROUPS + gl_group_count(now);
    if (recipe_of(gl_halves_of(&t->core->lists, s.old_half, alone), now, mine, &s.recipe) &&
        (t->steps != &gl_no_steps || steps_make(t)))
        *step_at(t, s.old_half, s.mine, write) = s;
}

/* The word after the access and the step that says so; 0: none is kept, or something is not surely ordered. */
static inline uint64_t plan(struct gl_thread *t, uint64_t word, uint32_t mine, bool write, const struct gl_step **step)
{
    uint32_t w = (uint32_t)(word >> 32), r = (uint32_t)word, bytes = gl_half_mask(mine), old = write ? w : r;
    if (w >= GL_CELL_LOCKED >> 32)
        return 0;
    const struct gl_step *s = *step = step_at(t, old, mine, write);
    if (s->old_half != old || s->mine != mine || !s->new_half)
        return 0;
    if (((w | r) & GL_HALF_ATOMIC) || ((w & bytes) && (w ^ mine) > 0xF && !gl_before(t, gl_half_segment(w))))
        return 0;
    if (!write)
        return (word & 0xFFFFFFFF00000000ull) | s->new_half;
    if (r & bytes) {
        if ((r ^ mine) > 0xF && !gl_before(t, gl_half_segment(r)))
            return 0;
        if (!(r & ~bytes & 0xF))
            r = 0;
        else if (gl_half_is_group(r))
            return 0;
        else
            r &= ~bytes;
    }
    return (uint64_t)s->new_half << 32 | r;
}

static inline void found_again(struct gl_thread *t)
{
    if (t->credit < GL_CREDIT_MOST)
        t->credit++;
    gl_count(t, GL_COUNT_stepped);
}

uint64_t gl_step_alone(struct gl_thread *t, uint64_t word, uint32_t old_site, uint32_t mine, bool write, uint32_t site,
                       uint32_t *new_site)
{
    const struct gl_step *s;
    uint64_t next = plan(t, word, mine, write, &s);
    if (!next || !site_after(t, s, old_site, site, new_site))
        return 0;
    found_again(t);
    return next;
}

bool gl_access_step(struct gl_thread *t, struct gl_cell cell, uint64_t word, uint32_t mine, bool write, uint32_t site)
{
    const struct gl_step *s;
    uint64_t next = plan(t, word, mine, write, &s);
    if (!next || !gl_cas_acquire(cell.word, &word, GL_CELL_LOCKED)) /* acquire: pairs with gl_cell_unlock() */
        return false;
    _Atomic uint32_t *place = gl_site_half(cell.sites, write);
    bool known = site_after(t, s, gl_load_relaxed(place), site, &site); /* under the cell's lock */
    if (known) {
        gl_site_store(place, site);
        found_again(t);
    }
    gl_store_release(cell.word, known ? next : word); /* pairs with gl_cell_lock() */
    return known;
}

bool gl_access_step_pair(struct gl_thread *t, struct gl_cell first, uint64_t word, uint32_t mine, bool write, uint32_t site)
{
    const struct gl_step *s;
    uint64_t next = plan(t, word, mine, write, &s);
    if (!next || !gl_lock_pair(first, word, word))
        return false;
    _Atomic uint32_t *s0 = gl_site_half(&first.sites[0], write), *s1 = gl_site_half(&first.sites[1], write);
    uint32_t site0, site1; /* under the cells' locks */
    bool known = site_after(t, s, gl_load_relaxed(s0), site, &site0) && site_after(t, s, gl_load_relaxed(s1), site, &site1);
    if (known) {
        gl_site_store(s0, site0);
        gl_site_store(s1, site1);
        found_again(t);
    }
    gl_store_release(&first.word[0], known ? next : word); /* pairs with gl_cell_lock() */
    gl_store_release(&first.word[1], known ? next : word);
    return known;
}
