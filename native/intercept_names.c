/* SPDX-License-Identifier: Apache-2.0
 *
 * Users, groups, hosts and the state of the system: strings that are read, answers that are written.  Of an answer with
 * pointers the structure counts and the strings in it; in a static answer of libc's that is what two threads race for.
 */
#include "native/intercept_libc.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <grp.h>
#include <ifaddrs.h>
#include <mntent.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <shadow.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>
#include <utmpx.h>

/* ---- users and groups ---- */

/* Strings of an answer, of those in the n bytes at p, which were written: others are constants of whoever answers (of systemd's module, for example). */
static void text_in(const void *p, size_t n, const char *s, uintptr_t pc)
{
    if ((uintptr_t)s - (uintptr_t)p < n)
        rt_has_written_string(s, pc);
}

/* p, n: where the strings are, or SIZE_MAX bytes at NULL, of libc's own. */
static void user(const struct passwd *u, const void *p, size_t n, uintptr_t pc)
{
    if (!u)
        return;
    rt_has_written(u, sizeof *u, pc);
    text_in(p, n, u->pw_name, pc);
    text_in(p, n, u->pw_dir, pc);
    text_in(p, n, u->pw_shell, pc);
    if (p) { /* libc's own are enough with those */
        text_in(p, n, u->pw_passwd, pc);
        text_in(p, n, u->pw_gecos, pc);
    }
}

static void group(const struct group *g, const void *p, size_t n, uintptr_t pc)
{
    if (!g)
        return;
    rt_has_written(g, sizeof *g, pc);
    text_in(p, n, g->gr_name, pc);
    if (!p)
        return;
    text_in(p, n, g->gr_passwd, pc);
    size_t members = 0;
    while (g->gr_mem && g->gr_mem[members])
        text_in(p, n, g->gr_mem[members++], pc);
    if ((uintptr_t)g->gr_mem - (uintptr_t)p < n)
        rt_has_written(g->gr_mem, (members + 1) * sizeof *g->gr_mem, pc);
}

#define USER(params, name, args, ...)                                                                        \
    CALLS(struct passwd *, name, params, args, true, __VA_ARGS__; user(r, NULL, SIZE_MAX, pc))
#define GROUP(params, name, args, ...)                                                                       \
    CALLS(struct group *, name, params, args, true, __VA_ARGS__; group(r, NULL, SIZE_MAX, pc))
#define USER_INTO(params, name, args, ...)                                                                   \
    CALLS(int, name, params, args, true, __VA_ARGS__; WHOLE(found); if (r == 0) user(*found, p, n, pc))
#define GROUP_INTO(params, name, args, ...)                                                                  \
    CALLS(int, name, params, args, true, __VA_ARGS__; WHOLE(found); if (r == 0) group(*found, p, n, pc))

USER((const char *name), getpwnam, (name), S(name))
USER((uid_t id), getpwuid, (id), (void)0)
USER((void), getpwent, (), (void)0)
USER((FILE * f), fgetpwent, (f), (void)0)
GROUP((const char *name), getgrnam, (name), S(name))
GROUP((gid_t id), getgrgid, (id), (void)0)
GROUP((void), getgrent, (), (void)0)
GROUP((FILE * f), fgetgrent, (f), (void)0)
USER_INTO((const char *restrict name, struct passwd *restrict to, char *restrict p, size_t n,
           struct passwd **restrict found),
          getpwnam_r, (name, to, p, n, found), S(name))
USER_INTO((uid_t id, struct passwd *restrict to, char *restrict p, size_t n, struct passwd **restrict found),
          getpwuid_r, (id, to, p, n, found), (void)0)
USER_INTO((struct passwd *restrict to, char *restrict p, size_t n, struct passwd **restrict found),
          getpwent_r, (to, p, n, found), (void)0)
GROUP_INTO((const char *restrict name, struct group *restrict to, char *restrict p, size_t n,
            struct group **restrict found),
           getgrnam_r, (name, to, p, n, found), S(name))
