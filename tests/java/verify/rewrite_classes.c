/* SPDX-License-Identifier: Apache-2.0
 *
 * Rewrites all classes below a folder, as if every one were an application class:
 *
 *     rewrite_classes [OPTION]... FROM TO
 *         --flags N       the bits of gl_jpolicy.flags (default: all of GL_JR_*)
 *         --site N        the number of the first site (default 1)
 *         --repeat N      rewrite each class so often (to measure)
 *         --list          name every method that is left alone
 *
 * TO gets a file for each that changes.  Files that are not class files are left out.  Prints one line of totals; ends with 1 when a class was
 * called malformed, or when what was written could not be read again.
 */
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "java/rewrite.h"

static struct {
    const char *from, *to;
    unsigned flags;
    int repeat;
    bool list;
    uint32_t first_site, site;
    unsigned long classes, changed, bytes, more, skipped, malformed;
    double seconds;
} job = {.flags = GL_JR_DATA | GL_JR_SYNC | GL_JR_MEMBERS | GL_JR_MAKE_CLINIT | GL_JR_CLASS_USE | GL_JR_CONSTANTS | GL_JR_LOADERS, .repeat = 1, .first_site = 1};

static uint32_t on_site(void *ctx, const struct gl_jplace *place)
{
    (void)ctx;
    (void)place;
    return job.site++;
}

static void on_skipped(void *ctx, const char *class_name, const char *method, const char *method_desc,
                       const char *why)
{
    (void)ctx;
    job.skipped++;
    if (job.list)
        printf("%s.%s%s: %s\n", class_name, method, method_desc, why);
}

static const struct gl_jcall_rule calls[] = {
    {NULL, "wait", "()V", "goldilocks/rt/R", "await", "(Ljava/lang/Object;)V", 0, false},
    {NULL, "wait", "(J)V", "goldilocks/rt/R", "await", "(Ljava/lang/Object;J)V", 0, false},
    {NULL, "wait", "(JI)V", "goldilocks/rt/R", "await", "(Ljava/lang/Object;JI)V", 0, false},
    {"java/lang/System", "arraycopy", "(Ljava/lang/Object;ILjava/lang/Object;II)V", "goldilocks/rt/R",
     "arraycopy", "(Ljava/lang/Object;ILjava/lang/Object;III)V", GL_JCALL_STATIC, true},
};

#define OBJECT "Ljava/lang/Object;"
#define R "goldilocks/rt/R"
static const struct gl_jaround_rule around[] = {
    {NULL, "clone", "()" OBJECT, R, "cloning", "(" OBJECT "I)V", "cloned", "(" OBJECT ")V", 0, true, NULL},
    {NULL, "put", "(" OBJECT OBJECT ")" OBJECT, R, "two", "(" OBJECT OBJECT "I)V", "cloned", "(" OBJECT ")V", 0, true, NULL},
    {NULL, "arraycopy", NULL, R, "at", "(I)V", "atDone", "()V", 0, true, NULL},
    {NULL, "hashCode", "()I", R, "cloned", "(" OBJECT ")V", "number", "(I)V", GL_JCALL_VIRTUAL, false, NULL},
    {"java/lang/invoke/VarHandle", NULL, NULL, R, "at", "(I)V", "atDone", "()V", GL_JCALL_VIRTUAL, true, NULL},
};

static struct gl_jcall_filter filter; /* of these */

static const struct gl_jpolicy policy_of_all = {.site = on_site,
                                                .skipped = on_skipped,
                                                .calls = calls,
                                                .n_calls = sizeof calls / sizeof calls[0],
                                                .arounds = around,
                                                .n_arounds = sizeof around / sizeof around[0],
                                                .filter = &filter};

static uint8_t *read_file(const char *path, size_t size)
{
    FILE *f = fopen(path, "rb");
    uint8_t *bytes = malloc(size ? size : 1);
    if (!f || !bytes || fread(bytes, 1, size, f) != size) {
        fprintf(stderr, "rewrite_classes: cannot read %s\n", path);
        exit(2);
    }
    fclose(f);
    return bytes;
}

static void write_file(const char *name, const struct gl_jbytes *bytes)
{
    char path[4096];
    if ((size_t)snprintf(path, sizeof path, "%s/%s", job.to, name) >= sizeof path) {
        fprintf(stderr, "rewrite_classes: %s/%s is too long a name\n", job.to, name);
        exit(2);
    }
    for (char *p = path + strlen(job.to) + 1; (p = strchr(p, '/')); *p++ = '/') {
        *p = 0;
        mkdir(path, 0777);
    }
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(bytes->at, 1, bytes->n, f) != bytes->n || fclose(f) != 0) {
        fprintf(stderr, "rewrite_classes: cannot write %s: %s\n", path, strerror(errno));
        exit(2);
    }
}

