# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# Tests of the command, read by tests/cli/run: suppressions, modules, ends of programs, and programs that cannot be run.

# ---- suppressions and modules --------------------------------------------------------------------------

echo 'race:^main$' >good.supp
exits suppress 3 with TSAN_OPTIONS=suppressions=good.supp:print_suppressions=1 ./racy-gcc
holds suppress-count err '^1 race:^main\$$'
printf 'race: ^main$ # why\r\n' >behind.supp
exits suppress-comment-behind 3 with GOLDILOCKS_OPTIONS=suppressions=behind.supp ./racy-gcc
printf '# one\n\nrcae:main\n' >bad.supp
exits suppress-bad-type 2 with TSAN_OPTIONS=suppressions="$box/bad.supp" ./racy-gcc
holds suppress-bad-type-text err "bad.supp:3: 'rcae' is no type of suppression; the types are race, race_top, "
echo 'race main # why: so' >bad.supp
exits suppress-no-colon 2 with GOLDILOCKS_OPTIONS=suppressions=bad.supp ./racy-gcc
holds suppress-no-colon-text err "bad.supp:1: 'race main' has no colon; write TYPE:PATTERN"
echo 'race:' >bad.supp
exits suppress-no-pattern 2 with GOLDILOCKS_OPTIONS=suppressions=bad.supp ./racy-gcc
holds suppress-no-pattern-text err "bad.supp:1: 'race:' has no pattern; write \* for everything"
exits suppress-no-file 2 with GOLDILOCKS_OPTIONS=suppressions=nowhere.supp ./racy-gcc
holds suppress-no-file-text err 'cannot read the suppressions file nowhere.supp'
# A relative path is looked for beside the program too.
mkdir -p elsewhere
exits suppress-beside 3 sh -c "cd elsewhere && TSAN_OPTIONS=suppressions=good.supp ../racy-gcc"

# A suppressed race does not reach the program's handler either.
cat >handled.c <<'END'
#include <goldilocks/race.h>
#include <pthread.h>
#include <stdio.h>
int quiet, loud;
_Atomic int calls; // two threads may be in the handler
static void on_race(const struct goldilocks_race *race, void *ctx) { (void)race; (void)ctx; calls++; }
static void *hidden_write(void *arg) { quiet = 1; return arg; }
static void *other_write(void *arg) { loud = 1; return arg; }
int main(void)
{
    pthread_t t[2];
    goldilocks_set_race_handler(on_race, NULL);
    for (int i = 0; i < 3; i++) {
        pthread_create(&t[0], NULL, hidden_write, NULL);
        pthread_create(&t[1], NULL, other_write, NULL);
        quiet = 2;
        loud = 2;
        pthread_join(t[0], NULL);
        pthread_join(t[1], NULL);
    }
    printf("%d calls\n", calls);
    return 3;
}
END
"$gl" cc -g handled.c -o handled
echo 'race:hidden_write' >hidden.supp
exits suppress-handler-other 66 with GOLDILOCKS_OPTIONS=suppressions=hidden.supp:print_suppressions=yes ./handled
holds suppress-handler-calls out '^3 calls$'
holds suppress-handler-counts err '^[12] race:hidden_write$'
printf 'race:hidden_write\nrace:other_write\n' >hidden.supp
exits suppress-handler 3 with GOLDILOCKS_OPTIONS=suppressions=hidden.supp ./handled
holds suppress-handler-none out '^0 calls$'
exits suppress-handler-not 66 ./handled
holds suppress-handler-all out '^6 calls$'

# A library without instrumentation that writes through memset, and a program that races with it.
cat >plainlib.c <<'END'
#include <string.h>
void fill(char *p, int c, size_t n);
void fill(char *p, int c, size_t n) { memset(p, c, n); }
END
cat >withlib.c <<'END'
#include <pthread.h>
#include <stddef.h>
char buffer[64];
void fill(char *p, int c, size_t n);
static void *other(void *arg) { fill(buffer, 1, sizeof buffer); return arg; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    fill(buffer, 2, sizeof buffer);
    pthread_join(t, NULL);
    return 3;
}
END
gcc -g -fno-builtin -shared -fPIC plainlib.c -o libplain.so
"$gl" cc -g withlib.c -o withlib -L. -lplain -Wl,-rpath,"$box"
exits module-race 66 ./withlib
exits module-ignored 3 with TSAN_OPTIONS=ignore_noninstrumented_modules=1 ./withlib
echo 'called_from_lib:libplain.so' >lib.supp
exits module-called-from-lib 3 with GOLDILOCKS_OPTIONS=suppressions=lib.supp:print_suppressions=yes ./withlib
holds module-called-from-lib-told err '^[1-9][0-9]* called_from_lib:libplain.so$'
exits module-others-still 66 with TSAN_OPTIONS=ignore_noninstrumented_modules=1 ./racy-gcc

