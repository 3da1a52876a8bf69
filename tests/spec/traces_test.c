/* SPDX-License-Identifier: Apache-2.0
 *
 * Executions written by hand, tests/spec/NAME.trace, each with the verdict of every detector of peers/registry.h
 * (README.md beside this file has the syntax).  Those with switches (gl_detector.switches) answer once more with each of them the other
 * way.  Besides, the traces together must have every op and order of core/event.h.
 *
 *     traces_test [file...]        all files of tests/spec, if none is given
 */
#include <dirent.h>
#include <inttypes.h>
#include <string.h>

#include "peers/registry.h"
#include "tests/support/check.h"
#include "tests/support/fake_env.h"
#include "trace/trace.h"

enum { FILES = 1024, RACES = 32, LINES = 8, DETECTORS = 64, BATCH = 7, NAME = 64, AT_LEAST = 45, REPEATED = 64, COUNTERS = 4 };

/* The first race of a variable: the lines of the two accesses. */
struct race {
    char variable[NAME];
    uint64_t line;
    uint64_t earlier[LINES]; /* any of these is right; none: whatever it says */
    unsigned n_earlier;
};

struct races {
    bool is_given;
    unsigned n;
    struct race race[RACES];
};

/* A counter of a detector that must not be 0 in the end, with its switches as usual or otherwise. */
struct counter {
    unsigned d; /* place in gl_detectors */
    char name[NAME];
    uint64_t value;
};

struct spec {
    const char *path;
    char *bytes;
    size_t size;
    unsigned from, to, times; /* the events of the lines between these happen so many times; 0: once */
    unsigned n_counters;
    struct counter counter[COUNTERS];
    struct races all;           /* "# expect:" */
    struct races of[DETECTORS]; /* "# expect NAME:", by place in gl_detectors */
};

/* Who judges: a detector, with one of its switches the other way, or none. */
static struct judge {
    const struct gl_detector *detector;
    unsigned d; /* place in gl_detectors */
    const struct gl_switch *other_way;
} judge[DETECTORS];
static unsigned n_judges;

static unsigned ops_seen[GL_OP_COUNT][GL_SC + 1];

/* ---- what is expected ---- */

static void bad(const struct spec *s, unsigned line, const char *why)
{
    fprintf(stderr, "%s:%u: %s\n", s->path, line, why);
    exit(2);
}

static void read_race(const struct spec *s, unsigned line, const char *word, struct races *into)
{
    const char *at = strchr(word, '@');
    if (!at || at == word || at - word >= NAME || into->n == RACES)
        bad(s, line, "an expected race is VARIABLE@LINE<EARLIER, with more possible earlier lines after slashes");
    struct race *r = &into->race[into->n++];
    memcpy(r->variable, word, (size_t)(at - word));
    char *end;
    r->line = strtoull(at + 1, &end, 10);
    while (*end == '<' || *end == '/') {
        if (r->n_earlier == LINES)
            bad(s, line, "too many earlier lines");
        r->earlier[r->n_earlier++] = strtoull(end + 1, &end, 10);
    }
    if (*end || !r->line)
        bad(s, line, "a line number is missing, or something follows it");
}

/* The detector's place in gl_detectors. */
static unsigned place_of(const struct spec *s, unsigned line, const char *name)
{
    for (unsigned d = 0; gl_detectors[d]; d++)
        if (strcmp(gl_detectors[d]->name, name) == 0)
            return d;
    bad(s, line, "there is no detector of this name");
    return 0;
}

/* Behind "# expect": [DETECTOR]: none | RACE... */
static void read_races(struct spec *s, unsigned line, const char *name, char *first, char **save)
{
    struct races *into = name ? &s->of[place_of(s, line, name)] : &s->all;
    if (into->is_given)
        bad(s, line, "this was said before");
    into->is_given = true;
    if (strcmp(first, "none") != 0)
        for (char *word = first; word; word = strtok_r(NULL, " \t", save))
            read_race(s, line, word, into);
}

/* Behind "# fires": DETECTOR: COUNTER... */
static void read_counters(struct spec *s, unsigned line, const char *name, char *first, char **save)
{
    if (!name)
        bad(s, line, "whose counter? '# fires goldilocks: log_trims'");
    for (char *word = first; word; word = strtok_r(NULL, " \t", save)) {
        if (s->n_counters == COUNTERS || strlen(word) >= NAME)
            bad(s, line, "too many counters, or too long a name");
        struct counter *c = &s->counter[s->n_counters++];
        c->d = place_of(s, line, name);
        strcpy(c->name, word);
    }
}

