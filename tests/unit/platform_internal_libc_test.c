/* SPDX-License-Identifier: Apache-2.0
 *
 * The runtime's own libc against the real one: same results, same bytes, nothing touched outside.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "platform/internal_libc.h"
#include "platform/platform.h"

static int sign(int x) { return (x > 0) - (x < 0); }

static void pattern(unsigned char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        p[i] = (unsigned char)(i * 7 + 1);
}

/* Every length to 150 and some around the change to the string instruction, every distance of
 * source and target that makes them overlap or not, both directions. */
static void copies_are_exact(void **state)
{
    (void)state;
    enum { ROOM = 6400 };
    static unsigned char ours[ROOM], libc[ROOM];
    for (size_t n = 0; n < 2100; n = n < 150 ? n + 1 : n * 4 / 3) {
        for (int d = -40; d <= 40; d++) {
            pattern(ours, ROOM);
            pattern(libc, ROOM);
            size_t from = 2200, to = (size_t)(2200 + d);
            assert_ptr_equal(gl_libc_memmove(ours + to, ours + from, n), ours + to);
            memmove(libc + to, libc + from, n);
            if (memcmp(ours, libc, ROOM) != 0)
                fail_msg("memmove of %zu bytes over %d is wrong", n, d);
        }
        pattern(ours, ROOM);
        pattern(libc, ROOM);
        assert_ptr_equal(gl_libc_memcpy(ours + 3, ours + 3201, n), ours + 3);
        memcpy(libc + 3, libc + 3201, n);
        assert_memory_equal(ours, libc, ROOM);
    }
}

static void fills_are_exact(void **state)
{
    (void)state;
    static unsigned char ours[4096], libc[4096];
    for (size_t n = 0; n < 2100; n = n < 150 ? n + 1 : n * 4 / 3)
        for (size_t at = 0; at < 17; at++) {
            pattern(ours, sizeof ours);
            pattern(libc, sizeof libc);
            assert_ptr_equal(gl_libc_memset(ours + at, 0x1fe, n), ours + at);
            memset(libc + at, 0x1fe, n);
            assert_memory_equal(ours, libc, sizeof ours);
        }
}

static void comparisons_agree(void **state)
{
    (void)state;
    unsigned char a[64], b[64];
    for (size_t n = 0; n < 40; n++)
        for (size_t diff = 0; diff < 40; diff++) {
            pattern(a, sizeof a);
            pattern(b, sizeof b);
            b[diff] ^= 0x80;
            assert_int_equal(sign(gl_libc_memcmp(a + 1, b + 1, n)), sign(memcmp(a + 1, b + 1, n)));
            assert_int_equal(gl_libc_bcmp(a, b, n) != 0, memcmp(a, b, n) != 0);
        }
    static const char *words[] = {"", "a", "b", "ab", "abc", "abd", "\xff", "a\xff"};
    for (size_t i = 0; i < 8; i++)
        for (size_t j = 0; j < 8; j++) {
            assert_int_equal(sign(gl_libc_strcmp(words[i], words[j])), sign(strcmp(words[i], words[j])));
            for (size_t n = 0; n < 5; n++)
                assert_int_equal(sign(gl_libc_strncmp(words[i], words[j], n)), sign(strncmp(words[i], words[j], n)));
        }
}

static void searches_agree(void **state)
{
    (void)state;
    const char *s = "path/to/file";
    for (int c = 0; c < 128; c++) {
        assert_ptr_equal(gl_libc_strchr(s, c), strchr(s, c));
        assert_ptr_equal(gl_libc_strrchr(s, c), strrchr(s, c));
        assert_ptr_equal(gl_libc_memchr(s, c, 9), memchr(s, c, 9));
    }
    for (size_t n = 0; n < 20; n++)
        assert_int_equal(gl_libc_strnlen(s, n), strnlen(s, n));
    assert_int_equal(gl_libc_strlen(s), 12);
    assert_int_equal(gl_libc_strlen(""), 0);
}

static void string_copies_agree(void **state)
{
    (void)state;
    char ours[16], libc[16];
    for (size_t n = 0; n < 12; n++) {
        memset(ours, '#', sizeof ours);
        memset(libc, '#', sizeof libc);
        assert_ptr_equal(gl_libc_strncpy(ours, "short", n), ours);
        for (size_t i = 0; i < n; i++)
            libc[i] = i < 5 ? "short"[i] : 0;
        assert_memory_equal(ours, libc, sizeof ours);
    }
    assert_string_equal(gl_libc_strcpy(ours, "copied"), "copied");
    char *copy = gl_libc_strdup("duplicate");
    assert_string_equal(copy, "duplicate");
    gl_libc_free(copy);
}

