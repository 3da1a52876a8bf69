# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# Tests of the command, read by tests/cli/run: `goldilocks run` and its options.

# ---- run: options -----------------------------------------------------------------------------------

exits run-exitcode 5 "$gl" run --exitcode 5 ./racy-gcc
exits run-exitcode-own 3 "$gl" run --exitcode=0 ./racy-gcc
exits run-format 66 "$gl" run --format tsan ./racy-gcc
holds run-format-text err 'WARNING: ThreadSanitizer: data race'
exits run-halt 66 "$gl" run --on-race halt ./racy-gcc
lacks run-halt-early out '^done$'
exits run-option 5 "$gl" run --option exitcode=5 ./racy-gcc
exits run-env 5 with GOLDILOCKS_OPTIONS=exitcode=5 "$gl" run ./racy-gcc
exits run-env-and-flag 6 with GOLDILOCKS_OPTIONS=exitcode=5 "$gl" run --exitcode 6 ./racy-gcc
exits run-tsan-env 5 with TSAN_OPTIONS=exitcode=5:history_size=3 "$gl" run ./racy-gcc
exits run-log 66 "$gl" run --log-path "$box/log of: run" ./racy-gcc
lacks run-log-not-stderr err 'data race'
cat "$box/log of: run".* >out 2>/dev/null
holds run-log-file out 'WARNING: Goldilocks: data race'

# However the program ends, what it was told before is in the file, whole.
cat >ends.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int a, b;
static void *other(void *arg) { a = 1, b = 1; return arg; }
int main(int argc, char **argv)
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    a = 2, b = 2;
    pthread_join(t, NULL);
    if (argc < 2) return 0;
    if (strcmp(argv[1], "abort") == 0) abort();
    if (strcmp(argv[1], "crash") == 0) *(volatile int *)(long)argc = 1;
    if (strcmp(argv[1], "_exit") == 0) _exit(0);
    kill(getpid(), SIGKILL);
}
END
exits end-build 0 "$gl" cc -O1 ends.c -o ends
while read -r end code; do
    rm -f ended.*
    exits end-$end "$code" "$gl" run --log-path "$box/ended" ./ends "$end"
    cat ended.* >out 2>/dev/null
    if wanted end-$end-whole; then
        reports=2
        [ "$end" != crash ] || reports=3 # and the fault
        [ "$(grep -c '^WARNING: ' out)" -eq $reports ] && [ "$(grep -c '^SUMMARY: ' out)" -eq $reports ] &&
            [ "$(grep -c '^==================$' out)" -eq $((2 * reports)) ]
        verdict end-$end-whole $?
    fi
done <<'END'
abort 134
crash 139
kill 137
_exit 66
END

exact run-log-unwritable "$gl" run --log-path "$box/none/log" ./racy-gcc
exact run-unknown-flag "$gl" run --frobnicate ./racy-gcc
exact run-flag-without-value "$gl" run --exitcode
exact run-bad-number "$gl" run --exitcode 300 ./racy-gcc
exact run-bad-choice "$gl" run --format xml ./racy-gcc
exact run-bad-option "$gl" run --option exit_cod=1 ./racy-gcc
exact run-option-without-value "$gl" run --option stats ./racy-gcc
exact run-two-quotes "$gl" run --log-path "a'b\"c" ./racy-gcc
exact run-bad-env with GOLDILOCKS_OPTIONS=nonsense "$gl" run ./racy-gcc
exact run-bad-tsan-env with TSAN_OPTIONS=exitcode=many "$gl" run ./racy-gcc
exact run-bad-libdir with GOLDILOCKS_LIBDIR="$box/none" "$gl" run ./racy-gcc