/* Asking alone gives the same answer, and a filter of its own changes nothing. */
static bool is_the_same(const uint8_t *in, size_t n, struct gl_jpolicy policy, int result, const struct gl_jbytes *out)
{
    char error[GL_JERROR_BYTES];
    struct gl_jbytes again = {0};
    policy.skipped = NULL;
    policy.filter = NULL;
    job.site = job.first_site;
    bool same = gl_jrewrite(in, n, &policy, &again, error) == result && again.n == out->n &&
                (!again.n || memcmp(again.at, out->at, again.n) == 0);
    free(again.at);
    int asked = gl_jrewrite(in, n, &policy, NULL, error);
    return same && (asked == result || (result == GL_JR_MALFORMED && asked == GL_JR_REWRITTEN));
}

static void rewrite_class(const char *path, size_t size)
{
    const char *name = path + strlen(job.from) + 1;
    uint8_t *in = read_file(path, size);
    struct gl_jpolicy policy = policy_of_all;
    policy.flags = job.flags;
    struct gl_jbytes out = {0};
    char error[GL_JERROR_BYTES];
    int result = GL_JR_NOTHING;
    struct timespec from, to;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
    for (int k = 0; k < job.repeat; k++) {
        free(out.at);
        out = (struct gl_jbytes){0};
        job.site = job.first_site;
        result = gl_jrewrite(in, size, &policy, &out, error);
    }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
    job.seconds += (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
    job.classes++;
    job.bytes += size;
    if (!is_the_same(in, size, policy, result, &out)) {
        printf("%s: rewritten in another way, it becomes something else\n", name);
        job.malformed++;
    }
    if (result == GL_JR_MALFORMED) {
        printf("%s: %s\n", name, error);
        job.malformed++;
    } else if (result == GL_JR_REWRITTEN) {
        struct gl_jscan look = {0};
        if (gl_jclass_scan(out.at, out.n, &look, error) != 0) {
            printf("%s: rewritten, and then: %s\n", name, error);
            job.malformed++;
        }
        job.changed++;
        job.more += out.n - size;
        write_file(name, &out);
    }
    free(out.at);
    free(in);
}

static int visit(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)ftw;
    size_t n = strlen(path);
    if (type == FTW_F && n > 6 && strcmp(path + n - 6, ".class") == 0)
        rewrite_class(path, (size_t)st->st_size);
    return 0;
}

int main(int argc, char **argv)
{
    int i = 1;
    for (; i < argc && argv[i][0] == '-'; i++) {
        if (strcmp(argv[i], "--list") == 0) {
            job.list = true;
        } else if (i + 1 < argc && strcmp(argv[i], "--flags") == 0) {
            job.flags = (unsigned)strtoul(argv[++i], NULL, 0);
        } else if (i + 1 < argc && strcmp(argv[i], "--site") == 0) {
            job.first_site = (uint32_t)strtoul(argv[++i], NULL, 0);
        } else if (i + 1 < argc && strcmp(argv[i], "--repeat") == 0) {
            job.repeat = atoi(argv[++i]);
        } else {
            fprintf(stderr, "rewrite_classes: unknown option %s\n", argv[i]);
            return 2;
        }
    }
    if (argc - i != 2) {
        fprintf(stderr, "usage: rewrite_classes [--flags N] [--site N] [--repeat N] [--list] FROM TO\n");
        return 2;
    }
    gl_jcall_filter_make(&filter, calls, sizeof calls / sizeof calls[0], around, sizeof around / sizeof around[0]);
    job.from = argv[i];
    job.to = argv[i + 1];
    mkdir(job.to, 0777);
    if (nftw(job.from, visit, 64, FTW_PHYS) != 0) {
        fprintf(stderr, "rewrite_classes: cannot read %s\n", job.from);
        return 2;
    }
    printf("%lu classes, %lu rewritten, %lu methods left alone, %lu malformed; %.1f MB became %.1f MB, at "
           "%.0f MB/s\n",
           job.classes, job.changed, job.skipped, job.malformed, 1e-6 * (double)job.bytes,
           1e-6 * (double)(job.bytes + job.more), 1e-6 * (double)job.bytes * job.repeat / job.seconds);
    return job.malformed ? 1 : 0;
}
