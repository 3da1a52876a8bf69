/* SPDX-License-Identifier: Apache-2.0
 *
 * `goldilocks go`: the go command with our runtime behind -race.  Go takes its race detector as an object file from its own tree, which is seldom ours to change:
 * so it is given another tree (GOROOT), which consists of links into its own but for that file.  It becomes the go command (exec).
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cmd.h"

#define RUNTIME "go/race_linux_amd64.syso"

static const struct gl_flag flags[] = {
    {"go", "FILE", "The go command (default: go from the PATH)"},
    {NULL, NULL, NULL},
};

/* What `go env` says. */
struct go {
    const char *command;
    char root[PATH_MAX], version[64], os[32], arch[32], flags[4096];
};

static void path_join(char out[PATH_MAX], const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void path_join(char out[PATH_MAX], const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(out, PATH_MAX, fmt, ap);
    va_end(ap);
    if (n < 0 || n >= PATH_MAX) out[0] = 0; /* a name that is not there: whoever opens it says so */
}

/* Reads the lines of `go env` into the fields. */
static bool ask(struct go *go)
{
    char command[2 * PATH_MAX + 128], quoted[PATH_MAX];
    size_t k = 0;
    for (const char *s = go->command; *s && k + 5 < sizeof quoted; s++) /* for the shell, in single quotes */
        k += (size_t)sprintf(quoted + k, *s == '\'' ? "'\\''" : "%c", *s);
    quoted[k] = 0;
    snprintf(command, sizeof command, "command -v '%s' >/dev/null && '%s' env GOROOT GOVERSION GOOS GOARCH GOFLAGS", quoted, quoted);
    FILE *f = popen(command, "re");
    if (!f) return false;
    struct { char *to; size_t room; } lines[] = {{go->root, sizeof go->root}, {go->version, sizeof go->version}, {go->os, sizeof go->os},
                                                 {go->arch, sizeof go->arch}, {go->flags, sizeof go->flags}};
    bool all = true;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char *end = fgets(lines[i].to, (int)lines[i].room, f) ? strchr(lines[i].to, '\n') : NULL;
        all = all && end;
        if (end) *end = 0;
    }
    return pclose(f) == 0 && all;
}

/* ---- the tree ---- */

/* Folders of packages are folders there, too: patterns (`std`, `net/...`) do not go through links. */
static bool is_of_packages(const char *path)
{
    return strncmp(path, "/src", 4) == 0 && (!path[4] || path[4] == '/') &&
           (!strstr(path, "/testdata") || strstr(path, "/embed/")); /* Go's own tests of what may be embedded: no links */
}

static bool ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), k = strlen(end);
    return n >= k && strcmp(s + n - k, end) == 0;
}

/* What is no source may be embedded in a package (go:embed), which a link may not. */
static bool is_source(const char *name) { return ends_with(name, ".go") || ends_with(name, ".s") || ends_with(name, ".h"); }

static bool copy(const char *from, const char *to)
{
    struct stat st;
    int in = open(from, O_RDONLY | O_CLOEXEC), out = in < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    bool fine = out >= 0 && fstat(in, &st) == 0;
    for (ssize_t n = 1; fine && n > 0;) /* a file of the kernel's may end earlier than it says */
        fine = (n = sendfile(out, in, NULL, 1 << 20)) >= 0;
    int error = errno;
    if (in >= 0) close(in);
    if (out >= 0) close(out);
    errno = error;
    return fine;
}

/* Of Go's own race detectors only the place of the one for this system is kept: race_linux_amd64.syso, since Go 1.20 amd64vN/race_linux.syso. */
static bool is_ours(const char *folder, const char *name)
{
    return strcmp(name, "race_linux_amd64.syso") == 0 || (strstr(folder, "/amd64v") && strcmp(name, "race_linux.syso") == 0);
}