# Modules that are not seen, or not wholly: each is named once, with the reports; what goldilocks cc builds is not.
cat >opens.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    for (int i = 0; i < 2; i++) {
        void *library = dlopen(argv[argc - 1], RTLD_NOW);
        int (*twice)(int) = library ? (int (*)(int))dlsym(library, "twice") : NULL;
        if (!twice) return 9;
        printf("%d\n", twice(21));
        if (argc > 2) dlclose(library);
    }
    return 0;
}
END
gcc -shared -fPIC lib.c -o libunseen.so
gcc plain.c -o unseen
"$gl" cc opens.c -o opens && "$gl" cc -O2 -shared -fPIC lib.c -o libseen.so
exits warn-opened 0 "$gl" run ./opens ./libunseen.so
holds warn-opened-says err '^Goldilocks: ./libunseen.so is not built with -fsanitize=thread: what it reads and writes is not checked$'
exits warn-closed 0 "$gl" run ./opens close ./libunseen.so
if wanted warn-once; then
    [ "$(grep -c libunseen err)" = 1 ]
    verdict warn-once $?
fi
# A plug-in in C++, whose library nobody but it sees: what is called when memory runs out is found there.
cat >plugin.cc <<'END'
#include <new>
#include <cstddef>
extern "C" int twice(int x)
{
    std::size_t much = std::size_t{1} << 46;
    __asm__("" : "+r"(much));
    try {
        char *p = new char[much];
        __asm__("" : : "r"(p));
        return 1;
    } catch (const std::bad_alloc &) {
        return new (std::nothrow) char[much] ? 2 : 2 * x;
    }
}
END
g++ -std=c++17 -shared -fPIC plugin.cc -o libplugin.so
exits plugin-no-memory 0 ./opens ./libplugin.so
holds plugin-no-memory-told out '^42$'
# dlopen() looks where the file says that calls it, the program or a library, and not where ours says.
mkdir -p by-program by-library
cat >asks.c <<'END'
#include <dlfcn.h>
int twice(int x)
{
    void *library = dlopen("libtwice.so", RTLD_NOW);
    int (*twice)(int) = library ? (int (*)(int))dlsym(library, "twice") : 0;
    return twice ? twice(x) : 0;
}
END
gcc -shared -fPIC lib.c -o by-library/libtwice.so
gcc -shared -fPIC asks.c -Wl,-rpath,'$ORIGIN/../by-library',--enable-new-dtags -o by-program/libasks.so
for way in "" --static-runtime; do
    [ -z "$way" ] || export GOLDILOCKS_CC=clang
    "$gl" cc $way opens.c -Wl,-rpath,"$box/by-program",--enable-new-dtags -o opens-near
    exits opens-near$way 0 ./opens-near libasks.so
    holds opens-near-found$way out 42
    unset GOLDILOCKS_CC
done
# A program in C opens libraries in C++, each with its C++ library, which nobody else sees: their exceptions are theirs.
cat >throws.cc <<'END'
#include <exception>
#include <thread>
struct error { int n; ~error() { n = 0; } };
static int get(std::exception_ptr e)
{
    try { std::rethrow_exception(e); } catch (error &it) { return it.n; }
}
extern "C" int twice(int x)
{
    std::exception_ptr e;
    try { throw error{x}; } catch (...) { e = std::current_exception(); }
    int y = 0;
    std::thread t([&y](std::exception_ptr mine) { y = get(mine); }, e);
    x = get(e);
    e = nullptr;
    t.join();
    return std::uncaught_exceptions() ? 0 : x + y;
}
END
"$gl" cc opens.c -o opens
for way in "" -static-libstdc++ -stdlib=libc++; do
    name=$(echo "$way" | tr -cd a-z)
    [ "$way" != -stdlib=libc++ ] || export GOLDILOCKS_CC=clang
    exits throws-build-$name 0 "$gl" c++ -std=c++17 -g -shared -fPIC throws.cc $way -o libthrows.so
    exits throws-$name 0 "$gl" run ./opens ./libthrows.so
    holds throws-result-$name out '^42$'
    unset GOLDILOCKS_CC
done
# An OpenMP library that asks nobody but itself for a tool opens ThreadSanitizer's, and finds us.
cat >tool.c <<'END'
#include <dlfcn.h>
int main(void)
{
    void *archer = dlopen("libarcher.so", RTLD_LAZY);
    void *(*start)(unsigned, const char *) = archer ? (void *(*)(unsigned, const char *))dlsym(archer, "ompt_start_tool") : 0;
    return !start || !start(201811, "a library");
}
END
for way in "" --static-runtime; do
    [ -z "$way" ] || export GOLDILOCKS_CC=clang
    "$gl" cc $way tool.c -o tool
    exits omp-tool$way 0 ./tool
    unset GOLDILOCKS_CC
