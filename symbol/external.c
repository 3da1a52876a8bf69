/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions and answers are lines of text.
 *
 *     llvm-symbolizer: one process for all files            addr2line -aif -e FILE: one for each file
 *     > CODE "/path/of/file" 0x1139                          > 0x1139
 *     < function                                             > 0xffffffffffffffff
 *     < /path/of/source.c:12:5                               < 0x0000000000001139
 *     < (more pairs, if it was inlined)                      < function
 *     < (an empty line)                                      < /path/of/source.c:12 (discriminator 1)
 *                                                            < (more pairs)
 *                                                            < 0xffffffffffffffff
 *                                                            < ??
 *                                                            < ??:0
 *
 * Who does not answer, or ends, is started anew a few times.  Then libbacktrace is all there is.
 */
#include "symbol/external.h"

#include <errno.h>
#include <string.h>

#include "platform/platform.h"
#include "symbol/modules.h"
#include "symbol/symbol.h"

enum {
    PEERS = 8,             /* processes at a time; files beyond take the place of others */
    FAILURES = 5,          /* of one answer each, then nobody is asked any more */
    PATIENCE_MS = 60000,   /* the debug information of a large program takes long to read */
    PATH_BYTES = 4096,
    ANSWER_BYTES = 1 << 16
};

#define BEYOND "0xffffffffffffffff" /* where no code is */
#define BEYOND_LINE "\n" BEYOND "\n"

struct peer {
    struct gl_os_child child;
    uint32_t module; /* its id; 0: all */
    uint32_t parent; /* the process that started it; 0: nobody */
    uint32_t files;  /* the table of descriptors that has our end (gl_os_files()) */
};

static char program[PATH_BYTES];
static bool addr2line;
static char *const *variables;
static struct peer peers[PEERS];
static unsigned next_peer, failures;
static char trouble[PATH_BYTES + 256];
static bool troubled;
static char answer[ANSWER_BYTES];

/* ---- which program ---------------------------------------------------------------------------- */

static const char *variable(char *const *environment, const char *name)
{
    size_t n = strlen(name);
    for (char *const *e = environment; e && *e; e++)
        if (strncmp(*e, name, n) == 0 && (*e)[n] == '=')
            return *e + n + 1;
    return NULL;
}

