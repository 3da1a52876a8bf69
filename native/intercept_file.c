/* SPDX-License-Identifier: Apache-2.0
 *
 * Files by name, and what the system tells of them: names are strings that are read, answers are written.
 */
#include "native/intercept_fd.h"

#include <dirent.h>
#include <fcntl.h>
#include <mntent.h>
#include <pty.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <termios.h>
#include <unistd.h>

#include "platform/platform.h"

/* A call that failed read its path too, unless that was what it failed for. */
static bool path_was_read(bool success) { return success || (errno != EFAULT && errno != ENAMETOOLONG && errno != EINVAL); }

/* Of a name that is made unique six letters are written, at the end but for `end` bytes; unless they were no place for it. */
static void made_unique(const char *path, int end, bool made, uintptr_t pc)
{
    enum { LETTERS = 6 };
    size_t n = made || errno != EINVAL ? rt_string_length(path) : 0;
    if (n < LETTERS + (size_t)end)
        return;
    rt_has_read(path, n + 1, pc);
    rt_has_written(path + n - (size_t)end - LETTERS, LETTERS, pc);
}

/* ---- opened ---- */

/* A number that was somebody else's, closed where we did not see it, is known no more. */
static int opened(int fd, uintptr_t pc)
{
    if (fd >= 0) {
        RT_ALWAYS(rt_fd_forget(fd, fd));
        FD_OPENED(fd);
    }
    return fd;
}

#define OPENS(name, params, before_mode, args)                                                               \
    INTERCEPT(int, name, params)                                                                             \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        va_list ap;                                                                                          \
        va_start(ap, before_mode);                                                                           \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0;                                \
        va_end(ap);                                                                                          \
        int r = opened(REAL(name) args, pc), saved = errno;                                                  \
        if (path_was_read(r >= 0))                                                                           \
            rt_has_read_string(path, pc);                                                                    \
        errno = saved;                                                                                       \
        return r;                                                                                            \
    }

OPENS(open, (const char *path, int flags, ...), flags, (path, flags, mode))
OPENS(open64, (const char *path, int flags, ...), flags, (path, flags, mode))
OPENS(openat, (int at, const char *path, int flags, ...), flags, (at, path, flags, mode))
OPENS(openat64, (int at, const char *path, int flags, ...), flags, (at, path, flags, mode))
int __open_2(const char *path, int flags);
CALLS(int, __open_2, (const char *path, int flags), (path, flags), path_was_read(opened(r, pc) >= 0), S(path))
int __open64_2(const char *path, int flags);
CALLS(int, __open64_2, (const char *path, int flags), (path, flags), path_was_read(opened(r, pc) >= 0), S(path))
CALLS(int, creat, (const char *path, mode_t mode), (path, mode), path_was_read(opened(r, pc) >= 0), S(path))
CALLS(int, creat64, (const char *path, mode_t mode), (path, mode), path_was_read(opened(r, pc) >= 0), S(path))
#define UNIQUE(name, params, args, end) CALLS(int, name, params, args, true, made_unique(path, end, opened(r, pc) >= 0, pc))
UNIQUE(mkstemp, (char *path), (path), 0)
UNIQUE(mkstemp64, (char *path), (path), 0)
UNIQUE(mkostemp64, (char *path, int flags), (path, flags), 0)
UNIQUE(mkostemp, (char *path, int flags), (path, flags), 0)
UNIQUE(mkstemps, (char *path, int end), (path, end), end)
UNIQUE(mkstemps64, (char *path, int end), (path, end), end)
UNIQUE(mkostemps, (char *path, int end, int flags), (path, end, flags), end)
UNIQUE(mkostemps64, (char *path, int end, int flags), (path, end, flags), end)
CALLS(int, shm_open, (const char *path, int flags, mode_t mode), (path, flags, mode), path_was_read(opened(r, pc) >= 0), S(path))
FD_MAKES(posix_openpt, (int flags), (flags), rt_fd_forget(r, r))
FD_MAKES(getpt, (void), (), rt_fd_forget(r, r))
CALLS(int, openpty, (int *pty, int *other, char *name, const struct termios *as, const struct winsize *size), (pty, other, name, as, size), r == 0,
      (void)opened(*pty, pc);
      (void)opened(*other, pc); WHOLE(pty); WHOLE(other))