GROUP_INTO((gid_t id, struct group *restrict to, char *restrict p, size_t n, struct group **restrict found),
           getgrgid_r, (id, to, p, n, found), (void)0)
GROUP_INTO((struct group *restrict to, char *restrict p, size_t n, struct group **restrict found), getgrent_r,
           (to, p, n, found), (void)0)
USER_INTO((FILE * f, struct passwd *restrict to, char *restrict p, size_t n, struct passwd **restrict found),
          fgetpwent_r, (f, to, p, n, found), (void)0)
GROUP_INTO((FILE * f, struct group *restrict to, char *restrict p, size_t n, struct group **restrict found),
           fgetgrent_r, (f, to, p, n, found), (void)0)
INTERCEPT(int, initgroups, (const char *name, gid_t id))
{
    uintptr_t pc = RT_CALLER();
    int r;
    S(name);
    RT_UNDER(pc, r = REAL(initgroups)(name, id));
    return r;
}
CALLS(int, getgroups, (int n, gid_t *to), (n, to), r > 0, W(to, n ? (size_t)r * sizeof *to : 0))
int __getgroups_chk(int n, gid_t *to, size_t room);
CALLS(int, __getgroups_chk, (int n, gid_t *to, size_t room), (n, to, room), r > 0, W(to, n ? (size_t)r * sizeof *to : 0))
CALLS(int, getgrouplist, (const char *name, gid_t id, gid_t *to, int *n), (name, id, to, n), r >= 0, S(name);
      W(to, (size_t)r * sizeof *to); WHOLE(n))
CALLS(int, getresuid, (uid_t * a, uid_t *b, uid_t *c), (a, b, c), r == 0, WHOLE(a); WHOLE(b); WHOLE(c))
CALLS(int, getresgid, (gid_t * a, gid_t *b, gid_t *c), (a, b, c), r == 0, WHOLE(a); WHOLE(b); WHOLE(c))

/* ---- hosts ---- */

static void host(const struct hostent *h, uintptr_t pc)
{
    if (!h)
        return;
    rt_has_written(h, sizeof *h, pc);
    rt_has_written_string(h->h_name, pc);
}

#define HOST(params, name, args, ...)                                                                        \
    CALLS(struct hostent *, name, params, args, true, __VA_ARGS__; host(r, pc))
#define HOST_INTO(params, name, args, ...)                                                                   \
    CALLS(int, name, params, args, r == 0, __VA_ARGS__; WHOLE(found); host(*found, pc))

HOST((const char *name), gethostbyname, (name), S(name))
HOST((const char *name, int family), gethostbyname2, (name, family), S(name))
HOST((const void *address, socklen_t n, int family), gethostbyaddr, (address, n, family), R(address, n))
HOST((void), gethostent, (), (void)0)
HOST_INTO((const char *restrict name, struct hostent *restrict to, char *restrict p, size_t n,
           struct hostent **restrict found, int *restrict error),
          gethostbyname_r, (name, to, p, n, found, error), S(name))
HOST_INTO((const char *restrict name, int family, struct hostent *restrict to, char *restrict p, size_t n,
           struct hostent **restrict found, int *restrict error),
          gethostbyname2_r, (name, family, to, p, n, found, error), S(name))
HOST_INTO((const void *restrict address, socklen_t m, int family, struct hostent *restrict to,
           char *restrict p, size_t n, struct hostent **restrict found, int *restrict error),
          gethostbyaddr_r, (address, m, family, to, p, n, found, error), R(address, m))
HOST_INTO((struct hostent *restrict to, char *restrict p, size_t n, struct hostent **restrict found,
           int *restrict error),
          gethostent_r, (to, p, n, found, error), (void)0)
#define PROTOCOL_INTO(params, name, args, ...)                                                               \
    CALLS(int, name, params, args, r == 0, __VA_ARGS__; WHOLE(found); if (*found) WHOLE(*found))
