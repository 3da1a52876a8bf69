/* SPDX-License-Identifier: Apache-2.0
 *
 * See file.h.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/file.h"

/* Up to so many bytes a file is in the page table from the start, in place of a fault for each few pages. */
#define MAPPED_AT_ONCE (256u << 20)

/* ---- what ends a command ---- */

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF};
enum { ENDING = sizeof ending / sizeof ending[0] };

/* The part that a signal removes; set while the signals are blocked. */
static const char *volatile unfinished;

static void remove_unfinished(int signal)
{
    if (unfinished)
        unlink(unfinished);
    raise(signal); /* SA_RESETHAND: now it ends us */
}

/* The file that is mapped, and what is said when its end goes away. */
static struct {
    const char *volatile begin, *volatile end;
    char *volatile sentence;
} looked_at;

static void lost(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)context;
    const char *at = info->si_addr;
    if (unfinished)
        unlink(unfinished);
    if (at < looked_at.begin || at >= looked_at.end || !looked_at.sentence)
        return; /* a fault of our own: SA_RESETHAND, and the access is made again */
    ssize_t done = write(STDERR_FILENO, looked_at.sentence, strlen(looked_at.sentence));
    (void)done;
    _exit(GL_EXIT_USAGE);
}

/* One mapping at a time, that of the last input that was opened. */
static void look_at(const struct gl_command *cmd, const struct gl_input *in)
{
    struct sigaction action = {.sa_sigaction = lost, .sa_flags = (int)(SA_RESETHAND | SA_SIGINFO)};
    char *sentence;
    if (asprintf(&sentence, "goldilocks %s: '%s' became shorter while it was read\n", cmd->name, in->name) < 0)
        abort(); /* out of memory in a small command */
    looked_at.sentence = sentence;
    looked_at.begin = in->bytes;
    looked_at.end = looked_at.begin + in->mapped;
    sigaction(SIGBUS, &action, NULL);
}

static void look_away(const struct gl_input *in)
{
    if (looked_at.begin != in->bytes)
        return;
    looked_at.end = looked_at.begin = NULL;
    free(looked_at.sentence);
    looked_at.sentence = NULL;
}

/* ---- input ---- */

static bool cannot_read(const struct gl_command *cmd, const char *name)
{
    gl_complain(cmd, "'%s' cannot be read: %s%s", name, strerror(errno),
                errno == ENOMEM ? "; end other programs, or raise the limit (ulimit -v)" : "");
    return false;
}

/* Who reads an input, and so how much of it is read here. */
enum reading {
    READ_ALL,
    READ_TRACE, /* all, if the first bytes are those of a trace */
    READ_ONCE   /* nothing of a stream */
};

/* Reads to the end, into a mapping that doubles. */
static bool read_all(const struct gl_command *cmd, int fd, enum reading how, struct gl_input *in)
{
    size_t size = 1 << 20, used = 0;
    char *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ssize_t got = 1;
    while (bytes != MAP_FAILED && got != 0) {
        if (used == size) {
            char *larger = mremap(bytes, size, size * 2, MREMAP_MAYMOVE);
            if (larger == MAP_FAILED)
                break;
            bytes = larger;
            size *= 2;
        }
        got = read(fd, bytes + used, size - used);
        bool looked = used >= GL_TRACE_DETECTED;
        if (got > 0)
            used += (size_t)got;
        else if (got < 0 && errno != EINTR)
            break;
        if (how == READ_TRACE && !looked && used >= GL_TRACE_DETECTED && !gl_trace_begins(bytes, used))
            got = 0; /* who opens it says that it is none */
    }
    if (bytes == MAP_FAILED || got != 0) {
        cannot_read(cmd, in->name);
        if (bytes != MAP_FAILED)
            munmap(bytes, size);
        return false;
    }
    in->bytes = bytes;
    in->size = used;
    in->mapped = size;
    return true;
}

static bool begin_stream(const struct gl_command *cmd, int fd, struct gl_input *in)
{
    in->stream = malloc(sizeof *in->stream);
    if (!in->stream)
        abort(); /* out of memory in a small command */
    in->fd = fd;
    if (gl_stream_open(in->stream, fd))
        return true;
    cannot_read(cmd, in->name);
    free(in->stream);
    in->stream = NULL;
    return false;
}