int pidfd_open(pid_t process, unsigned flags);
int pidfd_getfd(int process, int fd, unsigned flags);
FD_MAKES(pidfd_open, (pid_t process, unsigned flags), (process, flags), rt_fd_forget(r, r))
FD_MAKES(pidfd_getfd, (int process, int fd, unsigned flags), (process, fd, flags), rt_fd_came(r))
FD_MAKES(fanotify_init, (unsigned flags, unsigned open), (flags, open), rt_fd_forget(r, r))
FD_MAKES(inotify_init, (void), (), rt_fd_forget(r, r))
FD_MAKES(inotify_init1, (int flags), (flags), rt_fd_forget(r, r))
CALLS(int, memfd_create, (const char *name, unsigned flags), (name, flags), opened(r, pc) >= 0, S(name))
CALLS(int, inotify_add_watch, (int fd, const char *path, uint32_t mask), (fd, path, mask), r >= 0, FD_USED(fd); S(path))

/* ---- by name ---- */

bool rt_text_is_there(const char *s)
{
    enum { PAGE = 4096 };
    uintptr_t at = (uintptr_t)s;
    for (uintptr_t end = (at & -(uintptr_t)PAGE) + PAGE;; at = end, end += PAGE) {
        if (!gl_os_is_readable(at, 1))
            return false;
        for (const char *c = (const char *)at; c < (const char *)end; c++)
            if (!*c)
                return true;
    }
}

#define NAMED(name) CALLS(int, name, (const char *path), (path), path_was_read(r >= 0), S(path))
#define NAMED_TWICE(name)                                                                                    \
    CALLS(int, name, (const char *from, const char *to), (from, to), path_was_read(r >= 0), S(from);                             \
          if (r >= 0 || rt_text_is_there(to)) S(to)) /* the kernel reads both, and may fail for the first where the second leads nowhere */

NAMED(unlink)
NAMED(rmdir)
NAMED(chdir)
NAMED(chroot)
NAMED_TWICE(rename)
NAMED_TWICE(link)
NAMED_TWICE(symlink)
CALLS(int, remove, (const char *path), (path), path_was_read(r >= 0), S(path))
CALLS(int, access, (const char *path, int what), (path, what), path_was_read(r >= 0), S(path))
CALLS(int, mkdir, (const char *path, mode_t mode), (path, mode), path_was_read(r >= 0), S(path))
CALLS(int, chmod, (const char *path, mode_t mode), (path, mode), path_was_read(r >= 0), S(path))
CALLS(int, chown, (const char *path, uid_t user, gid_t group), (path, user, group), path_was_read(r >= 0), S(path))
CALLS(int, truncate, (const char *path, off_t n), (path, n), path_was_read(r >= 0), S(path))
CALLS(int, truncate64, (const char *path, off64_t n), (path, n), path_was_read(r >= 0), S(path))
CALLS(DIR *, opendir, (const char *path), (path), true, if (r) (void)opened(dirfd(r), pc);
      if (path_was_read(r != NULL)) S(path))
CALLS(char *, mkdtemp, (char *path), (path), true, made_unique(path, 0, r != NULL, pc))
CALLS(ssize_t, readlink, (const char *restrict path, char *restrict to, size_t n), (path, to, n), path_was_read(r >= 0),
      S(path);
      if (r >= 0) W(to, (size_t)r))
CALLS(ssize_t, readlinkat, (int at, const char *restrict path, char *restrict to, size_t n),
      (at, path, to, n), path_was_read(r >= 0), S(path);
      if (r >= 0) W(to, (size_t)r))
ssize_t __readlink_chk(const char *restrict path, char *restrict to, size_t n, size_t room);
CALLS(ssize_t, __readlink_chk, (const char *restrict path, char *restrict to, size_t n, size_t room), (path, to, n, room),
      path_was_read(r >= 0), S(path);
      if (r >= 0) W(to, (size_t)r))
ssize_t __readlinkat_chk(int at, const char *restrict path, char *restrict to, size_t n, size_t room);
CALLS(ssize_t, __readlinkat_chk, (int at, const char *restrict path, char *restrict to, size_t n, size_t room),
      (at, path, to, n, room), path_was_read(r >= 0), S(path);
      if (r >= 0) W(to, (size_t)r))
CALLS(char *, getcwd, (char *to, size_t n), (to, n), r != NULL, T(r))
char *__getcwd_chk(char *to, size_t n, size_t room);
CALLS(char *, __getcwd_chk, (char *to, size_t n, size_t room), (to, n, room), r != NULL, T(r))
CALLS(char *, get_current_dir_name, (void), (), r != NULL, T(r))
CALLS(char *, realpath, (const char *restrict path, char *restrict to), (path, to), path_was_read(r != NULL), S(path);
      T(r))