PROTOCOL_INTO((const char *restrict name, struct protoent *restrict to, char *restrict p, size_t n,
               struct protoent **restrict found),
              getprotobyname_r, (name, to, p, n, found), S(name))
PROTOCOL_INTO((int number, struct protoent *restrict to, char *restrict p, size_t n,
               struct protoent **restrict found),
              getprotobynumber_r, (number, to, p, n, found), (void)0)
PROTOCOL_INTO((struct protoent *restrict to, char *restrict p, size_t n, struct protoent **restrict found),
              getprotoent_r, (to, p, n, found), (void)0)
CALLS(struct protoent *, getprotobyname, (const char *name), (name), r != NULL, S(name); WHOLE(r))
CALLS(struct protoent *, getprotobynumber, (int number), (number), r != NULL, WHOLE(r))
CALLS(struct protoent *, getprotoent, (void), (), r != NULL, WHOLE(r))
CALLS(struct netent *, getnetbyname, (const char *name), (name), r != NULL, S(name); WHOLE(r))
CALLS(struct netent *, getnetbyaddr, (uint32_t net, int type), (net, type), r != NULL, WHOLE(r))
CALLS(struct netent *, getnetent, (void), (), r != NULL, WHOLE(r))

static void addresses(const struct addrinfo *a, uintptr_t pc)
{
    for (; a; a = a->ai_next) {
        rt_has_written(a, sizeof *a, pc);
        rt_has_written(a->ai_addr, a->ai_addrlen, pc);
        rt_has_written_string(a->ai_canonname, pc);
    }
}

CALLS(int, getaddrinfo,
      (const char *restrict name, const char *restrict service, const struct addrinfo *restrict hints,
       struct addrinfo **restrict to),
      (name, service, hints, to), r == 0, S(name);
      S(service); R(hints, hints ? sizeof *hints : 0); WHOLE(to); addresses(*to, pc))
CALLS(int, getnameinfo,
      (const struct sockaddr *restrict from, socklen_t m, char *restrict name, socklen_t n,
       char *restrict service, socklen_t k, int flags),
      (from, m, name, n, service, k, flags), r == 0, R(from, m);
      if (n) T(name); if (k) T(service))
CALLS(int, getifaddrs, (struct ifaddrs * *to), (to), r == 0, WHOLE(to);
      for (struct ifaddrs *a = *to; a; a = a->ifa_next) WHOLE(a))
CALLS(unsigned, if_nametoindex, (const char *name), (name), r != 0, S(name))
CALLS(char *, if_indextoname, (unsigned i, char name[IF_NAMESIZE]), (i, name), r != NULL, T(name))
/* What follows an address behind white space is not read. */
static size_t address_size(const char *s)
{
    size_t n = 0;
    while (s[n] && !isspace((unsigned char)s[n]))
        n++;
    return n + 1;
}

/* Of a hardware address: five groups with their colons, two digits at most and what follows those. */
static size_t ether_size(const char *s)
{
    size_t n = 0;
    for (unsigned colons = 0; colons < 5; n++)
        colons += s[n] == ':';
    return n + (isxdigit((unsigned char)s[n + 1]) ? 3 : 2);
}

CALLS(int, inet_aton, (const char *s, struct in_addr *to), (s, to), r != 0, R(s, address_size(s)); WHOLE(to))
CALLS(int, inet_pton, (int family, const char *restrict s, void *restrict to), (family, s, to), r == 1, S(s);
      W(to, family == AF_INET ? sizeof(struct in_addr) : sizeof(struct in6_addr)))
CALLS(const char *, inet_ntop, (int family, const void *restrict from, char *restrict to, socklen_t n),
      (family, from, to, n), r != NULL,
      R(from, family == AF_INET ? sizeof(struct in_addr) : sizeof(struct in6_addr));
      T(to))
