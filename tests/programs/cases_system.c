// SPDX-License-Identifier: Apache-2.0
// The system and its processes: what is asked for is read, what it answers is written.
// peer-skip: libtsan does not know all of these
// flags: -lcrypt -lresolv -Wno-deprecated-declarations
// skip emulated: qemu has no process_vm_readv
#include "tests/programs/cases.h"
#include <arpa/nameser.h>
#include <crypt.h>
#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <mntent.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <poll.h>
#include <pwd.h>
#include <resolv.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

int capget(struct __user_cap_header_struct *h, struct __user_cap_data_struct *to);
int capset(struct __user_cap_header_struct *h, const struct __user_cap_data_struct *from);
int __b64_ntop(const unsigned char *from, size_t n, char *to, size_t room);
int __b64_pton(const char *s, unsigned char *to, size_t room);

static char key[4][8] = {"key", "key"}, salt[4][8] = {"ab", "ab"};
static struct crypt_data crypt_room;
static char name[8][32] = {"root", "worker", "/gl.cases.none", "tcp", "no.host"};
static cpu_set_t cpus[4][2];
static struct sched_param param[2];
static struct rlimit64 limit[2];
static struct timeb clock_was[2];
static struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
static struct __user_cap_data_struct capability[6];
static sigset_t set[6][2];
static char true_path[4][16] = {"/bin/true", "true"};
static int status[4][2];
static siginfo_t info[2];
static struct pollfd polled[2] = {{.fd = -1}, {.fd = -1}};
static struct sigaction action[4];
static sem_t counter;
static int count[2];
static struct shmid_ds segment[2];
static pid_t child[2][2];
static struct passwd user[2], *user_found[2];
static struct group group[2], *group_found[2];
static struct hostent host[2], *host_found[2];
static struct protoent protocol[3][2], *protocol_found[3];
static char room[8][4096];
static struct mntent mounted[2];
static struct dirent entry_room[2], *entry_found[2];
static struct dirent64 entry64_room[2], *entry64_found[2];
static char root[4][8] = {"/", "/", "/"};
static struct dirent **entries;
static struct dirent64 **entries64;
static char ether_line_text[32] = "1:2:3:4:5:6 host";
static struct ether_addr ether[3];
static char text[16][64];
static unsigned char packed[4][64] = {{1, 'a', 1, 'b', 0}};
static char domain[8] = "a.b";
static char bits[2][8] = {"YWJj"};
static unsigned char bytes[2][8] = {"abc"};
static char stream_room[BUFSIZ + 8];
static struct timespec no_time[2] = {{0, -1}};
static struct timeval no_day[2] = {{0, -1}};
static int robust[2];
static struct iovec here[2] = {{text[6], 8}, {text[7], 8}};
static gid_t groups[65];
static struct file_handle *handle;
static int mount_number[2];