/* One comment line that begins with one of these words.  Others are for people. */
static void read_comment(struct spec *s, unsigned line, char *text)
{
    char *save, *colon = strchr(text, ':');
    if (strncmp(text, "# repeat ", 9) == 0) {
        s->from = line;
        s->times = (unsigned)strtoul(text + 9, NULL, 10);
    } else if (strcmp(text, "# end of repeat") == 0) {
        s->to = line;
    } else if (strncmp(text, "# expect", 8) == 0 || strncmp(text, "# fires", 7) == 0) {
        if (!colon)
            bad(s, line, "a colon is missing: '# expect: none', '# expect eraser: x@5<3'");
        *colon = 0;
        bool races = text[2] == 'e';
        const char *name = strtok_r(text + (races ? 8 : 7), " ", &save);
        char *first = strtok_r(colon + 1, " \t", &save);
        if (!first)
            bad(s, line, "an expectation is 'none' or a list of races; of counters, a list of names");
        (races ? read_races : read_counters)(s, line, name, first, &save);
    }
}

static void load(struct spec *s, const char *path)
{
    memset(s, 0, sizeof *s);
    s->path = path;
    FILE *f = fopen(path, "rb");
    if (!f) {
        perror(path);
        exit(2);
    }
    s->bytes = check_alloc(1 << 20);
    s->size = fread(s->bytes, 1, 1 << 20, f);
    check(s->size < 1 << 20, "a spec is a small file");
    fclose(f);
    unsigned line = 0;
    char *copy = check_alloc(s->size + 1), *rest = copy, *text;
    memcpy(copy, s->bytes, s->size);
    while ((text = strsep(&rest, "\n")))
        read_comment(s, ++line, text);
    free(copy);
    if (!s->all.is_given)
        bad(s, 1, "what do precise detectors say? '# expect: ...' is missing");
    if (!s->from != !s->to || s->to < s->from || (s->from && s->times == 0))
        bad(s, s->from, "'# repeat 100 times:' or '# end of repeat' is missing");
}

/* ---- what is found ---- */

static uint64_t byte_of(const struct gl_event *e, unsigned i)
{
    if (e->op != GL_OP_COMMIT)
        return e->object + i;
    return i < e->n_reads ? e->reads[i] : e->writes[i - e->n_reads];
}

/* Adds the variables that race here for the first time.  The earlier access is known for the lowest byte only. */
static void note(struct races *found, const struct gl_names *names, const struct gl_event *e, const struct gl_race *race)
{
    bool lowest = true;
    for (unsigned i = 0; i < 64; i++) {
        if (!(race->bytes >> i & 1))
            continue;
        struct race r = {.line = e->site};
        gl_data_name(names, byte_of(e, i) & ~(uint64_t)3, r.variable, sizeof r.variable);
        if (lowest)
            r.earlier[r.n_earlier++] = race->then.site;
        lowest = false;
        bool known = false;
        for (unsigned k = 0; k < found->n; k++)
            known |= strcmp(found->race[k].variable, r.variable) == 0;
        check(known || found->n < RACES, "too many races in one spec");
        if (!known)
            found->race[found->n++] = r;
    }
}

static bool is_expected(const struct race *expected, const struct race *found)
{
    if (strcmp(expected->variable, found->variable) != 0 || expected->line != found->line)
        return false;
    bool fits = !expected->n_earlier || !found->n_earlier;
    for (unsigned i = 0; i < expected->n_earlier; i++)
        fits |= expected->earlier[i] == found->earlier[0];
    return fits;
}

static void print(const char *what, const struct races *r)
{
    printf("    %s:%s", what, r->n ? "" : " none");
    for (unsigned i = 0; i < r->n; i++) {
        printf(" %s@%" PRIu64, r->race[i].variable, r->race[i].line);
        for (unsigned k = 0; k < r->race[i].n_earlier; k++)
            printf("%c%" PRIu64, k ? '/' : '<', r->race[i].earlier[k]);
    }
    printf("\n");
}

static void print_judge(const struct judge *j)
{
    printf("%s%s%s%s", j->detector->name, j->other_way ? " with " : "", j->other_way ? j->other_way->name : "",
           !j->other_way ? "" : j->other_way->usual ? "=off" : "=on");
}