CALLS(struct ether_addr *, ether_aton, (const char *s), (s), r != NULL, R(s, ether_size(s)); WHOLE(r))
CALLS(struct ether_addr *, ether_aton_r, (const char *s, struct ether_addr *to), (s, to), r != NULL, R(s, ether_size(s));
      WHOLE(to))
CALLS(char *, ether_ntoa, (const struct ether_addr *a), (a), r != NULL, R(a, sizeof *a); T(r))
CALLS(char *, ether_ntoa_r, (const struct ether_addr *a, char *to), (a, to), r != NULL, R(a, sizeof *a);
      T(to))
CALLS(int, ether_ntohost, (char *to, const struct ether_addr *a), (to, a), true, R(a, sizeof *a);
      if (r == 0) T(to))
CALLS(int, ether_hostton, (const char *s, struct ether_addr *to), (s, to), true, S(s); if (r == 0) WHOLE(to))
CALLS(int, ether_line, (const char *s, struct ether_addr *to, char *name), (s, to, name), r == 0, S(s);
      WHOLE(to); T(name))
CALLS(int, dn_expand,
      (const unsigned char *message, const unsigned char *end, const unsigned char *from, char *to, int n),
      (message, end, from, to, n), r >= 0, R(from, (size_t)r);
      T(to))
CALLS(int, dn_comp, (const char *s, unsigned char *to, int n, unsigned char **names, unsigned char **last),
      (s, to, n, names, last), r >= 0, S(s);
      W(to, (size_t)r))
/* Bytes as letters, and back: the resolver's library has them. */
int __b64_ntop(const unsigned char *from, size_t n, char *to, size_t room);
CALLS(int, __b64_ntop, (const unsigned char *from, size_t n, char *to, size_t room), (from, n, to, room),
      r >= 0, R(from, n);
      T(to))
int __b64_pton(const char *s, unsigned char *to, size_t room);
CALLS(int, __b64_pton, (const char *s, unsigned char *to, size_t room), (s, to, room), r >= 0, S(s);
      W(to, to ? (size_t)r : 0))

/* ---- who is logged in, what is mounted ---- */

#define ENTRY(name, type, params, args, ...)                                                                 \
    CALLS(struct type *, name, params, args, r != NULL, __VA_ARGS__; WHOLE(r))

ENTRY(getutent, utmp, (void), (), (void)0)
ENTRY(getutid, utmp, (const struct utmp *key), (key), R(key, sizeof *key))
ENTRY(getutline, utmp, (const struct utmp *key), (key), R(key, sizeof *key))
ENTRY(getutxent, utmpx, (void), (), (void)0)
ENTRY(getutxid, utmpx, (const struct utmpx *key), (key), R(key, sizeof *key))
ENTRY(getutxline, utmpx, (const struct utmpx *key), (key), R(key, sizeof *key))
CALLS(struct utmp *, pututline, (const struct utmp *from), (from), true, R(from, sizeof *from))
CALLS(struct utmpx *, pututxline, (const struct utmpx *from), (from), true, R(from, sizeof *from))

static void mounted(const struct mntent *m, uintptr_t pc)
{
    rt_has_written(m, sizeof *m, pc);
    rt_has_written_string(m->mnt_fsname, pc);
    rt_has_written_string(m->mnt_dir, pc);
    rt_has_written_string(m->mnt_type, pc);
    rt_has_written_string(m->mnt_opts, pc);
}

CALLS(struct mntent *, getmntent, (FILE * f), (f), r != NULL, mounted(r, pc))
CALLS(struct mntent *, getmntent_r, (FILE *restrict f, struct mntent *restrict to, char *restrict p, int n),
      (f, to, p, n), r != NULL, mounted(r, pc))

/* ---- passwords ---- */

/* Their library calls functions that are intercepted too. */
#define CRYPTS(name, params, args)                                                                           \
    INTERCEPT(char *, name, params)                                                                          \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        char *r;                                                                                             \
        S(key);                                                                                              \
        S(salt);                                                                                             \
        RT_UNDER(pc, r = REAL(name) args);                                                                   \
        int saved = errno;                                                                                   \
        T(r);                                                                                                \
        errno = saved;                                                                                       \
        return r;                                                                                            \
    }
