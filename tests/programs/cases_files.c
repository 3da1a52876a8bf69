// SPDX-License-Identifier: Apache-2.0
// Files by name and by number: what the system tells of them is written, names are read. The functions of glibc before 2.33 and the checked
// forms are called as compilers call them.
// peer-skip: libtsan does not know all of these
#include "tests/programs/cases.h"
#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <termios.h>
#include <unistd.h>

#ifdef __x86_64__
#define STAT_VERSION 1
#else
#define STAT_VERSION 0
#endif
int __xstat(int version, const char *path, struct stat *to);
int __lxstat(int version, const char *path, struct stat *to);
int __fxstat(int version, int fd, struct stat *to);
int __xstat64(int version, const char *path, struct stat64 *to);
int __lxstat64(int version, const char *path, struct stat64 *to);
int __fxstat64(int version, int fd, struct stat64 *to);
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
ssize_t __read_chk(int fd, void *p, size_t n, size_t room);
ssize_t __pread_chk(int fd, void *p, size_t n, off_t at, size_t room);
ssize_t __pread64_chk(int fd, void *p, size_t n, off64_t at, size_t room);

static struct stat old[4][2];
static struct stat64 big[8][2];
static struct statfs64 system64[2][2];
static struct statvfs64 system_v[2][2];
static char root[9][8] = {"/", "/", "/", "/", "/", "/", "/", "/", "/"};
static char null[8][16] = {"/dev/null", "/dev/null", "/dev/null", "/dev/null", "/dev/null", "/dev/null", "/dev/null"};
static char pattern[2][16] = {"/de*", "/de*"};
static char expression[2][8] = {"a.c", "a.c"};
static char subject[16] = "abc";
static regmatch_t match[4];
static regex_t compiled[4];
static glob_t found[2];
static glob64_t found64[2];
static char text[16][4096];
static char name[4][32] = {"user.goldilocks", "user.goldilocks", "user.goldilocks"};
static char temporary[16] = "/tmp/gl.XXXXXX";
static char other_temporary[16] = "/tmp/gl.XXXXXX", third_temporary[16] = "/tmp/gl.XXXXXX";
static off64_t offset[2];
static char buffer[8][16];
static int available[2];
static int on[2] = {1, 1};
static struct termios terminal[3][2];
static struct winsize window[2];
static unsigned char resident[4];