done
# They go where reports go, and say nothing to who reads reports.
exits warn-log 0 "$gl" run --log-path "$box/warned" --format json ./opens ./libunseen.so
lacks warn-log-not-stderr err .
cat warned.* >out
holds warn-log-file out '^Goldilocks: ./libunseen.so is not built with -fsanitize=thread'
exits warn-log-no-report 0 sh -c "'$gl' report warned.*"
lacks warn-log-no-report-text out .
exits warn-silent 0 "$gl" run --option warn_modules=no ./opens ./libunseen.so
lacks warn-silent-is err .
exits warn-not-by-default 0 ./opens ./libunseen.so
lacks warn-not-by-default-is err .
exits warn-seen 0 "$gl" run ./opens ./libseen.so
lacks warn-seen-is err .
exits warn-forced 0 "$gl" run --force ./unseen
holds warn-forced-says err "^Goldilocks: $box/unseen is not built with -fsanitize=thread"
# One that the linker finds by a path that begins in the folder where the program runs.
mkdir -p unseen.d && cp libunseen.so unseen.d && "$gl" cc uselib.c -Lunseen.d -lunseen -o uses
exits warn-relative 42 with LD_LIBRARY_PATH=unseen.d "$gl" run ./uses
holds warn-relative-says err '^Goldilocks: unseen.d/libunseen.so is not built with -fsanitize=thread'
gcc -g -O2 -fsanitize=thread opens.c -o holes
exits warn-gcc 0 "$gl" run ./holes ./libseen.so
holds warn-gcc-says err "^Goldilocks: $box/holes has memcpy, memset and their like compiled in line by gcc"
gcc -g -O0 -fsanitize=thread opens.c -o holes
exits warn-gcc-plain 0 "$gl" run ./holes ./libseen.so
lacks warn-gcc-plain-is err .
if command -v clang >/dev/null; then
    clang -g -O2 -fsanitize=thread -c opens.c && gcc -fsanitize=thread opens.o -o holes
    exits warn-clang 0 "$gl" run ./holes ./libseen.so
    holds warn-clang-says err "^Goldilocks: $box/holes was compiled by clang in another way than by 'goldilocks cc'"
    GOLDILOCKS_CC=clang "$gl" cc -O2 opens.c -o holes
    exits warn-clang-whole 0 "$gl" run ./holes ./libseen.so
    lacks warn-clang-whole-is err .
fi

# The death callback: once, when the code of the reports is what the process ends with, whichever way.
cat >death.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
void __sanitizer_set_death_callback(void (*callback)(void));
int x;
static void dying(void) { if (write(1, "dying\n", 6) != 6) abort(); }
static void *other(void *arg) { x = 1; return arg; }
int main(int argc, char **argv)
{
    pthread_t t;
    __sanitizer_set_death_callback(dying);
    pthread_create(&t, NULL, other, NULL);
    if (argc > 1) x = 2;
    pthread_join(t, NULL);
    if (argc > 1 && strcmp(argv[1], "_exit") == 0) _exit(3);
    if (argc > 1 && strcmp(argv[1], "quick") == 0) quick_exit(3);
    return 3;
}
END
"$gl" cc -g death.c -o death
for way in exit _exit quick; do
    exits death-$way 66 ./death $way
    if wanted death-$way-once; then
        [ "$(cat out)" = dying ]
        verdict death-$way-once $?
    fi
done
exits death-halt 66 with GOLDILOCKS_OPTIONS=on_race=halt ./death exit
holds death-halt-told out '^dying$'
exits death-none 3 ./death
lacks death-none-untold out dying

# ---- at the ends of a program --------------------------------------------------------------------------

cat >late.c <<'END'
#include <pthread.h>
#include <unistd.h>
int x;
static void *other(void *arg) { usleep(300000); x = 1; return arg; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    pthread_detach(t);
    x = 2;
    return 3;
}
END
"$gl" cc -g late.c -o late
"$gl" cc -g plain.c -o plain-tsan
exits late-race 3 ./late
exits late-race-waited-for 66 with TSAN_OPTIONS=atexit_sleep_ms=2000 ./late
exits stop-on-start 0 python3 -c '
import os, signal, subprocess
p = subprocess.Popen(["./plain-tsan", "0"], env=dict(os.environ, TSAN_OPTIONS="stop_on_start=1"), stdout=subprocess.PIPE)
_, status = os.waitpid(p.pid, os.WUNTRACED)
assert os.WIFSTOPPED(status) and os.WSTOPSIG(status) == signal.SIGSTOP
os.kill(p.pid, signal.SIGCONT)
assert p.stdout.read() == b"0\n" and os.waitpid(p.pid, 0)[1] == 0'

