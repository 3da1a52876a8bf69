/* SPDX-License-Identifier: Apache-2.0
 *
 * `goldilocks cc` and `goldilocks c++`: the user's compiler with the flags that instrument a program for
 * us, close the holes that no runtime can close, and link our runtime; then it becomes the compiler (exec).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "cli/compiler.h"

/* Under its own names gcc expands these inline whatever the flags are, and libstdc++'s headers use them.  Those that are told how much room
 * there is it calls, unless it knows the room.  Here that is SIZE_MAX: a return address is below 2^48, which gcc does not know. */
#define ROOM_HIDDEN(name, room) "-D__builtin_" name "(...)=__builtin___" name "_chk(__VA_ARGS__,(" room ")-1)"
#define ROOM_C "(__SIZE_TYPE__)((char*)__builtin_return_address(0)-(char*)0)>>48"
#define ROOM_CXX "__builtin_is_constant_evaluated()?0:reinterpret_cast<__SIZE_TYPE__>(__builtin_return_address(0))>>48"
#define ROOMS_HIDDEN(room) ROOM_HIDDEN("memcpy", room), ROOM_HIDDEN("memmove", room), ROOM_HIDDEN("memset", room)
/* Of this one it expands calls whose length it knows: 0 is added to that. */
#define LENGTH_HIDDEN(name, zero) "-D__builtin_" name "(...)=__builtin_" name "(__VA_ARGS__+(" zero "))"

static const char *const hidden_c[] = {ROOMS_HIDDEN(ROOM_C), NULL};
static const char *const hidden_cxx[] = {ROOMS_HIDDEN(ROOM_CXX), LENGTH_HIDDEN("memcmp", ROOM_CXX), NULL};

/* Without our pass: gcc expands these inline, from -O1 on without instrumenting the bytes that they touch; as calls,
 * the runtime sees them. */
static const char *const gcc_flags[] = {
    "-fno-builtin-memcpy",  "-fno-builtin-memmove",
    "-fno-builtin-memset",  "-fno-builtin-memcmp",
    "-fno-builtin-bcmp",    "-fno-builtin-bzero",
    "-fno-builtin-mempcpy", "-fno-builtin-strcpy",
    "-fno-builtin-stpcpy",  "-fno-builtin-strncpy",
    "-fno-builtin-strcat",  "-fno-builtin-strcmp",
    "-fno-builtin-strncmp", "-fno-builtin-strncat",
    "-fno-builtin-sprintf", "-fno-builtin-snprintf",
    "-Wno-variadic-macros", /* of ours, with -std=c90 -pedantic */
    NULL,
};

/* clang instruments no vector access that its optimizer makes out of several plain ones, and drops a
 * read that a write of the same address follows. */
static const char *const clang_flags[] = {
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-mllvm",
    "-tsan-instrument-read-before-write=1",
    "-grecord-command-line", /* gcc does; symbol/build.h reads it */
    NULL,
};

/* With --inline: the filter's body in each source file, where the linker's optimizer finds it.  Ours come first: -fno-lto of the
 * user's turns that off, and all is as without --inline. */
static const char *const inline_flags[] = {
    "--start-no-unused-arguments",
    "-flto=thin",
    "-include",
    NULL,
};

/* With link-time optimization: clang 14 calls them by their own names, and the linker's optimizer would expand them where nothing is seen. */
static const char *const lto_flags[] = {
    "-fno-builtin-memcpy",
    "-fno-builtin-memmove",
    "-fno-builtin-memset",
    NULL,
};

/* Functions of the program are not put into one another when linking: each has its entry in the call stacks by now. */
#define INLINE_LINK_FLAG "-Wl,-plugin-opt=-inline-threshold=-1000000"

#if defined(__x86_64__)
#define GL_INLINE_GCC true /* native/inline.s */
#else
#define GL_INLINE_GCC false
#endif

/* Knows all of clang_flags, --start-no-unused-arguments and -fno-sanitize-link-runtime. */
enum { CLANG_OLDEST = 14 };