static bool take_input(const struct gl_command *cmd, int fd, enum reading how, struct gl_input *in)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return cannot_read(cmd, in->name);
    if (S_ISDIR(st.st_mode)) {
        gl_complain(cmd, "'%s' is a folder; give a file in it", in->name);
        return false;
    }
    /* Some files of /proc say that they are empty and are not. */
    if (!S_ISREG(st.st_mode) || st.st_size == 0)
        return how == READ_ONCE ? begin_stream(cmd, fd, in) : read_all(cmd, fd, how, in);
    in->size = in->mapped = (size_t)st.st_size;
    in->bytes = mmap(NULL, in->size, PROT_READ, MAP_PRIVATE | (in->size <= MAPPED_AT_ONCE ? MAP_POPULATE : 0), fd, 0);
    if (in->bytes == MAP_FAILED)
        return cannot_read(cmd, in->name);
    look_at(cmd, in);
    return true;
}

static bool open_input(const struct gl_command *cmd, const char *path, enum reading how, struct gl_input *in)
{
    bool standard = strcmp(path, "-") == 0;
    *in = (struct gl_input){.name = standard ? "standard input" : path, .bytes = ""};
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        if (errno != ENOENT)
            return cannot_read(cmd, path);
        gl_complain(cmd, "there is no file '%s'; %s", path, *path == '-' ? "options come before the files" : "check the path");
        return false;
    }
    bool fine = take_input(cmd, fd, how, in);
    if (!standard && !in->stream)
        close(fd);
    return fine;
}

bool gl_input_open(const struct gl_command *cmd, const char *path, struct gl_input *in)
{
    return open_input(cmd, path, READ_ALL, in);
}

bool gl_input_open_once(const struct gl_command *cmd, const char *path, struct gl_input *in)
{
    return open_input(cmd, path, READ_ONCE, in);
}

bool gl_input_open_trace(const struct gl_command *cmd, const char *path, enum gl_trace_format format, struct gl_input *in)
{
    return open_input(cmd, path, format == GL_TRACE_UNKNOWN ? READ_TRACE : READ_ALL, in);
}

struct gl_trace_reader *gl_input_reader(const struct gl_input *in, const struct gl_env *env, enum gl_trace_format format,
                                        struct gl_trace_error *error)
{
    return in->stream ? gl_trace_open_stream(env, &in->stream->trace, format, error)
                      : gl_trace_open(env, in->bytes, in->size, format, error);
}

void gl_input_close(struct gl_input *in)
{
    if (in->stream) {
        gl_stream_close(in->stream);
        free(in->stream);
        if (in->fd != STDIN_FILENO)
            close(in->fd);
    }
    look_away(in);
    if (in->mapped)
        munmap((void *)in->bytes, in->mapped);
    *in = (struct gl_input){.bytes = ""};
}

const char *gl_input_failure(const struct gl_input *in)
{
    return in->stream && in->stream->error ? strerror(in->stream->error) : NULL;
}

int gl_complain_trace(const struct gl_command *cmd, const struct gl_input *in,
                      const struct gl_trace_error *error)
{
    const char *failure = gl_input_failure(in);
    if (failure)
        return gl_complain(cmd, "'%s' cannot be read after %" PRIu64 " bytes: %s", in->name, error->offset, failure);
    if (error->line == 0)
        return gl_complain(cmd, "'%s', byte %" PRIu64 ": %s", in->name, error->offset, error->text);
    return gl_complain(cmd, "'%s', line %" PRIu64 ", column %" PRIu32 ": %s", in->name, error->line,
                       error->column, error->text);
}

void gl_note_no_end(const struct gl_command *cmd, const struct gl_input *in)
{
    gl_complain(cmd, "note: '%s' has no end, since what wrote it was stopped; it was read up to its last full chunk", in->name);
}

void gl_note_incomplete(const struct gl_command *cmd, const struct gl_input *in,
                        const struct gl_trace_reader *r)
{
    if (!gl_trace_is_complete(r))
        gl_note_no_end(cmd, in);
}