exits race-stats 66 with GOLDILOCKS_OPTIONS=stats=1 ./at-race
holds race-stats-rule err 'rule_race'

# ---- run: programs that cannot be run ------------------------------------------------------------------

gcc plain.c -o uninstrumented
mkdir folder
printf '#!/bin/sh\nexit 4\n' >script && chmod +x script
echo text >text && chmod +x text
: >empty && chmod +x empty
cp plain.c unexecutable
exact run-nothing "$gl" run
exact run-missing "$gl" run ./none
exact run-missing-in-path "$gl" run no-such-program-anywhere
exact run-folder "$gl" run ./folder
exact run-unexecutable "$gl" run ./unexecutable
exact run-script "$gl" run ./script
exits run-script-forced 4 "$gl" run --force ./script
exact run-text "$gl" run ./text
exact run-empty "$gl" run ./empty
exact run-uninstrumented "$gl" run ./uninstrumented
exits run-forced 9 "$gl" run --force ./uninstrumented 9
# libc's own thread of timers, which allocates, is not one that should have been checked.
cat >timed.c <<'END'
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>
static atomic_int notified;
static void notify(union sigval v) { (void)v; notified = 1; }
int main(void)
{
    struct sigevent e = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = notify};
    struct itimerspec soon = {.it_value.tv_nsec = 1000000};
    timer_t t;
    if (timer_create(CLOCK_MONOTONIC, &e, &t) != 0 || timer_settime(t, 0, &soon, 0) != 0)
        return 1;
    while (!notified)
        usleep(1000);
    return 0;
}
END
"$gl" cc timed.c -o timed
exits timed 0 ./timed
lacks timed-says err .
exits sampled-silent 0 env GOLDILOCKS_OPTIONS=sample=10:verbosity=1 ./timed
holds sampled-silent-says err '^Goldilocks: 10 of 100 lines of memory were checked'
# A library's constructor that has libc's lock of texts when it allocates, before our runtime has begun.
printf '#include <libintl.h>\n__attribute__((constructor)) static void begin(void) { bindtextdomain("x", "/nowhere"); }\n' >texts.c
printf '#include <libintl.h>\nint main(void) { bindtextdomain("y", "/nowhere"); return 7; }\n' >with_texts.c
cc -shared -fPIC texts.c -o libtexts.so && cc with_texts.c -o with_texts -L. -Wl,--no-as-needed -ltexts -Wl,-rpath,"$PWD"
exits run-forced-texts 7 timeout 60 "$gl" run --force ./with_texts
gcc -fsanitize=thread -static-libtsan plain.c -o with-static-runtime
exact run-static-runtime "$gl" run ./with-static-runtime
strip with-static-runtime
exact run-static-stripped "$gl" run ./with-static-runtime
gcc -shared -Wl,-soname,libtsan.so.1 lib.c -o libtsan.so.1
gcc -Wl,--no-as-needed plain.c ./libtsan.so.1 -o with-other-runtime
exact run-other-runtime "$gl" run ./with-other-runtime
# As gcc 11 and older call theirs.
gcc -fsanitize=thread -g -c racy.c -o racy-older.o
nm -u racy-older.o | sed -n 's/.* \(__tsan_.*\)/void \1(void) {}/p' >older.c
gcc -w -shared -Wl,-soname,libtsan.so.0 older.c -o libtsan.so.0
gcc racy-older.o ./libtsan.so.0 -o with-older-runtime
exits run-older-runtime 66 "$gl" run ./with-older-runtime
holds run-older-runtime-race err 'WARNING: Goldilocks: data race'

# Files cut short and with bytes changed: always a sentence, never a crash.
damaged=0
i=0
while [ $i -lt 120 ]; do
    cp uninstrumented damaged
    if [ $((i % 3)) -eq 0 ]; then
        head -c $((i * 97 + 5)) uninstrumented >damaged
    else # i * 8 runs over the ELF header, the program headers and the dynamic strings
        printf '\377\377\377\377\177' | dd of=damaged bs=1 seek=$((i * 8)) conv=notrunc 2>/dev/null
    fi
    chmod +x damaged
    "$gl" run ./damaged >out 2>err
    code=$?
    if [ $code -ne 2 ] || [ "$(wc -l <err)" -ne 1 ]; then damaged=$((damaged + 1)); fi
    i=$((i + 1))
done
if wanted run-damaged; then verdict run-damaged $((damaged > 0)); fi