/* Options whose value is the next word, which therefore is no input file. */
static const char with_value[] =
    " -o -x -I -L -l -D -U -A -B -G -T -u -z -e -F -include -imacros -isystem -iquote -idirafter -isysroot"
    " -iprefix -iwithprefix -iwithprefixbefore -imultilib -MF -MT -MQ -MJ -Xlinker -Xpreprocessor -Xassembler"
    " -Xclang -Xanalyzer -mllvm -mthread-model -arch -target -gcc-toolchain -framework --param --sysroot"
    " -aux-info -dumpbase -dumpbase-ext -dumpdir -wrapper -include-pch -rpath -ivfsoverlay ";

/* Options after which the compiler does not link; -r makes an object, not a program. */
static const char without_link[] = " -c -S -E -M -MM -fsyntax-only -r --precompile -emit-ast --analyze ";

/* Options of the compilers that mean --static-runtime. */
static const char wants_inside[] = " -static-libtsan -static-libsan ";

/* Options after which the program needs no shared library. */
static const char fully_static[] = " -static -static-pie --static ";

/* Is `word` one of the words of `list`, which has a blank before and after each? */
static bool is_one_of(const char *word, const char *list)
{
    size_t n = strlen(word);
    if (word[strcspn(word, " ")]) return false;
    for (const char *at = list; n && (at = strstr(at, word)); at++)
        if (at[-1] == ' ' && at[n] == ' ') return true;
    return false;
}

/* Sanitizers with a runtime of their own, or none; any other one is a part of UndefinedBehaviorSanitizer. */
static const char apart[] =
    " address hwaddress memory leak dataflow fuzzer fuzzer-no-link kernel-address kernel-memory safe-stack cfi shadow-call-stack ";

/* Does -fsanitize=`list` ask for checks of undefined behaviour? */
static bool asks_for_ubsan(const char *list)
{
    for (; *list; list += *list == ',') {
        char name[64];
        size_t n = strcspn(list, ",");
        snprintf(name, sizeof name, "%.*s", (int)n, list);
        if (strcmp(name, "thread") != 0 && !is_one_of(name, apart)) return true;
        list += n;
    }
    return false;
}

/* The -fsanitize= word without `thread`; NULL: nothing is left of it.  The caller frees it. */
static char *without_thread(const char *word)
{
    char *out = strdup(word), *to = out ? strchr(out, '=') + 1 : NULL;
    if (!out) abort();
    for (const char *at = strchr(word, '=') + 1; *at;) {
        size_t n = strcspn(at, ",");
        if (n != strlen("thread") || strncmp(at, "thread", n) != 0) {
            if (to[-1] != '=') *to++ = ',';
            memcpy(to, at, n);
            to += n;
        }
        at += n + (at[n] == ',');
    }
    *to = 0;
    if (to[-1] != '=') return out;
    free(out);
    return NULL;
}

struct job {
    bool links; /* the compiler will be asked to link something */
    bool ubsan;
    bool lto;
    bool no_lto; /* -fno-lto */
    bool compiles_lto;
    bool is_static; /* the program will be */
    bool shared;    /* it is a library */
    bool inside;    /* the runtime is to be */
    bool cxx_inside; /* the C++ library is to be */
    bool c, cplusplus; /* -x says so; of C++ also a file's name */
    bool named_c;      /* a file is, which is C to gcc and C++ to g++ */
    bool d;            /* a file is of that language, whose compiler wants no headers of ours */
    bool intel;     /* gcc writes that syntax */
};

static void study_language(const char *name, struct job *out)
{
    if (strcmp(name, "c") == 0) out->c = true;
    if (strcmp(name, "c++") == 0) out->cplusplus = true;
}

static void study_name(const char *ending, struct job *out)
{
    if (strcmp(ending, "c") == 0) out->named_c = true;
    if (strcmp(ending, "d") == 0) out->d = true;
    if (is_one_of(ending, " cc cp cxx cpp CPP c++ C ii ")) out->cplusplus = true;
}

/* Is the file a header, which the compiler makes ready and does not link?  language: of the last -x, or NULL. */
static bool is_header(const char *name, const char *language)
{
    const char *dot = strrchr(name, '.');
    if (language && strcmp(language, "none") != 0) return is_one_of(language, " c-header c++-header c++-system-header c++-user-header ");
    return dot && is_one_of(dot + 1, " h hh hp hxx hpp HPP h++ tcc H ");
}