/* What we and the dynamic linker would read in the child is not for it. */
static bool is_ours(const char *variable)
{
    static const char *const names[] = {"LD_PRELOAD=", "LD_AUDIT=", "GOLDILOCKS_OPTIONS=", "TSAN_OPTIONS="};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(variable, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static char *const *without_ours(char *const *environment)
{
    size_t n = 0;
    while (environment && environment[n])
        n++;
    char **kept = gl_arena_alloc((n + 1) * sizeof *kept);
    for (size_t i = 0, k = 0; kept && i < n; i++)
        if (!is_ours(environment[i]))
            kept[k++] = environment[i];
    return kept;
}

static bool find(const char *path, char *const *environment)
{
    if (strchr(path, '/')) {
        gl_format(program, sizeof program, "%s", path);
        return strlen(path) < sizeof program && gl_os_executes(program);
    }
    const char *folders = variable(environment, "PATH");
    for (const char *s = folders ? folders : "/usr/bin:/bin"; *s;) {
        const char *end = strchr(s, ':');
        size_t n = end ? (size_t)(end - s) : strlen(s);
        int length = gl_format(program, sizeof program, "%.*s/%s", (int)n, s, path);
        if (n && (size_t)length < sizeof program && gl_os_executes(program))
            return true;
        s += n + (end != NULL);
    }
    return false;
}

static void say(const char *what, const char *why)
{
    gl_format(trouble, sizeof trouble, "%s: %s; lines come from what can be read without it", what, why);
    /* release: pairs with gl_symbol_trouble() */
    __atomic_store_n(&troubled, true, __ATOMIC_RELEASE);
}

static const char *refuse(const char *path, const char *why)
{
    program[0] = 0;
    say(path, why);
    return why;
}

const char *gl_symbol_use(const char *path, char *const *environment)
{
    const char *name = path;
    for (const char *s = path; *s; s++)
        if (*s == '/')
            name = s + 1;
    bool llvm = strstr(name, "llvm-symbolizer") != NULL;
    addr2line = strstr(name, "addr2line") != NULL;
    if (!llvm && !addr2line)
        return refuse(path, "it is neither an llvm-symbolizer nor an addr2line, by its name");
    if (!find(path, environment))
        return refuse(path, strchr(path, '/') ? "there is no such file that may be executed" : "no folder of PATH has a program of this name");
    variables = without_ours(environment);
    return NULL;
}

const char *gl_symbol_trouble(void)
{
    /* acquire: pairs with say() */
    return __atomic_load_n(&troubled, __ATOMIC_ACQUIRE) ? trouble : NULL;
}

bool gl_external_there(void)
{
    return program[0] && failures < FAILURES;
}

/* ---- talking to it ---------------------------------------------------------------------------- */

static void failed(const char *what)
{
    if (++failures == FAILURES)
        say(program, what);
}

static bool start(struct peer *p, const struct gl_module *m)
{
    char *llvm_words[] = {program, "--no-demangle", "--inlines", "--functions=linkage", NULL};
    char *addr2line_words[] = {program, "-aif", "-e", (char *)(uintptr_t)m->path, NULL};
    int error = gl_os_child_start(&p->child, program, addr2line ? addr2line_words : llvm_words, variables);
    if (error) {
        failures = FAILURES - 1; /* it will not be otherwise the next time */
        char what[128];
        gl_format(what, sizeof what, "it cannot be started, %s (error %d)", gl_os_error(-error), -error);
        failed(what);
        return false;
    }
    p->module = addr2line ? m->id : 0;
    p->parent = gl_os_pid();
    p->files = gl_os_files();
    return true;
}

/* In the child of a fork, and where the program has closed what was ours, it is not ours any more. */
static void let_go(struct peer *p, uint32_t self)
{
    if (p->parent == self)
        gl_os_child_end(&p->child);
    else if (p->parent)
        gl_os_child_forget(&p->child);
    p->parent = 0;
}

static struct peer *peer_for(const struct gl_module *m)
{
    uint32_t self = gl_os_pid(), files = gl_os_files();
    struct peer *spare = NULL;
    for (struct peer *p = peers; p < peers + PEERS; p++) {
        if (p->parent && p->files == files) {
            if (p->parent == self && gl_os_child_is(&p->child)) {
                if (p->module == (addr2line ? m->id : 0))
                    return p;
            } else {
                let_go(p, self);
            }
        }
        if (!p->parent)
            spare = p;
    }
    if (!spare) {
        spare = &peers[next_peer++ % PEERS];
        let_go(spare, self);
    }
    return start(spare, m) ? spare : NULL;
}

/* All that belongs to one question lies in answer[0..n).  What comes for the address behind it, where nothing can be, is two lines, too:
 * unknown, or the file's last symbol. */
static bool is_whole(size_t n)
{
    answer[n] = 0;
    if (!addr2line)
        return n >= 2 && answer[n - 1] == '\n' && answer[n - 2] == '\n';
    const char *last = strstr(answer, BEYOND_LINE);
    const char *function = last ? strchr(last + sizeof BEYOND_LINE - 1, '\n') : NULL;
    return function && strchr(function + 1, '\n');
}

/* The length of the answer; 0: none. */
static size_t talk(struct peer *p, const struct gl_module *m, uintptr_t address)
{
    char question[PATH_BYTES + 64];
    int n = addr2line ? gl_format(question, sizeof question, "0x%lx\n" BEYOND "\n", (unsigned long)address)
                      : gl_format(question, sizeof question, "CODE \"%s\" 0x%lx\n", m->path, (unsigned long)address);
    if ((size_t)n >= sizeof question || gl_os_child_write(&p->child, question, (size_t)n) != 0)
        return 0;
    for (size_t got = 0; got < sizeof answer - 1;) {
        long r = gl_os_child_read(&p->child, answer + got, sizeof answer - 1 - got, PATIENCE_MS);
        if (r == -ETIMEDOUT)
            failures = FAILURES - 1; /* nobody waits for that again */
        if (r <= 0)
            return 0;
        got += (size_t)r;
        if (is_whole(got))
            return got;
    }
    return 0;
}

/* ---- what it said ----------------------------------------------------------------------------- */

/* Takes the line that begins at *s out of the answer; NULL: there is none. */
static char *line_at(char **s)
{
    char *line = *s, *end = strchr(line, '\n');
    if (!end)
        return NULL;
    *end = 0;
    *s = end + 1;
    return line;
}

/* Cuts ":NUMBER" off the end of s; 0 as well where it is no number ("?"). */
static uint32_t number_behind(char *s)
{
    char *colon = strrchr(s, ':');
    uint32_t n = 0;
    if (!colon)
        return 0;
    for (const char *d = colon + 1; *d; d++)
        n = *d >= '0' && *d <= '9' && n < 100000000 ? n * 10 + (uint32_t)(*d - '0') : 0;
    *colon = 0;
    return n;
}

static void take_place(char *place, struct gl_external_line *out)
{
    char *comment = addr2line ? strstr(place, " (discriminator") : NULL;
    if (comment)
        *comment = 0;
    if (!addr2line)
        out->column = number_behind(place);
    out->line = number_behind(place);
    out->file = place[0] && strcmp(place, "??") != 0 ? place : NULL;
}

int gl_external_lines(const struct gl_module *m, uintptr_t pc, struct gl_external_line *out, int max)
{
    if (strchr(m->path, '"') || strchr(m->path, '\n'))
        return 0;
    size_t got = 0;
    while (got == 0 && gl_external_there()) {
        struct peer *p = peer_for(m);
        if (!p)
            return 0;
        got = talk(p, m, pc - m->base);
        if (got == 0) {
            let_go(p, p->parent);
            failed("it does not answer");
        }
    }
    if (got == 0)
        return 0;
    char *s = answer;
    if (addr2line)
        line_at(&s); /* the address */
    int n = 0;
    while (n < max) {
        char *function = line_at(&s);
        if (!function || !function[0] || strcmp(function, BEYOND) == 0)
            break;
        char *place = line_at(&s);
        if (!place)
            break;
        out[n] = (struct gl_external_line){.function = strcmp(function, "??") != 0 ? function : NULL};
        take_place(place, &out[n++]);
    }
    return n == 1 && !out[0].function && !out[0].file ? 0 : n;
}