char *__realpath_chk(const char *restrict path, char *restrict to, size_t room);
CALLS(char *, __realpath_chk, (const char *restrict path, char *restrict to, size_t room), (path, to, room), path_was_read(r != NULL),
      S(path);
      T(r))
CALLS(char *, canonicalize_file_name, (const char *path), (path), r != NULL, S(path); T(r))

/* ---- what they are ---- */

#define TELLS_BY_NAME(name, type)                                                                            \
    CALLS(int, name, (const char *restrict path, struct type *restrict to), (path, to), path_was_read(r >= 0), S(path);  \
          if (r == 0) WHOLE(to))
#define TELLS_BY_FD(name, type) CALLS(int, name, (int fd, struct type *to), (fd, to), r == 0, FD_USED(fd); WHOLE(to))

TELLS_BY_NAME(stat, stat)
TELLS_BY_NAME(lstat, stat)
TELLS_BY_NAME(stat64, stat64)
TELLS_BY_NAME(lstat64, stat64)
TELLS_BY_NAME(statfs, statfs)
TELLS_BY_NAME(statfs64, statfs64)
TELLS_BY_NAME(statvfs, statvfs)
TELLS_BY_NAME(statvfs64, statvfs64)
TELLS_BY_FD(fstat, stat)
TELLS_BY_FD(fstat64, stat64)
TELLS_BY_FD(fstatfs, statfs)
TELLS_BY_FD(fstatfs64, statfs64)
TELLS_BY_FD(fstatvfs, statvfs)
TELLS_BY_FD(fstatvfs64, statvfs64)
CALLS(int, fstatat, (int at, const char *restrict path, struct stat *restrict to, int flags),
      (at, path, to, flags), path_was_read(r >= 0), S(path);
      if (r == 0) WHOLE(to))
CALLS(int, fstatat64, (int at, const char *restrict path, struct stat64 *restrict to, int flags),
      (at, path, to, flags), path_was_read(r >= 0), S(path);
      if (r == 0) WHOLE(to))

/* The same of programs that were built before glibc 2.33. */
#define OLD_TELLS_BY_NAME(name, type)                                                                        \
    int name(int version, const char *path, struct type *to);                                                \
    CALLS(int, name, (int version, const char *path, struct type *to), (version, path, to), path_was_read(r >= 0), S(path); \
          if (r == 0) WHOLE(to))
#define OLD_TELLS_BY_FD(name, type)                                                                          \
    int name(int version, int fd, struct type *to);                                                          \
    CALLS(int, name, (int version, int fd, struct type *to), (version, fd, to), r == 0, WHOLE(to))

OLD_TELLS_BY_NAME(__xstat, stat)
OLD_TELLS_BY_NAME(__lxstat, stat)
OLD_TELLS_BY_NAME(__xstat64, stat64)
OLD_TELLS_BY_NAME(__lxstat64, stat64)
OLD_TELLS_BY_FD(__fxstat, stat)
OLD_TELLS_BY_FD(__fxstat64, stat64)

CALLS(struct dirent *, readdir, (DIR * d), (d), r != NULL, W(r, r->d_reclen))
CALLS(struct dirent64 *, readdir64, (DIR * d), (d), r != NULL, W(r, r->d_reclen))
#define READS_INTO(name, type)                                                                               \
    CALLS(int, name, (DIR *restrict d, struct type *restrict to, struct type **restrict found), (d, to, found), \
          r == 0, WHOLE(found);                                                                              \
          if (*found) W(to, to->d_reclen))
#define SCANS(name, type)                                                                                    \
    CALLS(int, name,                                                                                         \
          (const char *restrict path, struct type ***restrict to, int (*wanted)(const struct type *),        \
           int (*compare)(const struct type **, const struct type **)),                                      \
          (path, to, wanted, compare), path_was_read(r >= 0), S(path);                                       \
          if (r >= 0) {                                                                                      \
              WHOLE(to);                                                                                     \
              W(*to, (size_t)r * sizeof **to);                                                               \
              for (int i = 0; i < r; i++)                                                                    \
                  W((*to)[i], (*to)[i]->d_reclen);                                                           \
          })
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* readdir_r */
READS_INTO(readdir_r, dirent)
READS_INTO(readdir64_r, dirent64)
#pragma GCC diagnostic pop
SCANS(scandir, dirent)
SCANS(scandir64, dirent64)