/* false: a sentence has been printed. */
static bool study(const struct gl_command *cmd, char **words, struct job *out)
{
    bool input = false, only_headers = true, link = true, lto = false, libcxx = false;
    const char *language = NULL;
    *out = (struct job){0};
    for (char **w = words; *w; w++) {
        if (is_one_of(*w, wants_inside)) out->inside = true;
        if (is_one_of(*w, fully_static)) out->is_static = true;
        if (strcmp(*w, "-shared") == 0) out->shared = true;
        if (strcmp(*w, "-static-libstdc++") == 0) out->cxx_inside = true;
        if (strcmp(*w, "-stdlib=libc++") == 0) libcxx = true;
        if (is_one_of(*w, without_link)) link = false;
        if (strncmp(*w, "-flto", 5) == 0) lto = true, out->no_lto = false;
        if (strncmp(*w, "-fsanitize=", 11) == 0 && asks_for_ubsan(*w + 11)) out->ubsan = true;
        if (strcmp(*w, "-fno-lto") == 0) lto = false, out->no_lto = true;
        if (strncmp(*w, "-masm=", 6) == 0) out->intel = strcmp(*w, "-masm=intel") == 0;
        if (strncmp(*w, "-x", 2) == 0) study_language(language = (*w)[2] || !w[1] ? *w + 2 : w[1], out);
        if (strncmp(*w, "-l", 2) == 0 || (*w)[0] != '-' || strcmp(*w, "-") == 0) {
            input = true;
            if (!is_header(*w, language)) only_headers = false;
        }
        if ((*w)[0] != '-' && strrchr(*w, '.')) study_name(strrchr(*w, '.') + 1, out);
        if (is_one_of(*w, with_value) && w[1]) w++;
    }
    out->links = input && link && !only_headers;
    if (out->links && out->is_static && libcxx) {
        gl_complain(cmd, "a static program cannot be linked with -stdlib=libc++; leave out one of the two options");
        return false;
    }
    out->lto = lto;
    out->compiles_lto = input && !link && lto;
    return true;
}

/* The command being built; the array has room for everything that is ever appended. */
struct line {
    const char **words;
    size_t count;
};

static void add(struct line *l, const char *word)
{
    l->words[l->count++] = word;
}

static void add_all(struct line *l, const char *const *words)
{
    while (*words) add(l, *words++);
}

enum { PASS_FLAG = PATH_MAX + 64 };

/* The flag for the pass of this name; NULL: there is none for this compiler. */
static const char *find_pass(const struct gl_compiler *cc, const char *folder, const char *name, char flag[static PASS_FLAG])
{
    if (!cc->packaged) return NULL;
    int n = snprintf(flag, PASS_FLAG, "%s=%s/", cc->family == GL_GCC ? "-fplugin" : "-fpass-plugin", folder);
    snprintf(flag + n, PASS_FLAG - (size_t)n, name, cc->version);
    return access(strchr(flag, '=') + 1, R_OK) == 0 ? flag : NULL;
}

/* The flag for the pass that tells what the compiler leaves out; NULL: there is none. */
static const char *find_completion(const struct gl_compiler *cc)
{
    static char buffer[PASS_FLAG];
    const char *folder = gl_library_folder_if_any();
    return folder ? find_pass(cc, folder, cc->family == GL_CLANG ? GL_COMPLETE_NAME : GL_COMPLETE_GCC_NAME, buffer) : NULL;
}

static void add_inline_flags(struct line *l, const struct gl_compiler *cc, const char *folder)
{
    static char header[PATH_MAX + sizeof GL_INLINE_NAME + 1], buffer[PASS_FLAG];
    if (cc->family == GL_GCC) { /* -Wa, would split a folder name at its commas */
        snprintf(header, sizeof header, "%s/%s", folder, GL_INLINE_GCC_NAME);
        add(l, "-Xassembler");
        add(l, header);
        return;
    }
    snprintf(header, sizeof header, "%s/%s", folder, GL_INLINE_NAME);
    add_all(l, inline_flags);
    add(l, header);
    const char *rows = find_pass(cc, folder, GL_ROWS_NAME, buffer);
    if (rows) add(l, rows);
    add(l, "--end-no-unused-arguments");
}