/* ---- output ---- */

/* The signals that end a command call `handler`, unless somebody ignores them. */
static void watch_signals(const char *part)
{
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    unfinished = part;
    for (int i = 0; i < ENDING; i++) {
        struct sigaction action = {.sa_handler = part ? remove_unfinished : SIG_DFL,
                                   .sa_flags = (int)SA_RESETHAND},
                         now;
        if (sigaction(ending[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaction(ending[i], &action, NULL);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
}

static void forget(struct gl_output *out)
{
    if (out->part)
        watch_signals(NULL);
    free(out->part);
    free(out->path);
    *out = (struct gl_output){0};
}

static bool cannot_write(struct gl_output *out, int error)
{
    gl_complain(out->cmd, "'%s' cannot be written: %s%s", out->name, strerror(error),
                out->part ? "; nothing was left behind" : "");
    return false;
}

#define PART ".part-XXXXXX"

/* Begins the file beside `path`, with the rights that the finished one is to have. */
static int begin_part(struct gl_output *out, const char *path, const struct stat *there)
{
    /* Through symbolic links, so that renaming replaces what they lead to. */
    out->path = there ? realpath(path, NULL) : strdup(path);
    if (!out->path)
        return -1;
    const char *slash = strrchr(out->path, '/'), *name = slash ? slash + 1 : out->path;
    size_t n = strlen(name), most = NAME_MAX - (sizeof PART - 1);
    if (asprintf(&out->part, "%.*s" PART, (int)((size_t)(name - out->path) + (n < most ? n : most)), out->path) < 0)
        abort(); /* out of memory in a small command */
    if (there && access(out->path, W_OK) != 0)
        return -1;
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before); /* a signal comes before there is a file, or when it will be removed */
    int fd = mkostemp(out->part, O_CLOEXEC), error = errno;
    if (fd >= 0)
        watch_signals(out->part);
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
    if (fd < 0)
        return -1;
    mode_t mask = umask(0);
    umask(mask);
    if (fchmod(fd, there ? there->st_mode & 0777 : 0666 & ~mask) == 0)
        return fd;
    error = errno;
    unlink(out->part);
    close(fd);
    errno = error;
    return -1;
}

bool gl_output_open(const struct gl_command *cmd, const char *path, struct gl_output *out)
{
    *out = (struct gl_output){.cmd = cmd, .name = "standard output", .file = stdout};
    signal(SIGXFSZ, SIG_IGN); /* the write that is too much fails, and is told of */
    if (!path || strcmp(path, "-") == 0)
        return true;
    struct stat st;
    bool there = stat(path, &st) == 0;
    out->name = path;
    int fd = there && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode) ? open(path, O_WRONLY | O_CLOEXEC)
             : there && S_ISDIR(st.st_mode)                        ? (errno = EISDIR, -1)
                                            : begin_part(out, path, there ? &st : NULL);
    if (fd >= 0) {
        out->file = fdopen(fd, "w");
        if (!out->file)
            abort(); /* out of memory in a small command */
        return true;
    }
    gl_complain(cmd, "'%s' cannot be written: %s; choose another place", path, strerror(errno));
    forget(out);
    return false;
}

bool gl_output_put(void *ctx, const void *bytes, size_t n)
{
    struct gl_output *out = ctx;
    if (out->error == 0 && fwrite(bytes, 1, n, out->file) != n)
        out->error = errno ? errno : EIO;
    return out->error == 0;
}

bool gl_output_close(struct gl_output *out, bool keep)
{
    bool written = fflush(out->file) == 0 && !ferror(out->file);
    int error = out->error ? out->error : written ? 0 : errno ? errno : EIO;
    if (out->file == stdout)
        clearerr(stdout); /* it is told here, and once */
    else if (fclose(out->file) != 0 && error == 0)
        error = errno;
    if (keep && error == 0 && out->part && rename(out->part, out->path) != 0)
        error = errno;
    if (out->part && (!keep || error))
        unlink(out->part);
    bool fine = error == 0 || (!keep && !out->error);
    if (!fine)
        cannot_write(out, error);
    forget(out);
    return fine;
}