CALLS(int, name_to_handle_at, (int at, const char *path, struct file_handle *to, int *mount, int flags),
      (at, path, to, mount, flags), path_was_read(r == 0), S(path);
      if (r == 0) {
          W(to, sizeof *to + to->handle_bytes);
          WHOLE(mount);
      })
CALLS(int, open_by_handle_at, (int mount, struct file_handle *from, int flags), (mount, from, flags),
      opened(r, pc) >= 0, R(from, sizeof *from + from->handle_bytes))

/* ---- attributes ---- */

typedef const char *name_in;

/* A call that failed for the file may not have come to the name. */
static bool name_was_read(ssize_t r) { return r >= 0 || errno == ENODATA || errno == EOPNOTSUPP || errno == ERANGE; }

/* The name comes before the path: ERANGE says that it is empty or too long, or that there is no room for the value. */
static bool comes_to_path(ssize_t r, const char *name)
{
    enum { MOST = 255 };
    size_t n = 0;
    if (r < 0 && errno == ERANGE)
        while (n <= MOST && name[n])
            n++;
    return path_was_read(r >= 0) && (r >= 0 || errno != ERANGE || (n > 0 && n <= MOST));
}

CALLS(ssize_t, getxattr, (name_in path, name_in name, void *p, size_t n), (path, name, p, n),
      comes_to_path(r, name), S(path);
      if (name_was_read(r)) S(name); W(p, r > 0 && n ? (size_t)r : 0))
CALLS(ssize_t, lgetxattr, (name_in path, name_in name, void *p, size_t n), (path, name, p, n),
      comes_to_path(r, name), S(path);
      if (name_was_read(r)) S(name); W(p, r > 0 && n ? (size_t)r : 0))
CALLS(ssize_t, fgetxattr, (int fd, name_in name, void *p, size_t n), (fd, name, p, n), name_was_read(r),
      S(name);
      W(p, r > 0 && n ? (size_t)r : 0))
CALLS(ssize_t, listxattr, (name_in path, char *p, size_t n), (path, p, n), path_was_read(r >= 0), S(path);
      W(p, r > 0 && n ? (size_t)r : 0))
CALLS(ssize_t, llistxattr, (name_in path, char *p, size_t n), (path, p, n), path_was_read(r >= 0), S(path);
      W(p, r > 0 && n ? (size_t)r : 0))
CALLS(ssize_t, flistxattr, (int fd, char *p, size_t n), (fd, p, n), r >= 0, W(p, n ? (size_t)r : 0))

/* ---- terminals ---- */

CALLS(int, tcgetattr, (int fd, struct termios *to), (fd, to), r == 0, WHOLE(to))
CALLS(int, tcsetattr, (int fd, int when, const struct termios *from), (fd, when, from), r == 0,
      R(from, sizeof *from))
CALLS(char *, ttyname, (int fd), (fd), r != NULL, T(r))
CALLS(int, ttyname_r, (int fd, char *to, size_t n), (fd, to, n), r == 0, T(to))
int __ttyname_r_chk(int fd, char *to, size_t n, size_t room);
CALLS(int, __ttyname_r_chk, (int fd, char *to, size_t n, size_t room), (fd, to, n, room), r == 0, T(to))
CALLS(char *, ptsname, (int fd), (fd), r != NULL, T(r))
CALLS(int, ptsname_r, (int fd, char *to, size_t n), (fd, to, n), r == 0, T(to))
int __ptsname_r_chk(int fd, char *to, size_t n, size_t room);
CALLS(int, __ptsname_r_chk, (int fd, char *to, size_t n, size_t room), (fd, to, n, room), r == 0, T(to))
CALLS(char *, ctermid, (char *to), (to), r != NULL, T(r))

/* The requests that fill a number or a window's size; others take and give what only their driver knows. */
INTERCEPT(int, ioctl, (int fd, unsigned long request, ...))
{
    uintptr_t pc = RT_CALLER();
    va_list ap;
    va_start(ap, request);
    void *arg = va_arg(ap, void *);
    va_end(ap);
    FD_USED(fd);
    int r = REAL(ioctl)(fd, request, arg);
    if (r >= 0 && (request == FIONREAD || request == TIOCOUTQ)) {
        if (request == FIONREAD && *(const int *)arg > 0) /* who is told that bytes are there comes after who wrote them */
            FD_AFTER(fd);
        rt_has_written(arg, sizeof(int), pc);
    }
    else if (r >= 0 && request == FIONBIO)
        rt_has_read(arg, sizeof(int), pc);
    else if (r >= 0 && request == TIOCGWINSZ)
        rt_has_written(arg, sizeof(struct winsize), pc);
    return r;
}
