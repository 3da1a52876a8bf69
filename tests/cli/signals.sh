# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# Tests of the command, read by tests/cli/run: signals that end a program are told of, and end it as they would have.

cat >fatal.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#define ALONE __attribute__((noinline)) static
volatile int zero, deep;
int *volatile null;
ALONE int reads(void) { return *null + 1; }
ALONE void writes(void) { null[5] = 1; }
ALONE void divides(void) { zero = 7 / zero; }
ALONE void traps(void) { __builtin_trap(); }
ALONE int in_libc(void) { return (int)strlen((char *)null) + 1; }
ALONE int atomics(void) { return atomic_fetch_add((_Atomic int *)null, 1) + 1; }
ALONE void wild(void) { *(volatile int *)0xdead000000000000ul = 1; }
ALONE void calls(void) { ((void (*)(void))null)(); zero = 0; }
ALONE int past_end(void) { FILE *f = tmpfile(); return *((volatile char *)mmap(NULL, 4096, PROT_READ, MAP_SHARED, fileno(f), 0)) + 1; }
int counter; volatile char *volatile escaped;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
ALONE int recurs(int n) { deep = n; return recurs(n + 1) + deep; }
ALONE int allots(int n) { char *p = malloc(10); memset(p, n, 10); int r = allots(n + 1) + p[3]; free(p); return r; }
ALONE int closes(int n) { pthread_mutex_lock(&m); counter++; pthread_mutex_unlock(&m); return closes(n + 1) + counter; }
ALONE int exposes(int n) { char room[100]; escaped = room; room[n % 100] = 1; return exposes(n + 1) + escaped[0]; }
ALONE int sinks(int n) { volatile char room[4096]; room[n % 4096] = 1; deep = n; return sinks(n + 1) + room[0]; }
static void handler(int sig) { (void)sig; write(1, "handled\n", 8); }
static void leaves(int sig) { (void)sig; _exit(7); }
ALONE void child(int quick)
{
    int status = 0;
    pid_t pid = quick ? vfork() : fork();
    if (pid == 0) { raise(SIGSEGV); _exit(0); }
    waitpid(pid, &status, 0);
    printf("child ended by %d\n", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
}
ALONE void asks(void)
{
    struct sigaction a = {.sa_handler = SIG_DFL, .sa_flags = SA_RESTART}, was;
    sigaction(SIGSEGV, NULL, &was);
    printf("%d %x ", was.sa_handler == SIG_DFL, was.sa_flags);
    sigaction(SIGSEGV, &a, NULL);
    sigaction(SIGSEGV, NULL, &was);
    printf("%d %x ", was.sa_handler == SIG_DFL, was.sa_flags & SA_RESTART);
    printf("%d ", signal(SIGSEGV, handler) == SIG_DFL);
    printf("%d ", signal(SIGSEGV, SIG_IGN) == handler);
    raise(SIGSEGV);
    printf("%d %d\n", signal(SIGSEGV, SIG_DFL) == SIG_IGN, sigset(SIGBUS, SIG_HOLD) == SIG_DFL);
}
/* What it has of alternate stacks, when, and where its handler runs. */
static uintptr_t ran;
static void runs(int sig) { char here; (void)sig; ran = (uintptr_t)&here; }
ALONE void stacks(stack_t *mine)
{
    stack_t was, none = {.ss_flags = SS_DISABLE};
    struct sigaction a = {.sa_handler = runs, .sa_flags = SA_ONSTACK};
    sigaction(SIGUSR1, &a, NULL);
    sigaltstack(NULL, &was);
    printf("%d %d %zu ", was.ss_flags, was.ss_sp == NULL, was.ss_size);
    printf("%d ", sigaltstack(mine, &was) == 0 && was.ss_flags == SS_DISABLE);
    sigaltstack(NULL, &was);
    printf("%d ", was.ss_sp == mine->ss_sp && was.ss_flags == 0);
    raise(SIGUSR1);
    printf("%d ", ran - (uintptr_t)mine->ss_sp < mine->ss_size);
    printf("%d ", sigaltstack(&none, &was) == 0 && was.ss_sp == mine->ss_sp);
    sigaltstack(NULL, &was);
    printf("%d\n", was.ss_flags == SS_DISABLE && was.ss_sp == NULL);
    fflush(stdout);
    zero = recurs(1);
}
static void *work(void *what)
{
    const char *s = what;
    if (getenv("PAD")) *(volatile char *)__builtin_alloca(atoi(getenv("PAD"))) = 1;
    struct sigaction once = {.sa_handler = handler, .sa_flags = SA_RESETHAND};
    stack_t other = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
    if (strcmp(s, "reads") == 0) zero = reads();
    if (strcmp(s, "writes") == 0) writes();
    if (strcmp(s, "divides") == 0) divides();
    if (strcmp(s, "traps") == 0) traps();
    if (strcmp(s, "libc") == 0) zero = in_libc();
    if (strcmp(s, "atomics") == 0) zero = atomics();
    if (strcmp(s, "wild") == 0) wild();
    if (strcmp(s, "calls") == 0) calls();
    if (strcmp(s, "past_end") == 0) zero = past_end();
    if (strcmp(s, "sinks") == 0) { sigaltstack(&other, NULL); zero = sinks(1); }
    if (strcmp(s, "recurs") == 0) zero = recurs(1);
    if (strcmp(s, "allots") == 0) zero = allots(1);
    if (strcmp(s, "closes") == 0) zero = closes(1);
    if (strcmp(s, "exposes") == 0) zero = exposes(1);
    if (strcmp(s, "stacks") == 0) stacks(&other);
    if (strcmp(s, "raise") == 0) raise(SIGSEGV);
    if (strcmp(s, "once") == 0) { sigaction(SIGSEGV, &once, NULL); zero = reads(); }
    if (strcmp(s, "own") == 0) { signal(SIGSEGV, leaves); zero = reads(); }
    if (strcmp(s, "asks") == 0) asks();
    if (strcmp(s, "fork") == 0) child(0);
    if (strcmp(s, "vfork") == 0) child(1);
    if (strcmp(s, "exec") == 0) execlp("sh", "sh", "-c", "kill -SEGV $$", NULL);
    if (strcmp(s, "wait") == 0) { puts("ready"); fflush(stdout); pause(); }
    return what;
}
int main(int argc, char **argv)
{
    pthread_t t;
    if (argc > 2) work(argv[1]);
    pthread_create(&t, NULL, work, argv[1]);
    pthread_join(t, NULL);
    return 0;
}
END

fatal_with() { # fatal_with COMPILER: what each fault looks like
    exits "fatal-$1-build" 0 with GOLDILOCKS_CC="$1" "$gl" cc -g -O1 -w fatal.c -o "fatal-$1"
    while read -r what code line frame; do
        exits "fatal-$1-$what" "$code" "$gl" run "./fatal-$1" "$what"
        holds "fatal-$1-$what-line" err "^  SIG$(echo "$line" | tr _ ' ') thread T1:\$"
        holds "fatal-$1-$what-frame" err "^    #[01] $frame .*/fatal.c:[0-9]* ("
        holds "fatal-$1-$what-start" err '^    #[12] work .*/fatal.c:[0-9]* ('
        exits "fatal-$1-$what-main" "$code" "$gl" run "./fatal-$1" "$what" here
        holds "fatal-$1-$what-main-line" err "^  SIG$(echo "$line" | tr _ ' ') main thread:\$"
        holds "fatal-$1-$what-main-stack" err '^    #[123] main .*/fatal.c:[0-9]* ('
    done <<'END'
reads 139 SEGV_at_a_read_of_address_0x000000000000_by reads
writes 139 SEGV_at_a_write_of_address_0x000000000014_by writes
divides 136 FPE_in divides
traps 132 ILL_in traps
libc 139 SEGV_at_a_read_of_address_0x000000000000_by in_libc
atomics 139 SEGV_at_a_write_of_address_0x000000000000_by atomics
wild 139 SEGV_in wild
calls 139 SEGV_at_a_call_or_jump_to_address_0x000000000000_by calls
past_end 135 BUS_at_a_read_of_address_0x[0-9a-f]*_by past_end
raise 139 SEGV_sent_by_process_[0-9]*_to work
END
}
fatal_with gcc
[ -z "$(command -v clang)" ] || fatal_with clang

exits fatal-created 139 "$gl" run ./fatal-gcc reads
holds fatal-created-thread err '^  Thread T1 (tid=[0-9]*, running) created by main thread at:$'
holds fatal-created-where err '^    #0 main .*/fatal.c:'
holds fatal-created-summary err '^SUMMARY: Goldilocks: SIGSEGV .*/fatal.c:[0-9]* in reads$'
exits fatal-deep 139 "$gl" run ./fatal-gcc sinks
holds fatal-deep-line err '^  SIGSEGV at a write of address 0x[0-9a-f]*, past the end of the stack, by thread T1:$'
holds fatal-deep-frames err '^    #100 sinks '
# The stack ends anywhere, most often in the runtime itself.
for how in recurs allots closes exposes; do
    for pad in 16 528 1096 1720 2232; do
        exits "fatal-full-$how-$pad" 139 with PAD=$pad "$gl" run ./fatal-gcc $how
        holds "fatal-full-$how-$pad-line" err '^  SIGSEGV at a write of address 0x[0-9a-f]*, past the end of the stack, by thread T1:$'
        holds "fatal-full-$how-$pad-frame" err "^    #0 $how .*/fatal.c:[0-9]* ("
    done
    exits "fatal-full-$how-main" 139 "$gl" run ./fatal-gcc $how here
    holds "fatal-full-$how-main-line" err '^  SIGSEGV at a write of address 0x[0-9a-f]*, past the end of the stack, by main thread:$'
    holds "fatal-full-$how-main-frame" err "^    #0 $how .*/fatal.c:[0-9]* ("
done
exits fatal-full-tsan 139 "$gl" run --format tsan ./fatal-gcc recurs
holds fatal-full-tsan-line err '^==[0-9]*==ERROR: ThreadSanitizer: stack-overflow on address 0x[0-9a-f]* (pc 0x[0-9a-f]* bp 0x[0-9a-f]* sp 0x[0-9a-f]* T1)$'
holds fatal-full-tsan-summary err '^SUMMARY: ThreadSanitizer: stack-overflow .*fatal.c:[0-9]* in recurs$'
exits fatal-full-json 139 "$gl" run --format json ./fatal-gcc recurs
holds fatal-full-json-line err '"stack_full":true}$'
cp err fatal-full.json 2>/dev/null
exits fatal-full-saved 0 "$gl" report --format html fatal-full.json
holds fatal-full-saved-line out 'SIGSEGV at a write of address 0x[0-9a-f]*, past the end of the stack, by thread T1'
# The stack on which that is told is none for the program.
exits fatal-stacks 139 "$gl" run ./fatal-gcc stacks
holds fatal-stacks-answers out '^2 1 0 1 1 1 1 1$'
holds fatal-stacks-line err 'past the end of the stack, by thread T1:$'
exits fatal-stacks-main 139 "$gl" run ./fatal-gcc stacks here
holds fatal-stacks-main-answers out '^2 1 0 1 1 1 1 1$'
exits fatal-stacks-off 139 "$gl" run --option report_fatal_signals=no ./fatal-gcc stacks
holds fatal-stacks-off-answers out '^2 1 0 1 1 1 1 1$'
lacks fatal-stacks-off-line err SIGSEGV

exits fatal-off 139 "$gl" run --option report_fatal_signals=no ./fatal-gcc reads
lacks fatal-off-says err 'SIGSEGV'
exits fatal-no-reports 139 "$gl" run --option report_bugs=no ./fatal-gcc reads
lacks fatal-no-reports-says err 'SIGSEGV'
exits fatal-no-symbols 139 "$gl" run --option symbolize=no ./fatal-gcc libc
holds fatal-no-symbols-line err '^  SIGSEGV at a read of address 0x000000000000 by thread T1:$'
echo 'signal:^reads$' >fatal.supp
exits fatal-suppressed 139 "$gl" run --option suppressions=fatal.supp ./fatal-gcc reads
lacks fatal-suppressed-says err 'SIGSEGV'
exits fatal-tsan 139 "$gl" run --format tsan ./fatal-gcc writes
holds fatal-tsan-line err '^==[0-9]*==ERROR: ThreadSanitizer: SEGV on unknown address 0x000000000014 (pc 0x[0-9a-f]* bp 0x[0-9a-f]* sp 0x[0-9a-f]* T1)$'
holds fatal-tsan-access err '^==[0-9]*==The signal is caused by a WRITE memory access.$'
exits fatal-json 139 "$gl" run --format json ./fatal-gcc writes
cp err fatal.json 2>/dev/null
holds fatal-json-line fatal.json '"signal":11,"sender":null,"address":"0x14","access":"write","thread":{"id":1,'
exits fatal-saved 0 "$gl" report fatal.json
holds fatal-saved-line out '^  SIGSEGV at a write of address 0x000000000014 by thread T1:$'
holds fatal-saved-frame out '^    #0 writes '
exits fatal-saved-html 0 "$gl" report --format html fatal.json
holds fatal-saved-html-line out 'SIGSEGV at a write of address 0x14 by thread T1'
exits fatal-saved-sarif 0 sarif fatal.json ''

# A handler of the program's own has it; one that is there once leaves the next fault to us.
exits fatal-own 7 "$gl" run ./fatal-gcc own
lacks fatal-own-says err 'SIGSEGV'
exits fatal-once 139 "$gl" run ./fatal-gcc once
holds fatal-once-handled out '^handled$'
holds fatal-once-line err '^  SIGSEGV at a read of address 0x000000000000 by thread T1:$'
# What the program asks of its handlers, it is told as if ours were not there.
exits fatal-asks 0 "$gl" run ./fatal-gcc asks
holds fatal-asks-answers out '^1 0 1 10000000 1 1 1 1$'
# Other processes.
exits fatal-fork 0 "$gl" run ./fatal-gcc fork
holds fatal-fork-ended out '^child ended by 11$'
holds fatal-fork-line err '^  SIGSEGV sent by process [0-9]* to thread T1:$'
exits fatal-vfork 0 "$gl" run ./fatal-gcc vfork
holds fatal-vfork-ended out '^child ended by 11$'
exits fatal-exec 139 "$gl" run ./fatal-gcc exec
lacks fatal-exec-says err 'SIGSEGV sent'
if wanted fatal-kill; then
    GOLDILOCKS_OPTIONS=log_path="$box/killed" ./fatal-gcc wait >killed.out 2>/dev/null &
    until grep -q ready killed.out 2>/dev/null; do kill -0 $! || break; done
    kill -BUS $!
    wait $! 2>/dev/null
    # To the other thread if the first one is still making it, which keeps signals back.
    [ $? -eq 135 ] && grep -Eq "^  SIGBUS sent by process $$ to (main thread|thread T1):\$" "$box"/killed.*
    verdict fatal-kill $?
fi

# While a report is made there is no other report: a line, and the end.
cat >hook.c <<'END'
#include <pthread.h>
typedef void add(void *, const char *, const char *, int, int);
int x;
void __tsan_symbolize_external_ex(void *pc, add *frame, void *ctx) { (void)pc, (void)frame, (void)ctx; *(volatile int *)0x18 = 1; }
void __tsan_func_entry(void *), __tsan_func_exit(void), __tsan_write4(void *);
static void *other(void *arg) { __tsan_func_entry((void *)(1ul << 60 | 5)); x = 1; __tsan_func_exit(); return arg; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    x = 2;
    pthread_join(t, 0);
    return 0;
}
END
exits fatal-hook-build 0 "$gl" cc -g -w hook.c -o hook
exits fatal-hook 139 "$gl" run ./hook
holds fatal-hook-line err '^Goldilocks: SIGSEGV while a report was made, at .*/hook+0x[0-9a-f]*, address 0x18; '