/* own_ubsan: clang is to link the runtime of UndefinedBehaviorSanitizer, which with -fsanitize=thread would be a part of that one's: so
 * only its compiler proper hears of threads (see add_last_flags()).  static_folder: of a static link, else NULL.  gcc refuses to link
 * with -static and -fsanitize=thread, and would add its own runtime for -static-pie: our specs keep the flag from all but its compilers
 * proper. */
static void add_compile_flags(struct line *l, const struct gl_compiler *cc, const char *static_folder, bool own_ubsan, bool cplusplus)
{
    static char specs[PATH_MAX + 64];
    if (static_folder && cc->family == GL_GCC) {
        snprintf(specs, sizeof specs, "-specs=%s/gcc.specs", static_folder);
        add(l, specs);
    } else if (own_ubsan) {
        add(l, "--start-no-unused-arguments");
        add(l, "-Xclang");
        add(l, "-fsanitize=thread");
        add(l, "--end-no-unused-arguments");
    } else {
        add(l, "-fsanitize=thread");
    }
    add(l, "-g1"); /* line numbers for the reports; a -g of the user's comes later and wins */
    const char *completion = find_completion(cc);
    if (cc->family == GL_GCC) {
        add(l, "-Wno-tsan"); /* it warns that its own libtsan ignores fences; ours does not */
        if (completion) {
            add(l, completion);
        } else {
            add_all(l, gcc_flags);
            add_all(l, cplusplus ? hidden_cxx : hidden_c);
        }
    } else if (completion) { /* in front of our other passes: a loop in which it tells something is no row */
        add(l, "--start-no-unused-arguments");
        add(l, completion);
        add(l, "--end-no-unused-arguments");
    }
}

/* What must come after the user's words, because a word there would undo it: -O2 turns clang's vectorizers on
 * again, and a fortified call is expanded inline by gcc again.  And the folder of our headers, behind all of the user's, which D has no use for. */
static void add_last_flags(struct line *l, const struct gl_compiler *cc, bool lto, bool own_ubsan, bool d)
{
    /* These do nothing when there is only an object to link: that must not become a warning. */
    if (cc->family == GL_CLANG) add(l, "--start-no-unused-arguments");
    const char *headers = gl_header_folder();
    if (headers && !d) {
        add(l, "-idirafter"); /* where the compiler looks last */
        add(l, headers);
    }
    if (cc->family == GL_GCC) {
        add(l, "-U_FORTIFY_SOURCE");
        return;
    }
    add_all(l, clang_flags);
    if (lto) add_all(l, lto_flags);
    if (own_ubsan) add(l, "-fno-sanitize=thread"); /* the user's, for the driver; -Xclang's stays */
    add(l, "--end-no-unused-arguments");
}

/* gcc adds -ltsan itself, and -L makes that ours.  clang would link its static runtime: it is told not to,
 * and ours stands first, because -x of the user's would turn it into a source file, and kept, because
 * nothing needs it yet at that point. */
static void add_link_flags(struct line *l, const struct gl_compiler *cc, const char *folder, const char *cxx_inside, bool own_ubsan)
{
    const char *from = cxx_inside ? cxx_inside : folder;
    static char library[PATH_MAX + 32], search[PATH_MAX + 32];
    if (cc->family == GL_GCC) {
        snprintf(search, sizeof search, "-L%s", from);
        add(l, search);
    } else {
        snprintf(library, sizeof library, "%s/%s", from, GL_RUNTIME_NAME);
        if (!own_ubsan) add(l, "-fno-sanitize-link-runtime");
        add(l, "-Wl,--push-state,--no-as-needed");
        add(l, library);
        add(l, "-Wl,--pop-state");
    }
    /* Word by word: -Wl, would split a folder name at its commas. */
    add(l, "-Xlinker");
    add(l, "-rpath");
    add(l, "-Xlinker");
    add(l, folder);
}

/* The runtime whole, because nothing asks for most of it by name, and before it is known whether anything asks at all; then the
 * C library's functions behind it, of which some are in libm. */