struct crypt_data;
char *crypt_r(const char *key, const char *salt, struct crypt_data *data);
CRYPTS(crypt, (const char *key, const char *salt), (key, salt))
CRYPTS(crypt_r, (const char *key, const char *salt, struct crypt_data *data), (key, salt, data))

/* ---- the system ---- */

CALLS(int, uname, (struct utsname * to), (to), r == 0, WHOLE(to))
CALLS(int, sysinfo, (struct sysinfo * to), (to), r == 0, WHOLE(to))
CALLS(int, getrusage, (__rusage_who_t who, struct rusage *to), (who, to), r == 0, WHOLE(to))
CALLS(int, getrlimit, (__rlimit_resource_t what, struct rlimit *to), (what, to), r == 0, WHOLE(to))
CALLS(int, getrlimit64, (__rlimit_resource_t what, struct rlimit64 *to), (what, to), r == 0, WHOLE(to))
CALLS(int, getloadavg, (double *to, int n), (to, n), r > 0, W(to, (size_t)r * sizeof *to))
CALLS(int, gethostname, (char *to, size_t n), (to, n), r == 0, T(to))
CALLS(size_t, confstr, (int name, char *to, size_t n), (name, to, n), r > 0, W(to, r < n ? r : n))
int __gethostname_chk(char *to, size_t n, size_t room);
CALLS(int, __gethostname_chk, (char *to, size_t n, size_t room), (to, n, room), r == 0, T(to))
size_t __confstr_chk(int name, char *to, size_t n, size_t room);
CALLS(size_t, __confstr_chk, (int name, char *to, size_t n, size_t room), (name, to, n, room), r > 0, W(to, r < n ? r : n))
CALLS(int, sched_getparam, (pid_t pid, struct sched_param *to), (pid, to), r == 0, WHOLE(to))
CALLS(int, pthread_getaffinity_np, (pthread_t id, size_t n, cpu_set_t *to), (id, n, to), r == 0, W(to, n))
CALLS(int, pthread_getname_np, (pthread_t id, char *to, size_t n), (id, to, n), r == 0, T(to))
CALLS(int, pthread_getschedparam, (pthread_t id, int *restrict policy, struct sched_param *restrict to),
      (id, policy, to), r == 0, WHOLE(policy);
      WHOLE(to))

/* ---- children ---- */

/* Did it end, or was it only stopped or continued? */
static bool has_ended(const int *status, int options)
{
    return status ? WIFEXITED(*status) || WIFSIGNALED(*status) : !(options & (WUNTRACED | WCONTINUED));
}

static bool was_taken(const siginfo_t *info, int options)
{
    return !(options & WNOWAIT) && (info->si_code == CLD_EXITED || info->si_code == CLD_KILLED || info->si_code == CLD_DUMPED);
}

CALLS(pid_t, wait, (int *status), (status), r > 0, rt_child_ended(r, true, pc); WHOLE(status))
CALLS(pid_t, waitpid, (pid_t pid, int *status, int options), (pid, status, options), r > 0, rt_child_ended(r, has_ended(status, options), pc);
      WHOLE(status))
CALLS(pid_t, wait3, (int *status, int options, struct rusage *usage), (status, options, usage), r > 0,
      rt_child_ended(r, has_ended(status, options), pc);
      WHOLE(status);
      WHOLE(usage))
CALLS(pid_t, wait4, (pid_t pid, int *status, int options, struct rusage *usage),
      (pid, status, options, usage), r > 0, rt_child_ended(r, has_ended(status, options), pc);
      WHOLE(status);
      WHOLE(usage))
CALLS(int, waitid, (idtype_t type, id_t id, siginfo_t *info, int options), (type, id, info, options), r == 0,
      if (info) rt_child_ended(info->si_pid, was_taken(info, options), pc);
      WHOLE(info))