static bool compare(const struct spec *s, const struct judge *j, const struct races *found)
{
    const struct races *expected = s->of[j->d].is_given ? &s->of[j->d] : &s->all;
    bool same = expected->n == found->n;
    for (unsigned i = 0; same && i < expected->n; i++) {
        same = false;
        for (unsigned k = 0; k < found->n; k++)
            same |= is_expected(&expected->race[i], &found->race[k]);
    }
    if (!same) {
        printf("%s: ", s->path);
        print_judge(j);
        printf(" differs\n");
        print("expected", expected);
        print("found", found);
    }
    return same;
}

struct counting {
    struct spec *spec;
    unsigned d;
};

static void count(void *ctx, const char *name, const char *sentence, uint64_t value)
{
    const struct counting *c = ctx;
    (void)sentence;
    for (unsigned i = 0; i < c->spec->n_counters; i++)
        if (c->spec->counter[i].d == c->d && strcmp(c->spec->counter[i].name, name) == 0)
            c->spec->counter[i].value += value;
}

static bool all_fired(const struct spec *s)
{
    bool all = true;
    for (unsigned i = 0; i < s->n_counters; i++)
        if (!s->counter[i].value) {
            printf("%s: %s of %s is 0 or not there\n", s->path, s->counter[i].name, gl_detectors[s->counter[i].d]->name);
            all = false;
        }
    return all;
}

/* ---- the run ---- */

/* Each detector as it is, then with each of its switches the other way; with read-write=off it has other answers. */
static void choose_judges(void)
{
    for (unsigned d = 0; gl_detectors[d]; d++) {
        check(n_judges < DETECTORS, "too many detectors");
        judge[n_judges++] = (struct judge){gl_detectors[d], d, NULL};
    }
    for (unsigned d = 0; gl_detectors[d]; d++) {
        for (const struct gl_switch *w = gl_detectors[d]->switches; w && w->name; w++) {
            check(n_judges < DETECTORS, "too many switches");
            if (strcmp(w->name, "read-write") != 0)
                judge[n_judges++] = (struct judge){gl_detectors[d], d, w};
        }
    }
}

/* A long execution is judged by each detector once. */
static unsigned judges_of(const struct spec *s)
{
    unsigned n = 0;
    while (s->times && n < n_judges && !judge[n].other_way)
        n++;
    return s->times ? n : n_judges;
}

struct hearing {
    unsigned n_judges;
    struct gl_state *state[DETECTORS];
    struct races found[DETECTORS];
    const struct gl_names *names;
    struct gl_event kept[REPEATED]; /* those to be repeated */
    unsigned n_kept;
};

/* One event goes to all; its line is its site. */
static void step(const struct spec *s, struct hearing *h, const struct gl_event *e)
{
    ops_seen[e->op][e->order]++;
    for (unsigned k = 0; k < h->n_judges; k++) {
        struct gl_race race = {0};
        gl_status status = GL_OK;
        if (judge[k].other_way && judge[k].detector->events) /* this way the engine may sweep */
            judge[k].detector->events(h->state[k], e, 1, &race, &status);
        else
            status = judge[k].detector->event(h->state[k], e, &race);
        if (status == GL_RACE) {
            note(&h->found[k], h->names, e, &race);
        } else if (status != GL_OK) {
            printf("%s: ", s->path);
            print_judge(&judge[k]);
            printf(", line %" PRIu32 ": %s\n", e->site, gl_status_message(status));
            exit(1);
        }
    }
}

static void repeat(const struct spec *s, struct hearing *h)
{
    for (unsigned k = 1; h->n_kept && k < s->times; k++)
        for (unsigned i = 0; i < h->n_kept; i++)
            step(s, h, &h->kept[i]);
    h->n_kept = 0;
}

static void take(const struct spec *s, struct hearing *h, struct gl_event *e, uint64_t line)
{
    e->site = (uint32_t)line;
    if (line > s->to)
        repeat(s, h);
    step(s, h, e);
    if (line < s->from || line > s->to)
        return;
    check(h->n_kept < REPEATED && e->op != GL_OP_COMMIT, "what is repeated is short, and has no commit");
    h->kept[h->n_kept++] = *e;
}

