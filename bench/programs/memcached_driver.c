/* SPDX-License-Identifier: Apache-2.0
 *
 * memcached and its client in one command: memcached [OPERATIONS]. The server is memcached's own main(), in this process, whose time and
 * memory are measured. The client is a child, forked before the server has threads: it talks over several connections to a socket in a
 * directory of its own, sends commands by the batch (as clients with pipelines do), and ends the server by a signal. Nobody waits
 * for the child, so its time is not in the measurement, and its code is not instrumented.
 *
 * The check: every connection has its own keys, and knows what each answer must be.
 *
 * memcached has races of its own (docs/found-races.md): neither tool tells them here.
 */
#include "bench/kernels/kernel.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define PLAIN __attribute__((no_sanitize_thread))
#define CONNECTIONS 8
#define KEYS 512
#define BATCH 32
#define VALUE_MOST 1024u
#define ROOM (BATCH * (VALUE_MOST + 64))

#undef main /* the server's, see the file memcached beside this one */
int memcached_main(int argc, char **argv);

const char *__tsan_default_options(void);
const char *__tsan_default_options(void) { return "report_bugs=0"; }

struct connection {
    int fd;
    uint64_t random;
    uint32_t version[KEYS]; /* what was stored last; 0: nothing */
    bool set[BATCH];        /* of the batch under way */
    uint32_t key[BATCH], expected[BATCH];
};

static char folder[] = "/tmp/bench-memcached-XXXXXX", address[sizeof folder + 8];
static pid_t server;

/* The client has found something wrong: the server ends, too, so that no time counts. */
PLAIN static _Noreturn void wrong(const char *what)
{
    dprintf(STDERR_FILENO, "memcached: %s: %s\n", what, strerror(errno));
    kill(server, SIGKILL);
    _exit(1);
}

PLAIN static uint32_t value_length(uint32_t key, uint32_t version)
{
    return 16 + (key * 2654435761u + version * 40503u) % (VALUE_MOST - 16);
}

PLAIN static char value_byte(uint32_t key, uint32_t version) { return (char)('a' + (key + version) % 26); }

PLAIN static int open_connection(void)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    memcpy(a.sun_path, address, sizeof address);
    for (int tries = 0; tries < 60000; tries++) {
        int fd = socket(AF_UNIX, SOCK_STREAM, 0);
        if (fd < 0)
            wrong("no socket");
        if (connect(fd, (struct sockaddr *)&a, sizeof a) == 0)
            return fd;
        close(fd);
        usleep(1000);
    }
    wrong("the server does not answer");
}

PLAIN static void send_batch(struct connection *c, char *buffer, size_t number)
{
    size_t n = 0;
    for (unsigned i = 0; i < BATCH; i++) {
        uint32_t r = kernel_random(&c->random), key = c->key[i] = (r >> 8) % KEYS;
        c->set[i] = r % 10 < 3;
        if (c->set[i]) {
            uint32_t version = ++c->version[key], length = value_length(key, version);
            n += (size_t)sprintf(buffer + n, "set c%zu:%u 0 0 %u\r\n", number, key, length);
            memset(buffer + n, value_byte(key, version), length);
            memcpy(buffer + n + length, "\r\n", 2);
            n += length + 2;
        } else {
            n += (size_t)sprintf(buffer + n, "get c%zu:%u\r\n", number, key);
        }
        c->expected[i] = c->version[key];
    }
    for (size_t sent = 0; sent < n;) {
        ssize_t s = write(c->fd, buffer + sent, n - sent);
        if (s <= 0)
            wrong("the server takes no command");
        sent += (size_t)s;
    }
}

/* The answers to a batch are known to the last byte. */
PLAIN static void check_answers(const struct connection *c, char *expected, char *buffer, size_t number)
{
    size_t n = 0;
    for (unsigned i = 0; i < BATCH; i++) {
        uint32_t key = c->key[i], version = c->expected[i];
        if (c->set[i]) {
            n += (size_t)sprintf(expected + n, "STORED\r\n");
            continue;
        }
        if (version) {
            uint32_t length = value_length(key, version);
            n += (size_t)sprintf(expected + n, "VALUE c%zu:%u 0 %u\r\n", number, key, length);
            memset(expected + n, value_byte(key, version), length);
            n += length;
            n += (size_t)sprintf(expected + n, "\r\n");
        }
        n += (size_t)sprintf(expected + n, "END\r\n");
    }
    for (size_t got = 0; got < n;) {
        ssize_t s = read(c->fd, buffer + got, n - got);
        if (s <= 0)
            wrong("the server does not answer");
        got += (size_t)s;
    }
    errno = 0;
    if (memcmp(expected, buffer, n) != 0)
        wrong("a wrong answer");
}

PLAIN static _Noreturn void client(size_t operations)
{
    static struct connection all[CONNECTIONS];
    static char expected[ROOM], buffer[ROOM];
    for (size_t i = 0; i < CONNECTIONS; i++) {
        all[i].fd = open_connection();
        all[i].random = kernel_seed(i);
    }
    for (size_t done = 0; done < operations; done += (size_t)CONNECTIONS * BATCH) {
        for (size_t i = 0; i < CONNECTIONS; i++)
            send_batch(&all[i], buffer, i);
        for (size_t i = 0; i < CONNECTIONS; i++)
            check_answers(&all[i], expected, buffer, i);
    }
    dprintf(STDOUT_FILENO, "memcached: %zu operations, every answer right\n", operations);
    kill(server, SIGINT);
    open_connection(); /* its main thread looks up, and need not wait for its clock */
    _exit(0);
}

int main(int argc, char **argv)
{
    size_t operations = kernel_size(argc, argv, 1, 100000, 1, 1000000000);
    if (!mkdtemp(folder))
        kernel_wrong("no directory for the socket: %s", strerror(errno));
    snprintf(address, sizeof address, "%s/socket", folder);
    server = getpid();
    pid_t child = fork();
    if (child < 0)
        kernel_wrong("no process for the client: %s", strerror(errno));
    if (child == 0)
        client(operations);
    char *arguments[] = {"memcached", "-u", "root", "-s", address, "-t", "2", "-m", "64",
                         "-o", "hashpower=13,lru_crawler,lru_maintainer", NULL};
    int end = memcached_main(sizeof arguments / sizeof *arguments - 1, arguments);
    unlink(address);
    rmdir(folder);
    return end;
}