static void cases(enum runs who) {
    char *s = NULL, *p = NULL;
    struct mntent *m = NULL;
    struct netent *net = NULL;
    DIR *d = NULL;
    FILE *f = NULL;
    pthread_attr_t attr;
    pthread_mutexattr_t mutex_attr;
    char *const words[] = {"true", NULL};
    int error = 0, id = -1;
    struct shmid_ds *none = NULL;

    READS((s = crypt(key[0], "ab")) != NULL, &key[0][3], &key[0][4]); //@case reads
    WRITES((s = crypt_r("key", "ab", &crypt_room)) != NULL, s, NULL); //@case writes
    READS((s = crypt_r("key", salt[0], &crypt_room)) != NULL, &salt[0][2], &salt[0][3]); //@case reads
    WRITES(sched_getaffinity(0, sizeof cpus[0][0], &cpus[0][0]) == 0, &cpus[0][0], &cpus[0][1]); //@case writes
    DOES(pthread_attr_init(&attr));
    WRITES(pthread_attr_getaffinity_np(&attr, sizeof cpus[1][0], &cpus[1][0]) == 0, &cpus[1][0], &cpus[1][1]); //@case writes
    WRITES(poll(&polled[0], 1, 0) == 0, &polled[0].revents, &polled[1].revents); //@case writes
    WRITES(sem_getvalue(&counter, &count[0]) == 0, &count[0], &count[1]); //@case writes
    WRITES(sigaction(SIGUSR1, NULL, &action[0]) == 0, &action[0].sa_flags, &action[1]); //@case writes
    READS(sigaction(SIGUSR1, &action[2], NULL) == 0, &action[2].sa_flags, &action[3]); //@case reads
    WRITES(getrlimit64(RLIMIT_NOFILE, &limit[0]) == 0, &limit[0].rlim_cur, &limit[1]); //@case writes
    WRITES(sched_getparam(0, &param[0]) == 0, &param[0], &param[1]); //@case writes
    DOES(pthread_mutexattr_init(&mutex_attr));
    WRITES(pthread_mutexattr_getrobust_np(&mutex_attr, &robust[0]) == 0, &robust[0], &robust[1]); //@case writes
    WRITES(ftime(&clock_was[0]) == 0, &clock_was[0].time, &clock_was[1]); //@case writes
    READS(clock_settime(CLOCK_REALTIME, &no_time[0]) != 0, &no_time[0].tv_nsec, &no_time[1]); //@case reads
    READS(settimeofday(&no_day[0], NULL) != 0, &no_day[0].tv_usec, &no_day[1]); //@case reads
    WRITES(capget(&header, &capability[0]) == 0, &capability[1], &capability[2]); //@case writes
    DOES(MUST(capget(&header, &capability[4]) == 0));
    READS(capset(&header, &capability[4]) == 0, NULL, NULL);
    READS(initgroups(name[0], 0) != 12345, &name[0][4], &name[0][5]); //@case reads
    READS(prctl(PR_SET_NAME, name[1]) == 0, &name[1][6], &name[1][7]); //@case reads
    WRITES(prctl(PR_GET_NAME, text[0]) == 0 && strcmp(text[0], "worker") == 0, &text[0][6], &text[0][16]); //@case writes
    READS(sem_open(name[2], 0) == SEM_FAILED, &name[2][14], &name[2][15]); //@case reads
    READS(sem_unlink("/gl.cases.none") != 0, NULL, NULL);
    READS(pthread_setname_np(pthread_self(), "second") == 0, NULL, NULL);
    READS(getgroups(0, groups) >= 0, NULL, &groups[64]);

    WRITES(sigfillset(&set[0][0]) == 0, &set[0][0], &set[0][1]); //@case writes
    DOES(sigemptyset(&set[1][0]); sigemptyset(&set[2][0]));
    WRITES(sigandset(&set[3][0], &set[0][0], &set[1][0]) == 0, &set[3][0], &set[3][1]); //@case writes
    WRITES(sigorset(&set[4][0], &set[1][0], &set[2][0]) == 0, &set[4][0], &set[4][1]); //@case writes

    READS(posix_spawn(&child[0][0], true_path[0], NULL, NULL, words, environ) == 0, &true_path[0][9], &true_path[0][10]); //@case reads
    WRITES(wait3(&status[0][0], 0, NULL) == child[0][0], &status[0][0], &status[0][1]); //@case writes
    READS(posix_spawnp(&child[1][0], true_path[1], NULL, NULL, words, environ) == 0, &true_path[1][4], &true_path[1][5]); //@case reads
    WRITES(wait4(child[1][0], &status[1][0], 0, NULL) == child[1][0], &status[1][0], &status[1][1]); //@case writes
    DOES(MUST(posix_spawn(&child[0][1], "/bin/true", NULL, NULL, words, environ) == 0));
    WRITES(waitid(P_PID, (id_t)child[0][1], &info[0], WEXITED) == 0, &info[0].si_pid, &info[1]); //@case writes
    WRITES((f = popen("echo abcdef", "r")) && fgets(text[1], 64, f) == text[1], &text[1][6], &text[1][8]); //@case writes
    READS(fgetc(f) == EOF && pclose(f) == 0, NULL, NULL);
    DOES(MUST((f = tmpfile64()) && fputc('a', f) == 'a' && putc('b', f) == 'b' && fseek(f, 0, SEEK_SET) == 0 && getc(f) == 'a' && fclose(f) == 0));
    WRITES((f = open_memstream(&p, (size_t *)text[2])) != NULL, text[2], &text[2][8]); //@case writes
    WRITES((f = open_wmemstream((wchar_t **)text[3], (size_t *)text[4])) != NULL, text[3], &text[3][8]); //@case writes
    WRITES((setbuffer(tmpfile(), text[5], 32), 1), &text[5][31], &text[5][32]); //@case writes
    WRITES((setbuf(tmpfile(), stream_room), 1), &stream_room[BUFSIZ - 1], &stream_room[BUFSIZ]); //@case writes
    WRITES(setvbuf(tmpfile(), text[8], _IOFBF, 32) == 0, &text[8][31], &text[8][32]); //@case writes
    DOES(MUST((id = shmget(IPC_PRIVATE, 4096, 0600)) >= 0));
    WRITES(shmctl(id, IPC_STAT, &segment[0]) == 0, &segment[0].shm_segsz, &segment[1]); //@case writes
    DOES(MUST((s = shmat(id, NULL, 0)) != (char *)-1 && shmctl(id, IPC_RMID, none) == 0); s[0] = 1);
    DOES(MUST((id = semget(IPC_PRIVATE, 1, 0600)) >= 0));
    READS(semtimedop(id, &(struct sembuf){.sem_op = 1}, 1, NULL) == 0 && semctl(id, 0, IPC_RMID) == 0, NULL, NULL);
    DOES(*(long *)(text[9]) = 1);
    WRITES(process_vm_readv(getpid(), &here[0], 1, &(struct iovec){text[9], 8}, 1, 0) == 8, &text[6][7], &text[6][8]); //@case writes
    READS(process_vm_writev(getpid(), &here[1], 1, &(struct iovec){text[10], 8}, 1, 0) == 8, &text[7][7], &text[7][8]); //@case reads
    READS(mlockall(MCL_FUTURE) == 0, NULL, NULL);

    WRITES(fgetpwent_r(fopen("/etc/passwd", "r"), &user[0], room[0], 4096, &user_found[0]) == 0, &user[0].pw_uid, &user[1]); //@case writes
    WRITES(fgetgrent_r(fopen("/etc/group", "r"), &group[0], room[1], 4096, &group_found[0]) == 0, &group[0].gr_gid, &group[1]); //@case writes
    WRITES(gethostent_r(&host[0], room[2], 4096, &host_found[0], &error) == 0, &host[0].h_length, &host[1]); //@case writes
    READS(getprotobyname_r(name[3], &protocol[0][0], room[3], 4096, &protocol_found[0]) == 0, &name[3][3], &name[3][4]); //@case reads
    WRITES(getprotobynumber_r(6, &protocol[1][0], room[4], 4096, &protocol_found[1]) == 0, &protocol[1][0].p_proto, &protocol[1][1]); //@case writes
    WRITES(getprotoent_r(&protocol[2][0], room[5], 4096, &protocol_found[2]) == 0, &protocol[2][0].p_proto, &protocol[2][1]); //@case writes
    WRITES((net = getnetbyaddr(0xa9fe0000, AF_INET)) != NULL, &net->n_net, NULL); //@case writes
    WRITES((s = getusershell()) != NULL, s, NULL); //@case writes
    WRITES((m = getmntent(setmntent("/proc/mounts", "r"))) != NULL, &m->mnt_freq, NULL); //@case writes
    WRITES(getmntent_r(setmntent("/proc/mounts", "r"), &mounted[0], room[6], 4096) != NULL, &mounted[0].mnt_freq, &mounted[1]); //@case writes
    DOES(MUST((d = opendir("/"))));
    WRITES(readdir_r(d, &entry_room[0], &entry_found[0]) == 0, &entry_found[0], &entry_found[1]); //@case writes
    WRITES(readdir64_r(d, &entry64_room[0], &entry64_found[0]) == 0, &entry64_room[0], &entry64_room[1]); //@case writes
    READS(closedir(d) == 0, NULL, NULL);
    READS(scandir(root[0], &entries, NULL, alphasort) > 1, &root[0][1], &root[0][2]); //@case reads
    WRITES(scandir64("/", &entries64, NULL, NULL) > 1, &entries64[1]->d_name[0], NULL); //@case writes

    READS(ether_line(ether_line_text, &ether[0], text[11]) == 0, &ether_line_text[16], &ether_line_text[17]); //@case reads
    READS(ether_ntohost(text[12], &ether[1]) != 12345, &ether[1], NULL); //@case reads
    READS(ether_hostton(name[4], &ether[2]) != 12345, &name[4][7], &name[4][8]); //@case reads
    WRITES(dn_expand(packed[0], packed[0] + 64, packed[0], text[13], 64) == 5, &text[13][3], &text[13][4]); //@case writes
    READS(dn_comp(domain, packed[1], 64, NULL, NULL) == 5, &domain[3], &domain[4]); //@case reads
    WRITES(__b64_ntop(bytes[0], 3, text[14], 64) == 4, &text[14][4], &text[14][5]); //@case writes
    READS(__b64_pton(bits[0], packed[2], 64) == 3, &bits[0][4], &bits[0][5]); //@case reads
    WRITES((s = tmpnam(text[15])) != NULL, s, NULL); //@case writes
    READS(tmpnam_r(room[6] + 2048) && tempnam("/tmp", "gl"), NULL, NULL);
    DOES(MUST((handle = calloc(1, sizeof *handle + MAX_HANDLE_SZ))); handle->handle_bytes = MAX_HANDLE_SZ);
    READS(name_to_handle_at(AT_FDCWD, root[1], handle, &mount_number[0], 0) != 12345, &root[1][1], &root[1][2]); //@case reads
    READS(open_by_handle_at(AT_FDCWD, handle, O_RDONLY) != 12345, NULL, NULL);
}

CASES_MAIN