static void add_static_link_flags(struct line *l, const struct gl_compiler *cc, const char *folder, bool cplusplus)
{
    static char search[PATH_MAX + 32];
    snprintf(search, sizeof search, "-L%s", folder);
    add(l, search);
    if (cc->family == GL_CLANG) add(l, "-fno-sanitize-link-runtime");
    add(l, "-Wl,--whole-archive,-lgoldilocks_static");
    if (cplusplus) add(l, "-Wl,-lgoldilocks_static_cxx");
    add(l, "-Wl,--no-whole-archive,-lm");
    if (cplusplus) add(l, "-Wl,-lstdc++");
}

/* The runtime as clang itself takes its own, and gcc with -static-libtsan: inside the program, whole, because libraries that the program loads may ask for any
 * of it, and shown to these; a library has none and finds the program's. */
static void add_runtime_inside(struct line *l, const struct gl_compiler *cc, const char *inside, bool shared, bool own_ubsan)
{
    static char search[PATH_MAX + 32], archive[PATH_MAX + 32], list[PATH_MAX + 64];
    if (cc->family == GL_GCC) { /* it names the archive itself */
        snprintf(search, sizeof search, "-L%s", inside);
        add(l, "-static-libtsan");
        add(l, search);
    } else if (!own_ubsan) {
        add(l, "-fno-sanitize-link-runtime");
    }
    if (shared) return;
    if (cc->family == GL_CLANG) {
        snprintf(archive, sizeof archive, "%s/libtsan.a", inside);
        add(l, "-Wl,--whole-archive");
        add(l, "-Xlinker"); /* -Wl, would split it at its commas */
        add(l, archive);
        add(l, "-Wl,--no-whole-archive");
    }
    snprintf(list, sizeof list, "--dynamic-list=%s/exports.list", inside);
    add(l, "-Xlinker");
    add(l, list);
}