static bool run(struct spec *s)
{
    static struct hearing h;
    struct fake_env env;
    struct gl_trace_error error = {0};
    fake_env_init(&env);
    memset(&h, 0, sizeof h);
    h.n_judges = judges_of(s);
    for (unsigned k = 0; k < h.n_judges; k++) {
        check((h.state[k] = judge[k].detector->create(&env.env)), "no memory for a detector");
        if (judge[k].other_way)
            judge[k].detector->set(h.state[k], judge[k].other_way->name, !judge[k].other_way->usual);
    }
    struct gl_trace_reader *r = gl_trace_open(&env.env, s->bytes, s->size, GL_TRACE_STD, &error);
    struct gl_event events[BATCH];
    uint64_t lines[BATCH];
    struct gl_trace_batch batch = {events, lines, BATCH, 0};
    int more = r ? 1 : -1;
    h.names = r ? gl_trace_names(r) : NULL;
    while (more > 0 && (more = gl_trace_read(r, &batch, &error)) > 0)
        for (size_t i = 0; i < batch.count; i++)
            take(s, &h, &events[i], lines[i]);
    repeat(s, &h);
    bool good = more == 0;
    if (!good)
        printf("%s:%" PRIu64 ":%" PRIu32 ": %s\n", s->path, error.line, error.column, error.text);
    for (unsigned k = 0; k < h.n_judges; k++) {
        good = compare(s, &judge[k], &h.found[k]) && good;
        judge[k].detector->counts(h.state[k], count, &(struct counting){s, judge[k].d});
        judge[k].detector->destroy(h.state[k]);
    }
    good = all_fired(s) && good;
    if (r)
        gl_trace_close(r);
    if (!fake_env_is_clean(&env)) {
        printf("%s: memory was not given back\n", s->path);
        good = false;
    }
    return good;
}

/* Every row of the vocabulary, and every order that an op can have. */
static bool all_ops_seen(void)
{
    static const unsigned orders[GL_OP_COUNT] = {
        [GL_OP_LOAD] = 1u << GL_RLX | 1u << GL_ACQ | 1u << GL_SC,
        [GL_OP_STORE] = 1u << GL_RLX | 1u << GL_REL | 1u << GL_SC,
        [GL_OP_RMW] = 1u << GL_RLX | 1u << GL_ACQ | 1u << GL_REL | 1u << GL_AR | 1u << GL_SC,
        [GL_OP_FENCE] = 1u << GL_ACQ | 1u << GL_REL | 1u << GL_AR | 1u << GL_SC,
    };
    bool all = true;
    for (unsigned op = 0; op < GL_OP_COUNT; op++)
        for (unsigned o = 0; o <= GL_SC; o++)
            if ((orders[op] ? orders[op] >> o & 1 : o == 0) && !ops_seen[op][o]) {
                printf("no spec has %s%s%s\n", gl_op_name(op), orders[op] ? "." : "", orders[op] ? gl_order_name(o) : "");
                all = false;
            }
    return all;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static size_t list_folder(const char *folder, char **path)
{
    DIR *dir = opendir(folder);
    size_t n = 0;
    if (!dir) {
        perror(folder);
        exit(2);
    }
    for (struct dirent *d; (d = readdir(dir));) {
        const char *dot = strrchr(d->d_name, '.');
        if (!dot || strcmp(dot, ".trace") != 0)
            continue;
        check(n < FILES, "too many specs");
        path[n] = check_alloc(strlen(folder) + strlen(d->d_name) + 2);
        sprintf(path[n++], "%s/%s", folder, d->d_name);
    }
    closedir(dir);
    qsort(path, n, sizeof *path, by_name);
    return n;
}

int main(int argc, char **argv)
{
    static char *listed[FILES];
    static struct spec s;
    size_t n = argc > 1 ? (size_t)argc - 1 : list_folder("tests/spec", listed), failed = 0;
    char **path = argc > 1 ? argv + 1 : listed;
    choose_judges();
    for (size_t i = 0; i < n; i++) {
        load(&s, path[i]);
        failed += !run(&s);
        free(s.bytes);
    }
    bool complete = argc > 1 || (n >= AT_LEAST && all_ops_seen());
    for (size_t i = 0; argc == 1 && i < n; i++)
        free(listed[i]);
    printf("%zu passed, %zu failed\n", n - failed, failed);
    return failed || !complete ? 1 : 0;
}