static void cases(enum runs who) {
    char *s = NULL;
    struct dirent *entry = NULL;
    struct dirent64 *entry64 = NULL;
    int file = -1, kept = -1, other = -1, third = -1, master = -1, slave = -1, channel[2] = {-1, -1};
    char path[64];
    void *page = NULL;
    bool attributes = false;

    DOES(file = memfd_create("cases_files", 0); MUST(write(file, "0123456789abcdef", 16) == 16));
    WRITES(__xstat(STAT_VERSION, "/", &old[0][0]) == 0, &old[0][0].st_mode, &old[0][1]); //@case writes
    WRITES(__lxstat(STAT_VERSION, "/", &old[1][0]) == 0, &old[1][0].st_mode, &old[1][1]); //@case writes
    WRITES(__fxstat(STAT_VERSION, file, &old[2][0]) == 0, &old[2][0].st_mode, &old[2][1]); //@case writes
    WRITES(__xstat64(STAT_VERSION, "/", &big[0][0]) == 0, &big[0][0].st_mode, &big[0][1]); //@case writes
    WRITES(__lxstat64(STAT_VERSION, "/", &big[1][0]) == 0, &big[1][0].st_mode, &big[1][1]); //@case writes
    WRITES(__fxstat64(STAT_VERSION, file, &big[2][0]) == 0, &big[2][0].st_mode, &big[2][1]); //@case writes
    WRITES(stat64("/", &big[3][0]) == 0, &big[3][0].st_mode, &big[3][1]); //@case writes
    READS(stat64(root[0], &big[7][0]) == 0, &root[0][1], &root[0][2]); //@case reads
    WRITES(lstat64("/", &big[4][0]) == 0, &big[4][0].st_mode, &big[4][1]); //@case writes
    READS(lstat64(root[1], &big[7][1]) == 0, &root[1][1], &root[1][2]); //@case reads
    WRITES(fstat64(file, &big[5][0]) == 0, &big[5][0].st_mode, &big[5][1]); //@case writes
    WRITES(fstatat64(AT_FDCWD, "/", &big[6][0], 0) == 0, &big[6][0].st_mode, &big[6][1]); //@case writes
    WRITES(statfs64("/", &system64[0][0]) == 0, &system64[0][0].f_bsize, &system64[0][1]); //@case writes
    WRITES(fstatfs64(file, &system64[1][0]) == 0, &system64[1][0].f_bsize, &system64[1][1]); //@case writes
    WRITES(statvfs64("/", &system_v[0][0]) == 0, &system_v[0][0].f_bsize, &system_v[0][1]); //@case writes
    WRITES(fstatvfs64(file, &system_v[1][0]) == 0, &system_v[1][0].f_bsize, &system_v[1][1]); //@case writes

    READS(__open_2(null[0], O_RDONLY) >= 0, &null[0][9], &null[0][10]); //@case reads
    READS(__open64_2(null[1], O_RDONLY) >= 0, &null[1][9], &null[1][10]); //@case reads
    READS(openat64(AT_FDCWD, null[2], O_RDONLY) >= 0, &null[2][9], &null[2][10]); //@case reads
    READS(creat64(null[3], 0600) >= 0, &null[3][9], &null[3][10]); //@case reads
    READS(fopen64(null[4], "r") != NULL, &null[4][9], &null[4][10]); //@case reads
    READS(freopen(null[5], "r", fopen("/", "r")) != NULL, &null[5][9], &null[5][10]); //@case reads
    READS(freopen64(null[6], "r", fopen("/", "r")) != NULL, &null[6][9], &null[6][10]); //@case reads
    WRITES((other = mkstemp64(other_temporary)) >= 0 && unlink(other_temporary) == 0, &other_temporary[13], NULL); //@case writes
    WRITES((other = mkostemp64(third_temporary, 0)) >= 0, &third_temporary[13], NULL); //@case writes
    READS(truncate64(third_temporary, 4) == 0 && (third = open(third_temporary, O_RDWR)) >= 0 && unlink(third_temporary) == 0, NULL, NULL);
    READS(truncate64(root[8], 0) != 0, &root[8][1], &root[8][2]); //@case reads
    WRITES(copy_file_range(third, &offset[0], other, NULL, 4, 0) == 4 || memset(&offset[0], 0, 8) /* not on this kind of file system */, &offset[0], &offset[1]); //@case writes
    WRITES((kept = mkostemp(temporary, O_CLOEXEC)) >= 0, &temporary[13], NULL); //@case writes
    WRITES(__read_chk(file, buffer[0], 0, 16) == 0 && lseek(file, 0, SEEK_SET) == 0 && __read_chk(file, buffer[0], 8, 16) == 8, &buffer[0][7], &buffer[0][8]); //@case writes
    WRITES(__pread_chk(file, buffer[1], 8, 0, 16) == 8, &buffer[1][7], &buffer[1][8]); //@case writes
    WRITES(__pread64_chk(file, buffer[2], 8, 0, 16) == 8, &buffer[2][7], &buffer[2][8]); //@case writes

    WRITES((entry = readdir(opendir("/"))) != NULL, &entry->d_name[0], NULL); //@case writes
    WRITES((entry64 = readdir64(opendir("/"))) != NULL, &entry64->d_name[0], NULL); //@case writes
    WRITES((s = get_current_dir_name()) != NULL, s, NULL); //@case writes
    READS(realpath(root[2], text[0]) == text[0], &root[2][1], &root[2][2]); //@case reads
    WRITES(realpath("/", text[1]) == text[1], &text[1][1], &text[1][2]); //@case writes
    READS(inotify_add_watch(inotify_init(), root[3], IN_CREATE) >= 0, &root[3][1], &root[3][2]); //@case reads
    READS(glob(pattern[0], 0, NULL, &found[0]) == 0, &pattern[0][4], &pattern[0][5]); //@case reads
    WRITES(glob("/de*", 0, NULL, &found[1]) == 0, &found[1].gl_pathc, NULL); //@case writes
    READS(glob64(pattern[1], 0, NULL, &found64[0]) == 0, &pattern[1][4], &pattern[1][5]); //@case reads
    WRITES(glob64("/de*", 0, NULL, &found64[1]) == 0, &found64[1].gl_pathc, NULL); //@case writes

    READS(regcomp(&compiled[0], expression[0], 0) == 0, &expression[0][3], &expression[0][4]); //@case reads
    WRITES(regcomp(&compiled[1], "[", 0) == 0 || regcomp(&compiled[1], "a.c", 0) == 0, &compiled[1].re_nsub, &compiled[3]); //@case writes
    WRITES(regerror(REG_EBRACK, &compiled[0], text[2], 64) > 1, &text[2][1], &text[2][64]); //@case writes
    WRITES((regfree(&compiled[1]), 1), &compiled[1].re_nsub, &compiled[3]);
    READS(regexec(&compiled[0], subject, 0, NULL, 0) == 0, &subject[3], &subject[4]); //@case reads
    WRITES(regexec(&compiled[0], "abc", 1, match, 0) == 0, &match[0].rm_eo, &match[1]); //@case writes

    DOES(snprintf(path, sizeof path, "/proc/self/fd/%d", kept));
    // A file system without attributes says so after it has read the names; the answers are then made here.
    DOES(attributes = fsetxattr(kept, "user.goldilocks", "value", 5, 0) == 0);
    READS(getxattr(root[4], "user.none", NULL, 0) < 0, &root[4][1], &root[4][2]); //@case reads
    READS(getxattr("/", name[0], NULL, 0) < 0, &name[0][15], &name[0][16]); //@case reads
    READS(lgetxattr(root[5], "user.none", NULL, 0) < 0, &root[5][1], &root[5][2]); //@case reads
    READS(fgetxattr(kept, name[1], text[8], 64) < 6, &name[1][15], &name[1][16]); //@case reads
    READS(listxattr(root[6], text[9], 4096) < 4096, &root[6][1], &root[6][2]); //@case reads
    READS(llistxattr(root[7], text[10], 4096) < 4096, &root[7][1], &root[7][2]); //@case reads
    WRITES(attributes ? getxattr(path, "user.goldilocks", text[11], 64) == 5 : !!memset(text[11], 0, 5), &text[11][4], &text[11][64]); //@case writes
    WRITES(attributes ? lgetxattr(temporary, "user.goldilocks", text[12], 64) == 5 : !!memset(text[12], 0, 5), &text[12][4], &text[12][64]); //@case writes
    WRITES(attributes ? fgetxattr(kept, "user.goldilocks", text[13], 64) == 5 : !!memset(text[13], 0, 5), &text[13][4], &text[13][64]); //@case writes
    WRITES(attributes ? listxattr(path, text[14], 64) >= 16 : !!memset(text[14], 0, 5), &text[14][4], &text[14][64]); //@case writes
    WRITES(attributes ? llistxattr(temporary, text[15], 64) >= 16 : !!memset(text[15], 0, 5), &text[15][4], &text[15][64]); //@case writes
    WRITES(attributes ? flistxattr(kept, text[3], 64) >= 16 : !!memset(text[3], 0, 5), &text[3][4], &text[3][64]); //@case writes
    DOES(unlink(temporary));

    DOES(MUST(pipe(channel) == 0 && write(channel[1], "abc", 3) == 3));
    WRITES(ioctl(channel[0], FIONREAD, &available[0]) == 0, &available[0], &available[1]); //@case writes
    READS(ioctl(channel[0], FIONBIO, &on[0]) == 0, &on[0], &on[1]); //@case reads
    DOES(MUST((master = posix_openpt(O_RDWR | O_NOCTTY)) >= 0 && grantpt(master) == 0 && unlockpt(master) == 0));
    WRITES(ptsname_r(master, text[5], 64) == 0, &text[5][0], &text[5][64]); //@case writes
    WRITES((s = ptsname(master)) != NULL, s, NULL); //@case writes
    DOES(MUST((slave = open(text[5], O_RDWR | O_NOCTTY)) >= 0));
    WRITES(ioctl(slave, TIOCGWINSZ, &window[0]) == 0, &window[0].ws_ypixel, &window[1]); //@case writes
    WRITES(tcgetattr(slave, &terminal[0][0]) == 0, &terminal[0][0].c_lflag, &terminal[0][1]); //@case writes
    DOES(MUST(tcgetattr(slave, &terminal[1][0]) == 0));
    READS(tcsetattr(slave, TCSANOW, &terminal[2][0]) == 0, &terminal[2][0].c_lflag, &terminal[2][1]); //@case reads
    WRITES(ttyname_r(slave, text[6], 64) == 0, &text[6][0], &text[6][64]); //@case writes
    WRITES((s = ttyname(slave)) != NULL, s, NULL); //@case writes
    WRITES(ctermid(text[7]) == text[7], &text[7][0], &text[7][64]); //@case writes

    DOES(page = mmap64(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); MUST(page != MAP_FAILED));
    WRITES(mincore(page, 8192, resident) == 0, &resident[1], &resident[2]); //@case writes
}

CASES_MAIN
