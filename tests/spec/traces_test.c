/* SPDX-License-Identifier: Apache-2.0
 *
 * Executions written by hand, tests/spec/NAME.trace, each with the verdict of every detector of peers/registry.h
 * (README.md beside this file has the syntax).  Besides, the traces together must have every op and order of
 * core/event.h.
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

enum { FILES = 1024, RACES = 32, LINES = 8, DETECTORS = 64, BATCH = 7, NAME = 64, AT_LEAST = 45 };

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

struct spec {
    const char *path;
    char *bytes;
    size_t size;
    struct races all;           /* "# expect:" */
    struct races of[DETECTORS]; /* "# expect NAME:", by place in gl_detectors */
};

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

/* One comment line: "# expect [DETECTOR]: none | RACE...".  Others are for people. */
static void read_expectation(struct spec *s, unsigned line, char *text)
{
    static const char word[] = "# expect";
    if (strncmp(text, word, sizeof word - 1) != 0)
        return;
    text += sizeof word - 1;
    char *colon = strchr(text, ':');
    if (!colon)
        bad(s, line, "a colon is missing: '# expect: none', '# expect eraser: x@5<3'");
    *colon = 0;
    struct races *into = &s->all;
    char *save, *name = strtok_r(text, " ", &save);
    if (name) {
        into = NULL;
        for (unsigned d = 0; gl_detectors[d]; d++)
            if (strcmp(gl_detectors[d]->name, name) == 0)
                into = &s->of[d];
        if (!into)
            bad(s, line, "there is no detector of this name");
    }
    if (into->is_given)
        bad(s, line, "this was said before");
    into->is_given = true;
    char *first = strtok_r(colon + 1, " \t", &save);
    if (!first)
        bad(s, line, "an expectation is 'none' or a list of races");
    if (strcmp(first, "none") != 0)
        for (char *word_at = first; word_at; word_at = strtok_r(NULL, " \t", &save))
            read_race(s, line, word_at, into);
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
        read_expectation(s, ++line, text);
    free(copy);
    if (!s->all.is_given)
        bad(s, 1, "what do precise detectors say? '# expect: ...' is missing");
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

static bool compare(const struct spec *s, unsigned d, const struct races *found)
{
    const struct races *expected = s->of[d].is_given ? &s->of[d] : &s->all;
    bool same = expected->n == found->n;
    for (unsigned i = 0; same && i < expected->n; i++) {
        same = false;
        for (unsigned k = 0; k < found->n; k++)
            same |= is_expected(&expected->race[i], &found->race[k]);
    }
    if (!same) {
        printf("%s: %s differs\n", s->path, gl_detectors[d]->name);
        print("expected", expected);
        print("found", found);
    }
    return same;
}

/* ---- the run ---- */

/* One event goes to all detectors; its line is its site. */
static void step(const struct spec *s, struct gl_state **state, struct races *found, const struct gl_names *names,
                 struct gl_event *e, uint64_t line)
{
    e->site = (uint32_t)line;
    ops_seen[e->op][e->order]++;
    for (unsigned d = 0; gl_detectors[d]; d++) {
        struct gl_race race = {0};
        gl_status status = gl_detectors[d]->event(state[d], e, &race);
        if (status == GL_RACE) {
            note(&found[d], names, e, &race);
        } else if (status != GL_OK) {
            printf("%s: %s, line %" PRIu64 ": %s\n", s->path, gl_detectors[d]->name, line, gl_status_message(status));
            exit(1);
        }
    }
}

static bool run(const struct spec *s)
{
    static struct races found[DETECTORS];
    struct gl_state *state[DETECTORS];
    struct fake_env env;
    struct gl_trace_error error = {0};
    fake_env_init(&env);
    memset(found, 0, sizeof found);
    for (unsigned d = 0; gl_detectors[d]; d++)
        check((state[d] = gl_detectors[d]->create(&env.env)), "no memory for a detector");
    struct gl_trace_reader *r = gl_trace_open(&env.env, s->bytes, s->size, GL_TRACE_STD, &error);
    struct gl_event events[BATCH];
    uint64_t lines[BATCH];
    struct gl_trace_batch batch = {events, lines, BATCH, 0};
    int more = r ? 1 : -1;
    while (more > 0 && (more = gl_trace_read(r, &batch, &error)) > 0)
        for (size_t i = 0; i < batch.count; i++)
            step(s, state, found, gl_trace_names(r), &events[i], lines[i]);
    bool good = more == 0;
    if (!good)
        printf("%s:%" PRIu64 ":%" PRIu32 ": %s\n", s->path, error.line, error.column, error.text);
    for (unsigned d = 0; gl_detectors[d]; d++) {
        good = compare(s, d, &found[d]) && good;
        gl_detectors[d]->destroy(state[d]);
    }
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