/* One folder of the tree, `folder` below both; false: errno says why. */
static bool link_folder(const char *root, const char *tree, const char *folder, const char *runtime)
{
    char from[PATH_MAX], to[PATH_MAX], below[PATH_MAX], target[PATH_MAX];
    struct stat st;
    path_join(from, "%s%s", root, folder);
    path_join(to, "%s%s", tree, folder);
    if (*folder && mkdir(to, 0777) != 0) return false;
    DIR *dir = opendir(from);
    if (!dir) return false;
    bool fine = true;
    for (struct dirent *e; fine && (e = readdir(dir)) != NULL;) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
        path_join(below, "%s/%s", folder, e->d_name);
        path_join(from, "%s%s", root, below);
        path_join(to, "%s%s", tree, below);
        if (!realpath(from, target) || stat(target, &st) != 0)
            fine = errno == ENOENT; /* a link of theirs that leads nowhere */
        else if (S_ISDIR(st.st_mode) && is_of_packages(below))
            fine = link_folder(root, tree, below, runtime);
        else if (ends_with(e->d_name, ".syso") && strstr(folder, "/race"))
            fine = !is_ours(folder, e->d_name) || symlink(runtime, to) == 0;
        else if (S_ISREG(st.st_mode) && is_of_packages(folder) && !is_source(e->d_name))
            fine = copy(target, to);
        else
            fine = symlink(target, to) == 0;
    }
    closedir(dir);
    return fine;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st, (void)kind, (void)at;
    return remove(path);
}

static bool make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        bool fine = mkdir(path, 0777) == 0 || errno == EEXIST;
        *slash = '/';
        if (!fine) return false;
    }
    return mkdir(path, 0777) == 0 || errno == EEXIST;
}

/* What a tree depends on, in one number (FNV-1a): the paths, whatever became of the files and folders there, which an upgrade may replace without another version. */
static void mix(uint64_t *hash, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        *hash = (*hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001B3ull;
}

static void mix_file(uint64_t *hash, const char *path)
{
    struct stat st;
    mix(hash, path, strlen(path) + 1);
    if (stat(path, &st) != 0) return;
    mix(hash, &st.st_dev, sizeof st.st_dev);
    mix(hash, &st.st_ino, sizeof st.st_ino);
    mix(hash, &st.st_mtim.tv_sec, sizeof st.st_mtim.tv_sec);
    mix(hash, &st.st_mtim.tv_nsec, sizeof st.st_mtim.tv_nsec);
}

static uint64_t identity(const char *root, const char *runtime)
{
    static const char *const places[] = {"", "/VERSION", "/bin/go", "/src", "/src/runtime", "/src/runtime/race"};
    char path[PATH_MAX];
    uint64_t hash = 0xCBF29CE484222325ull;
    mix_file(&hash, runtime);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        path_join(path, "%s%s", root, places[i]);
        mix_file(&hash, path);
    }
    return hash;
}

/* Does what was made before still lead to Go and to the runtime?  Programs that tidy up remove links that are old. */
static bool is_whole(const char *tree, const char *runtime)
{
    static const char *const places[] = {"race_linux_amd64.syso", "internal/amd64v1/race_linux.syso"};
    char path[PATH_MAX];
    struct stat own, there;
    path_join(path, "%s/bin/go", tree);
    if (access(path, X_OK) != 0 || stat(runtime, &own) != 0) return false;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        path_join(path, "%s/src/runtime/race/%s", tree, places[i]);
        if (stat(path, &there) == 0 && there.st_ino == own.st_ino && there.st_dev == own.st_dev) return true;
    }
    return false;
}

static void remove_folder(const char *path)
{
    int error = errno;
    nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    errno = error;
}