/* One line that a shell reads back as the same words. */
static void print_command(const struct line *l)
{
    for (size_t i = 0; i < l->count; i++) {
        const char *w = l->words[i];
        if (i) putchar(' ');
        bool plain =
            *w && !w[strspn(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+,./:@%")];
        if (plain) {
            fputs(w, stdout);
            continue;
        }
        putchar('\'');
        for (; *w; w++) {
            if (*w == '\'')
                fputs("'\\''", stdout);
            else
                putchar(*w);
        }
        putchar('\'');
    }
    putchar('\n');
}

/* NULL: a sentence has been printed. */
static const char *find_static_folder(const struct gl_command *cmd, const char *folder)
{
    static char found[PATH_MAX + 16];
    char archive[PATH_MAX + 64];
    snprintf(found, sizeof found, "%s/static", folder);
    snprintf(archive, sizeof archive, "%s/libgoldilocks_static.a", found);
    if (access(archive, R_OK) == 0) return found;
    gl_complain(cmd, "there is no '%s', which static programs need; build Goldilocks again, or link without -static", archive);
    return NULL;
}

/* Where is what a program is linked with that has the C++ library inside (cmake/cxx_inside)?  NULL: a sentence has been printed. */
static const char *find_cxx_inside(const struct gl_command *cmd, const char *folder)
{
    static char found[PATH_MAX + 16];
    char library[PATH_MAX + 32];
    snprintf(found, sizeof found, "%s/cxx_inside", folder);
    snprintf(library, sizeof library, "%s/%s", found, GL_RUNTIME_NAME);
    if (access(library, R_OK) == 0) return found;
    gl_complain(cmd, "there is no '%s', which -static-libstdc++ needs; build Goldilocks again, or leave it out", library);
    return NULL;
}

/* Where --static-runtime finds what it links; NULL: a sentence has been printed. */
static const char *find_inside(const struct gl_command *cmd, const struct gl_compiler *cc, const char *folder, const char *cxx_inside, bool ubsan)
{
    static char found[PATH_MAX + 16];
    char archive[PATH_MAX + 32];
    if (ubsan && cc->family == GL_CLANG) {
        gl_complain(cmd, "--static-runtime and -fsanitize=undefined do not go together with clang, whose runtimes of both have functions of the same names; leave one of them "
                    "out");
        return NULL;
    }
    if (cxx_inside)
        snprintf(found, sizeof found, "%s", cxx_inside);
    else
        snprintf(found, sizeof found, "%s/inside", folder);
    snprintf(archive, sizeof archive, "%s/libtsan.a", found);
    if (access(archive, R_OK) == 0) return found;
    gl_complain(cmd, "there is no '%s', which --static-runtime needs; build Goldilocks again, or leave it out", archive);
    return NULL;
}

static int run_cc(const struct gl_command *cmd, int argc, char **argv)
{
    struct gl_compiler cc;
    struct job job;
    bool print = false, inlined = false, inside = false;
    char **words = argv + 1;
    /* Only before the compiler's own words, which may hold anything. */
    for (; *words; words++) {
        if (strcmp(*words, "--print-command") == 0) {
            print = true;
        } else if (strcmp(*words, "--inline") == 0) {
            inlined = true;
        } else if (strcmp(*words, "--static-runtime") == 0) {
            inside = true;
        } else if (strcmp(*words, "--help") == 0) {
            gl_print_usage(cmd);
            return GL_EXIT_OK;
        } else {
            break;
        }
    }
    if (!*words)
        return gl_complain(cmd, "nothing to compile was given; 'goldilocks help %s' shows the use",
                           cmd->name);
    for (char **w = words + 1; *w; w++) /* gcc takes the first for an old spelling of -finline */
        if (is_one_of(*w, " --inline --static-runtime ") && !is_one_of(w[-1], with_value))
            return gl_complain(cmd, "%s must come before the compiler's arguments; write goldilocks %s %s ...", *w, cmd->name, *w);
    if (!study(cmd, words, &job)) return GL_EXIT_USAGE;
    if (!gl_compiler_find(cmd, cmd == &gl_command_cxx, &cc)) return GL_EXIT_USAGE;
    if (cc.family == GL_CLANG && cc.version < CLANG_OLDEST)
        return gl_complain(
            cmd, "'%s' is clang %d, and %d is the oldest that we can use; set GOLDILOCKS_CC to another",
            cc.name, cc.version, CLANG_OLDEST);
    if (inlined && cc.family == GL_GCC && job.intel)
        return gl_complain(cmd, "--inline and -masm=intel do not go together with gcc, since --inline writes the other syntax; leave one of them out");
    if (inlined && cc.family == GL_GCC && !GL_INLINE_GCC)
        return gl_complain(cmd, "--inline with gcc is for x86-64 only; set %s=clang or leave it out",
                           cmd == &gl_command_cxx ? "GOLDILOCKS_CXX" : "GOLDILOCKS_CC");
    const char *folder = NULL, *static_folder = NULL, *inside_folder = NULL, *cxx_inside = NULL;
    if ((job.links || inlined) && !(folder = gl_library_folder(cmd))) return GL_EXIT_USAGE;
    if (job.links && job.is_static && !(static_folder = find_static_folder(cmd, folder))) return GL_EXIT_USAGE;
    inside = (inside || job.inside) && job.links && !static_folder; /* it is anyway with -static */
    if (job.links && job.cxx_inside && !static_folder && !(cxx_inside = find_cxx_inside(cmd, folder))) return GL_EXIT_USAGE;
    if (inside && !(inside_folder = find_inside(cmd, &cc, folder, cxx_inside, job.ubsan && !job.shared))) return GL_EXIT_USAGE;
    if (job.links && !static_folder && !inside && folder[strcspn(folder, ":$")]) /* the program would run on the compiler's own runtime */
        return gl_complain(cmd, "the runtime is in '%s', and a program's run path cannot name a folder with ':' or '$' in its name; move it", folder);
    if (job.compiles_lto && cc.family == GL_GCC)
        fprintf(stderr,
                "goldilocks %s: note: with -flto, gcc instruments when it links; link these objects with "
                "'goldilocks %s' too\n",
                cmd->name, cmd->name);

    enum { OURS_MAX = 64 }; /* more words than add_* can add */
    struct line line = {calloc((size_t)argc + OURS_MAX, sizeof(char *)), 0};
    if (!line.words) abort();
    add(&line, cc.name);
    bool own_ubsan = job.ubsan && job.links && !static_folder && cc.family == GL_CLANG;
    bool cplusplus = !job.c && (cmd == &gl_command_cxx || (job.cplusplus && !job.named_c));
    add_compile_flags(&line, &cc, static_folder, own_ubsan, cplusplus);
    if (inlined) add_inline_flags(&line, &cc, folder);
    if (static_folder)
        add_static_link_flags(&line, &cc, static_folder, cmd == &gl_command_cxx);
    else if (inside)
        add_runtime_inside(&line, &cc, inside_folder, job.shared, own_ubsan);
    else if (job.links)
        add_link_flags(&line, &cc, folder, cxx_inside, own_ubsan);
    if (job.links && inlined && cc.family == GL_CLANG && !job.no_lto) add(&line, INLINE_LINK_FLAG); /* else there is no plugin to hear it */
    for (char **w = words; *w; w++) {
        bool value = w > words && is_one_of(w[-1], with_value);
        if (!value && is_one_of(*w, wants_inside)) continue; /* it was done above */
        if (inlined && cc.family == GL_GCC && strcmp(*w, "-pipe") == 0) continue; /* the assembler would read our file in place of the compiler's output */
        if (!value && static_folder && cc.family == GL_GCC && strncmp(*w, "-fsanitize=", 11) == 0) { /* our specs keep it from the link only where it is ours */
            const char *left = without_thread(*w); /* for the compiler, which takes our place */
            if (left) add(&line, left);
            continue;
        }
        add(&line, *w);
    }
    add_last_flags(&line, &cc, job.lto || inlined, own_ubsan, job.d);
    if (print) {
        print_command(&line);
        free(line.words);
        return GL_EXIT_OK;
    }
    execvp(cc.name, (char **)line.words);
    free(line.words);
    return gl_complain(cmd, "the compiler '%s' cannot be started: %s", cc.name, strerror(errno));
}

#define CC_TEXT(which)                                                                                            \
    "Compiles and links with the same arguments as the compiler itself, and makes a program that reports its\n"   \
    "data races when it runs, by itself or under 'goldilocks run'. To the compiler's command line are added\n"     \
    "-fsanitize=thread, the flags without which the compiler leaves accesses uninstrumented, -g1 for file names\n" \
    "and lines in reports (your own -g wins), the folder of the headers goldilocks/race.h and annotate.h, and,\n"  \
    "when it links, the Goldilocks runtime.\n"                                                                    \
    "\n" which                                                                                                    \
    "\n"                                                                                                          \
    "In a build system, use it as the compiler: make CC='goldilocks cc' CXX='goldilocks c++'\n"                   \
    "\n"                                                                                                          \
    "The options below come before the compiler's arguments. With --inline, clang writes object files of LLVM\n"  \
    "bitcode; to put them into a static library, use clang's own archiver (AR=llvm-ar-19).\n"

static const struct gl_flag flags[] = {
    {"inline", NULL, "Put the check of an access into the program's own code: faster, larger"},
    {"static-runtime", NULL, "Put the runtime into the program, as clang's own: faster, larger"},
    {"print-command", NULL, "Print the compiler's command line, and do not run it"},
    {NULL, NULL, NULL},
};

const struct gl_command gl_command_cc = {
    .name = "cc",
    .arguments = "[--inline] [--static-runtime] [--print-command] COMPILER-ARGUMENTS",
    .summary = "compile and link a C program for Goldilocks",
    .text = CC_TEXT("The compiler is gcc, whatever Goldilocks itself was built with. Set the environment variable GOLDILOCKS_CC to\n"
                    "choose another one, by name or path: gcc-12, clang, clang-19 (clang must be version 14 or newer).\n"
                    "'goldilocks cc --version' shows which one is taken.\n"),
    .flags = flags,
    .run = run_cc,
};

const struct gl_command gl_command_cxx = {
    .name = "c++",
    .arguments = "[--inline] [--static-runtime] [--print-command] COMPILER-ARGUMENTS",
    .summary = "the same for C++",
    .text = CC_TEXT("The compiler is g++, whatever Goldilocks itself was built with. Set the environment variable GOLDILOCKS_CXX to\n"
                    "choose another one, by name or path, or GOLDILOCKS_CC, whose C++ twin is taken then: for clang-19 that is\n"
                    "clang++-19 (clang must be version 14 or newer).\n"
                    "'goldilocks c++ --version' shows which one is taken.\n"),
    .flags = flags,
    .run = run_cc,
};