static void formatted_text(void **state)
{
    (void)state;
    char buf[8];
    assert_int_equal(gl_libc_snprintf(buf, sizeof buf, "%s/%d", "abcdefgh", 1), 10);
    assert_string_equal(buf, "abcdefg");
    assert_int_equal(gl_libc_sprintf(buf, "%ld", -123L), 4);
    assert_string_equal(buf, "-123");
    assert_int_equal(gl_libc___sprintf_chk(buf, 1, 4, "%d", 123456), 6);
    assert_string_equal(buf, "123");
    assert_int_equal(gl_libc___snprintf_chk(buf, 8, 1, 3, "%d", 123456), 6);
    assert_string_equal(buf, "12");
}

static void the_allocator_keeps_contents(void **state)
{
    (void)state;
    unsigned char *p = NULL;
    size_t have = 0;
    for (size_t n = 1; n < 5u << 20; n = n * 3 / 2 + 1) {
        p = gl_libc_realloc(p, n);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % 16, 0);
        for (size_t i = 0; i < have; i++)
            if (p[i] != (unsigned char)i)
                fail_msg("byte %zu lost at %zu", i, n);
        for (; have < n; have++)
            p[have] = (unsigned char)have;
    }
    assert_ptr_equal(gl_libc_realloc(p, 10), p); /* shrinks in place */
    assert_null(gl_libc_realloc(p, 0));
    for (size_t n = 0; n < 64; n++) {
        unsigned char *q = gl_libc_calloc(n, 3);
        assert_int_equal((uintptr_t)q % 16, 0);
        for (size_t i = 0; i < n * 3; i++)
            assert_int_equal(q[i], 0);
        gl_libc_memset(q, 0xff, n * 3);
        gl_libc_free(q);
    }
    assert_null(gl_libc_calloc(SIZE_MAX / 2, 3));
    assert_null(gl_libc_malloc(SIZE_MAX));
    gl_libc_free(NULL);
}

static void files(void **state)
{
    (void)state;
    errno = 77;
    assert_int_equal(gl_libc_open("/nonexistent/file", O_RDONLY), -1);
    assert_int_equal(*gl_libc___errno_location(), ENOENT);
    assert_int_equal(errno, 77); /* the program's errno is not ours to change */

    char path[] = "/tmp/internal_libc_test.XXXXXX";
    close(mkstemp(path));
    unlink(path);
    int fd = gl_libc_open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
    assert_true(fd >= 0);
    struct stat ours, libc;
    assert_int_equal(gl_libc_stat(path, &ours), 0);
    assert_int_equal(stat(path, &libc), 0);
    assert_int_equal(ours.st_ino, libc.st_ino);
    assert_int_equal(ours.st_mode, libc.st_mode);
    assert_int_equal(ours.st_mode & 0777, 0600);
    assert_int_equal(write(fd, "0123456789", 10), 10);
    assert_int_equal(gl_libc_lseek(fd, -3, SEEK_END), 7);
    char buf[8];
    assert_int_equal(gl_libc_read(fd, buf, sizeof buf), 3);
    assert_memory_equal(buf, "789", 3);
    assert_int_equal(gl_libc_fstat(fd, &ours), 0);
    assert_int_equal(ours.st_size, 10);
    assert_int_equal(gl_libc_fcntl(fd, F_SETFD, FD_CLOEXEC), 0);
    assert_int_equal(gl_libc_fcntl(fd, F_GETFD), FD_CLOEXEC);
    char *map = gl_libc_mmap(NULL, 10, PROT_READ, MAP_PRIVATE, fd, 0);
    assert_memory_equal(map, "0123456789", 10);
    assert_int_equal(gl_libc_munmap(map, 10), 0);
    assert_ptr_equal(gl_libc_mmap(NULL, 10, PROT_READ, MAP_PRIVATE, -1, 0), MAP_FAILED);
    assert_int_equal(gl_libc_close(fd), 0);
    assert_int_equal(gl_libc_close(fd), -1);
    unlink(path);
    assert_int_equal(gl_libc_lstat("/proc/self/exe", &ours), 0);
    assert_true(S_ISLNK(ours.st_mode));
    char exe[4096], link[4096];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe);
    assert_int_equal(gl_libc_readlink("/proc/self/exe", link, sizeof link), n);
    assert_memory_equal(link, exe, (size_t)n);
    assert_int_equal(gl_libc_getpid(), getpid());
    assert_int_equal(gl_libc_getpagesize(), sysconf(_SC_PAGESIZE));
}

static void ignored(int sig) { (void)sig; _exit(1); }

static void abort_runs_no_handler(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, NULL);
        signal(SIGABRT, ignored);
        gl_libc_abort();
    }
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_are_exact),
        cmocka_unit_test(fills_are_exact),
        cmocka_unit_test(comparisons_agree),
        cmocka_unit_test(searches_agree),
        cmocka_unit_test(string_copies_agree),
        cmocka_unit_test(formatted_text),
        cmocka_unit_test(the_allocator_keeps_contents),
        cmocka_unit_test(files),
        cmocka_unit_test(abort_runs_no_handler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