/* In /tmp a folder of this name may be another user's, who would choose what is built. */
static bool is_mine(const char *folder)
{
    struct stat st;
    if (lstat(folder, &st) != 0) return false;
    errno = EPERM;
    return S_ISDIR(st.st_mode) && st.st_uid == geteuid() && (st.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* The tree for this Go and this runtime, made once; false: a sentence has been printed. */
static bool find_tree(const struct gl_command *cmd, const struct go *go, const char *runtime, char tree[PATH_MAX])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char folder[PATH_MAX], new[PATH_MAX], race[PATH_MAX];
    path_join(race, "%s/src/runtime/race", go->root);
    if (access(race, R_OK) != 0) {
        gl_complain(cmd, "'%s' cannot be read: %s; Go is to have its sources", race, strerror(errno));
        return false;
    }
    bool shared = false;
    if (cache && *cache == '/')
        path_join(folder, "%s/goldilocks", cache);
    else if (home && *home == '/')
        path_join(folder, "%s/.cache/goldilocks", home);
    else
        path_join(folder, "/tmp/goldilocks-%u", (unsigned)geteuid()), shared = true;
    path_join(tree, "%s/%s-%016lx", folder, go->version, (unsigned long)identity(go->root, runtime));
    path_join(new, "%s/new.XXXXXX", folder);
    if (make_folders(folder) && (!shared || is_mine(folder))) {
        if (is_whole(tree, runtime)) return true;
        if (mkdtemp(new)) {
            bool made = link_folder(go->root, new, "", runtime) && chmod(new, 0755) == 0;
            if (made && rename(new, tree) == 0) return true;
            if (made && !is_whole(tree, runtime)) remove_folder(tree); /* else another process was first */
            if (made && rename(new, tree) == 0) return true;
            remove_folder(new);
            if (made && is_whole(tree, runtime)) return true;
        }
    }
    gl_complain(cmd, "no tree of links for Go can be made in '%s': %s; set XDG_CACHE_HOME to a folder that is writable", folder, strerror(errno));
    return false;
}

/* ---- the command ---- */

static bool take(const struct gl_command *cmd, void *ctx, int flag)
{
    (void)cmd, (void)flag;
    ((struct go *)ctx)->command = optarg;
    return true;
}

static int run_go(const struct gl_command *cmd, int argc, char **argv)
{
    struct go go = {.command = "go"};
    char runtime[PATH_MAX], tree[PATH_MAX], command[PATH_MAX], all_flags[sizeof go.flags + 16];
    int status = gl_take_flags(cmd, argc, argv, take, &go);
    if (status >= 0) return status;
    if (!argv[optind]) return gl_complain(cmd, "no command was given; write what you would give to go, for instance 'goldilocks go test ./...'");
    const char *libraries = gl_library_folder(cmd);
    if (!libraries) return GL_EXIT_USAGE;
    path_join(runtime, "%s/" RUNTIME, libraries);
    if (access(runtime, R_OK) != 0) return gl_complain(cmd, "there is no %s; it is built on x86-64", runtime);
    if (!ask(&go))
        return gl_complain(cmd, "'%s env' failed; install Go (Debian's package golang-go), or give --go FILE", go.command);
    if (strcmp(go.os, "linux") != 0 || strcmp(go.arch, "amd64") != 0)
        return gl_complain(cmd, "Go builds for %s/%s; there is a runtime for linux/amd64 only", go.os, go.arch);
    if (!find_tree(cmd, &go, runtime, tree)) return GL_EXIT_USAGE;
    path_join(command, "%s/bin/go", tree);
    snprintf(all_flags, sizeof all_flags, "%s%s-race", go.flags, *go.flags ? " " : "");
    setenv("GOROOT", tree, true);
    setenv("GOROOT_FINAL", go.root, false); /* what programs, and reports, say of the library's sources; up to Go 1.22 */
    setenv("GOFLAGS", all_flags, true);
    setenv("CGO_ENABLED", "1", true);        /* as for Go's own race detector */
    setenv("GO_EXTLINK_ENABLED", "1", true); /* Go's linker knows no thread-local storage in objects */
    setenv("GOTOOLCHAIN", "local", true);    /* this tree, whatever go.mod wishes */
    argv[optind - 1] = command;
    execv(command, argv + optind - 1);
    return gl_complain(cmd, "'%s' could not be started: %s", command, strerror(errno));
}

const struct gl_command gl_command_go = {
    .name = "go",
    .arguments = "[--go FILE] GO-ARGUMENTS",
    .summary = "build, run or test a Go program that reports its data races",
    .text = "Runs 'go GO-ARGUMENTS' with -race, and with Goldilocks in the place of Go's own race detector: 'goldilocks go test ./...',\n"
            "'goldilocks go build -o program .'. What is built reports each data race when it runs; its options are read from\n"
            "GOLDILOCKS_OPTIONS, and from GORACE as far as they have a counterpart.\n"
            "\n"
            "Exit code: go's own; 2 when it was not started.\n",
    .flags = flags,
    .run = run_go,
};