# The runtime says the same when the program is started without the command.
exits direct-bad-env 2 with GOLDILOCKS_OPTIONS=nonsense=1 ./racy-gcc
holds direct-bad-env-text err "unknown option 'nonsense'; 'goldilocks options' lists them all"
exits direct-help 0 with GOLDILOCKS_OPTIONS=help=1 ./racy-gcc
holds direct-help-text err 'on_race=report'
# A stream that is closed when the program begins: a file that gets its number holds nothing of ours, one that is put there does.
cat >nostream.c <<'END'
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static int n;
static void *add(void *p) { n++; return p; }
int main(int argc, char **argv)
{
    pthread_t t[2];
    int fd = open("file", O_CREAT | O_TRUNC | O_WRONLY, 0644);
    if (fd != atoi(argv[1]) || (argc > 2 && dup2(open("file2", O_CREAT | O_TRUNC | O_WRONLY, 0644), fd) != fd)) return 1;
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, add, 0);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return 0;
}
END
"$gl" cc nostream.c -o nostream 2>/dev/null
exits direct-no-stderr 66 sh -c './nostream 2 2>&- && exit; [ $? = 66 ] && [ ! -s file ] && exit 66'
exits direct-no-stdout 66 sh -c 'GOLDILOCKS_OPTIONS=log_path=stdout ./nostream 1 >&- && exit; [ $? = 66 ] && [ ! -s file ] && exit 66'
exits direct-new-stderr 66 sh -c './nostream 2 again 2>&- && exit; [ $? = 66 ] && [ ! -s file ] && grep -q "data race" file2 && exit 66'
exits direct-log-unwritable 2 with GOLDILOCKS_OPTIONS=log_path="$box/none/log" ./racy-gcc

# ---- run: who knows the lines -----------------------------------------------------------------------

# Columns come from llvm-symbolizer only, and with split debug information also what was inlined.
cat >split.c <<'END'
#include <pthread.h>
int x;
static inline __attribute__((always_inline)) void bump(void) { x++; }
void *other(void *arg) { bump(); return arg; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    bump();
    pthread_join(t, NULL);
}
END
exits symbolizer-build 0 "$gl" cc -O1 -g -gsplit-dwarf -c split.c
exits symbolizer-link 0 "$gl" cc split.o -o split
exits symbolizer-none 66 "$gl" run ./split
# The libbacktrace of gcc 11, and its addr2line, find no line where the debug information is beside the program.
split_line() { [ "$(gcc -dumpversion | sed 's/\..*//')" -lt 12 ] || holds "$1" err '^    #0 \(other\|main\) .*/split\.c:3 ('; }
split_line symbolizer-none-line
lacks symbolizer-none-inlined err ' bump '
for llvm_symbolizer in llvm-symbolizer-19 llvm-symbolizer-21 llvm-symbolizer-15 llvm-symbolizer; do ! command -v $llvm_symbolizer >/dev/null || break; done
exits symbolizer-llvm 66 "$gl" run --option symbolizer=$llvm_symbolizer ./split
holds symbolizer-llvm-inlined err '^    #0 bump .*/split\.c:3:[0-9]* ('
holds symbolizer-llvm-outer err '^    #1 other .*/split\.c:4:[0-9]* ('
lacks symbolizer-llvm-quiet err '^Goldilocks: .*symbolizer'
exits symbolizer-addr2line 66 "$gl" run --option symbolizer=addr2line ./split
split_line symbolizer-addr2line-line
exits symbolizer-off 66 "$gl" run --option symbolizer=$llvm_symbolizer --option symbolize=no ./split
lacks symbolizer-off-lines err 'split\.c:3'
exits symbolizer-tsan-env 66 with TSAN_OPTIONS=external_symbolizer_path=$llvm_symbolizer "$gl" run ./split
holds symbolizer-tsan-env-column err '/split\.c:3:[0-9]* ('
# A wrong one: our own option ends the program before it begins; what was set for ThreadSanitizer is told behind the reports.
exits symbolizer-wrong 2 "$gl" run --option symbolizer=/nowhere/llvm-symbolizer ./split
holds symbolizer-wrong-says err '^goldilocks: option symbolizer=/nowhere/llvm-symbolizer: there is no such file that may be executed; name an'
exits symbolizer-other 2 with GOLDILOCKS_OPTIONS=symbolizer=/bin/cat ./split
holds symbolizer-other-says err 'neither an llvm-symbolizer nor an addr2line'
exits symbolizer-tsan-wrong 66 with TSAN_OPTIONS=external_symbolizer_path=/nowhere/llvm-symbolizer "$gl" run ./split
split_line symbolizer-tsan-wrong-line
holds symbolizer-tsan-wrong-says err '^Goldilocks: /nowhere/llvm-symbolizer: there is no such file'
