/* SPDX-License-Identifier: Apache-2.0
 *
 * The suppressions of this program: from the file of option `suppressions` and from the program's own
 * __tsan_default_suppressions().  Which reports they hold back is report/suppress.h's to know.
 */
#include "native/collect.h"
#include "report/suppress.h"
#include "symbol/dynamic.h"
#include "symbol/symbol.h"

#define FILE_MAX (4u << 20)
#define PATH_SIZE (GL_OPTION_TEXT_MAX + 4096)

/* Read at start, then constant but for the counts, which the report lock guards. */
static struct gl_suppressions list;

/* ThreadSanitizer's hook; a program may define its own.  The text must live as long as the program. */
RT_EXPORT __attribute__((weak)) const char *__tsan_default_suppressions(void);
RT_EXPORT __attribute__((weak)) const char *__tsan_default_suppressions(void)
{
    return "";
}

/* ---- reading ---- */

static void parse(const char *source, const char *text, size_t n)
{
    struct gl_suppress_error e;
    if (gl_suppress_parse(&list, text, n, &e))
        return;
    switch (e.what) {
    case GL_SUPPRESS_NO_COLON:
        rt_die("%s:%zu: '%.*s' has no colon; write TYPE:PATTERN, such as race:function", source, e.line, (int)e.length, e.word);
    case GL_SUPPRESS_BAD_TYPE:
        rt_die("%s:%zu: '%.*s' is no type of suppression; the types are race, race_top, mutex, thread, signal, deadlock and "
               "called_from_lib",
               source, e.line, (int)e.length, e.word);
    case GL_SUPPRESS_NO_PATTERN:
        rt_die("%s:%zu: '%.*s' has no pattern; write * for everything", source, e.line, (int)e.length, e.word);
    case GL_SUPPRESS_BAD_BYTE:
        rt_die("%s:%zu: this line holds a NUL byte; a file of suppressions is text (ASCII or UTF-8)", source, e.line);
    case GL_SUPPRESS_NO_MEMORY:
        rt_die("%s: no memory for so many suppressions; lift the memory limit of the process", source);
    }
}

/* As it was given or, when it is relative and not there, beside the program. */
static void find_file(char path[PATH_SIZE])
{
    const char *given = rt.options.suppressions;
    gl_format(path, PATH_SIZE, "%s", given);
    if (given[0] == '/' || gl_os_exists(path))
        return;
    char beside[PATH_SIZE];
    long n = gl_os_readlink("/proc/self/exe", beside, 4096);
    while (n > 0 && beside[n - 1] != '/')
        n--;
    if (n <= 0)
        return;
    gl_format(beside + n, sizeof beside - (size_t)n, "%s", given);
    if (gl_os_exists(beside))
        gl_format(path, PATH_SIZE, "%s", beside);
}

static void read_file(void)
{
    char path[PATH_SIZE];
    find_file(path);
    char *text = gl_os_map(FILE_MAX);
    long n = text ? gl_os_read_file(path, text, FILE_MAX) : 0;
    if (!text)
        rt_die("no memory to read the suppressions; lift the memory limit of the process");
    if (n == -7 || n == -27) /* E2BIG, EFBIG */
        rt_die("the suppressions file %s is larger than 4 MiB; give a smaller one", path);
    if (n < 0)
        rt_die("cannot read the suppressions file %s (%s, error %d); set suppressions to a file that exists", path, gl_os_error((int)-n), (int)-n);
    char source[PATH_SIZE + 32];
    gl_format(source, sizeof source, "suppressions file %s", path);
    parse(source, text, (size_t)n);
}

void rt_suppressions_read(void)
{
    list.env = gl_core_env(rt.core);
    if (rt.options.suppressions[0])
        read_file();
    const char *own = __tsan_default_suppressions();
    if (own)
        parse("__tsan_default_suppressions()", own, __builtin_strlen(own));
}

/* ---- asking ---- */

bool rt_suppressed(const struct gl_report *r)
{
    struct gl_suppression *by = gl_suppress_report(&list, r, rt_report_frames, NULL);
    if (by)
        __atomic_fetch_add(&by->hits, 1, __ATOMIC_RELAXED); /* relaxed: a statistic, as below */
    return by != NULL;
}

bool rt_suppressions_any(void) { return list.count != 0; }

static bool module_ignored(uintptr_t pc)
{
    struct gl_frame f;
    if (!gl_symbol_module(pc, GL_PC_RETURN, &f))
        return false;
    if (rt.options.ignore_noninstrumented_modules && !gl_module_needs(pc, "__tsan_func_entry", (uintptr_t)&rt))
        return true;
    struct gl_suppression *by = gl_suppress_find(&list, GL_SUPPRESS_CALLED_FROM_LIB, f.module);
    if (by)
        __atomic_fetch_add(&by->hits, 1, __ATOMIC_RELAXED);
    return by != NULL;
}

/* Asked for each lock that is taken under another, and reading a module's table of symbols takes a millisecond where that is large: so the answers for the last
 * addresses are kept, each with the low bits of how many modules had ended.  relaxed: an entry is one word. */
bool rt_module_ignored(uintptr_t pc)
{
    enum { ENTRIES = 1024, ADDRESS_BITS = 48 };
    static _Atomic uint64_t known[ENTRIES];
    if (!pc || pc >> ADDRESS_BITS || (!list.of_type[GL_SUPPRESS_CALLED_FROM_LIB] && !rt.options.ignore_noninstrumented_modules))
        return false;
    _Atomic uint64_t *entry = &known[(pc ^ pc >> 10) % ENTRIES];
    uint64_t key = rt_modules_ended() << (ADDRESS_BITS + 1) | pc << 1, found = gl_load_relaxed(entry);
    if ((found & ~1ull) == key)
        return found & 1;
    bool ignored = module_ignored(pc);
    gl_store_relaxed(entry, key | ignored);
    return ignored;
}

void rt_suppressions_print(void)
{
    size_t matched = 0;
    uint64_t hits = 0;
    char line[512];
    for (size_t i = 0; i < list.count; i++) {
        matched += list.item[i].hits != 0;
        hits += list.item[i].hits;
    }
    if (!rt.options.print_suppressions || !matched)
        return;
    int n = gl_format(line, sizeof line, "%s: Matched %llu suppressions (pid=%u):\n",
                      rt.options.format == RT_FORMAT_TSAN ? "ThreadSanitizer" : "Goldilocks", (unsigned long long)hits, gl_os_pid());
    rt_print(line, (size_t)n);
    for (size_t i = 0; i < list.count; i++) {
        const struct gl_suppression *s = &list.item[i];
        if (!s->hits)
            continue;
        n = gl_format(line, sizeof line, "%llu %s:%.*s\n", (unsigned long long)s->hits, gl_suppress_word(s->type),
                      (int)(s->length < 400 ? s->length : 400), s->pattern);
        rt_print(line, (size_t)n);
    }
}
