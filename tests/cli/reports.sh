# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# Tests of the command, read by tests/cli/run: `goldilocks report`, and what happens at a race.

# ---- saved reports ------------------------------------------------------------------------------------

# One of each kind that has a shape of its own, as the runtime and the Java agent write them.
cat >saved.json <<'END'
{"type":"data-race","title":"data race","pid":7,"accesses":[{"kind":"write","size":4,"address":"0x4010","thread":{"id":1,"name":"w<1>","os_id":9,"running":true,"parent":0,"created_at":[{"function":"main","file":"/src/a b.c","line":9,"column":3,"module":"/bin/prog","offset":"0x20"}]},"stack":[{"function":"memcpy","file":null,"line":0,"column":0,"module":"/lib/libc.so.6","offset":"0x99"},{"function":"put<int>","file":"/src/a b.c","line":4,"column":0,"module":"/bin/prog","offset":"0x10"}],"mutexes":[{"id":3,"mode":"write","address":"0x5000","destroyed":false,"created_at":[]}]},{"kind":"atomic read","size":8,"address":"0x4008","thread":{"id":0,"name":"main"},"stack":[],"mutexes":[]}],"location":{"kind":"global","name":"x","address":"0x4010","size":4,"module":"/bin/prog","offset":"0x4010"},"why":"neither holds a lock","occurrences":2}
Goldilocks: 3 accesses were not checked
{"type":"lock-order-inversion","title":"lock-order-inversion (potential deadlock)","pid":7,"cycle":[{"held":{"id":1,"address":"0x10","destroyed":false,"created_at":[]},"acquired":{"id":2,"address":"0x20","destroyed":false,"created_at":[]},"thread":{"id":0,"name":"main"},"stack":[{"function":"f","file":"f.c","line":1,"column":0,"module":null,"offset":"0x7f"}],"held_since":[]},{"held":{"id":2},"acquired":{"id":1},"thread":{"id":0,"name":"main"},"stack":[{"function":"g","file":"g.c","line":2,"column":0,"module":null,"offset":"0x80"}],"held_since":[]}]}
{"type":"thread-leak","title":"thread leak","pid":7,"stacks":[],"mutexes":[],"threads":[{"id":4,"name":null,"os_id":11,"running":false,"parent":null,"created_at":[{"function":"h","file":"h.c","line":3,"column":0,"module":"/bin/prog","offset":"0x30"}]}],"location":null,"similar":1}
{"type":"data-race","title":"data race","pid":8,"variable":"a.B.field","object":"a.B@1f","accesses":[{"kind":"write","size":null,"address":null,"thread":{"id":1,"name":"main"},"stack":[{"function":"a.B.run","file":"B.java","line":12,"column":0,"module":null,"offset":null,"class":"a.B","method":"run"}],"stack_is_whole":true,"mutexes":null},{"kind":"read","size":null,"address":null,"thread":{"id":3,"name":null},"stack":[{"function":"a.B.get","file":null,"line":0,"column":0,"module":null,"offset":null,"class":"a.B","method":"get"}],"stack_is_whole":false,"mutexes":null}],"location":{"kind":"field","name":"a.B.field","object":"a.B@1f","thread":{"id":1,"name":"main"},"allocated_at":[{"function":"a.F.make","file":"F.java","line":9,"column":0,"module":null,"offset":null,"class":"a.F","method":"make"}]},"why":"neither holds a lock.","occurrences":4}
END
exact report-text "$gl" report saved.json
echo 'just a log' >no-report.txt
exact output-full sh -c "'$gl' detectors >/dev/full"
exact report-none "$gl" report no-report.txt
exact report-tsan "$gl" report --format tsan saved.json
exact report-sarif "$gl" report --format sarif saved.json
# What the schema of SARIF asks for, by hand; and that the check finds what is planted.
sarif() { "$gl" report --format sarif "$1" | sed "$2" | "$here/check_sarif"; }
exits report-sarif-schema 0 sarif saved.json ''
exits report-sarif-schema-none 0 sarif /dev/null ''
exits report-sarif-schema-name 1 sarif saved.json '/"name": "Goldilocks",/d'
holds report-sarif-schema-name-says err 'check_sarif: log.runs\[0\].tool.driver has no name'
exits report-sarif-schema-line 1 sarif saved.json 's/"startLine": 4/"startLine": 0/'
holds report-sarif-schema-line-says err 'startLine may not be 0'
exits report-sarif-schema-more 1 sarif saved.json 's/"frames"/"frame"/'
holds report-sarif-schema-more-says err 'stacks\[0\] has no frames'
exits report-sarif-schema-rule 1 sarif saved.json 's/"id": "thread-leak"/"id": "leak"/'
holds report-sarif-schema-rule-says err "result 2: there is no rule 'thread-leak'"
exact report-html "$gl" report --format html saved.json
exits report-output 0 "$gl" report --output saved.txt saved.json
holds report-output-text saved.txt 'reported 2 races and 2 other mistakes'
# What is about locks and signals, with more stacks than one.
cat >stacks.json <<'END'
{"type":"mutex-double-lock","title":"double lock of a mutex","pid":7,"stacks":[{FRAME"f"},{FRAME"g"}],"mutexes":[{"id":3,"address":"0x5000","destroyed":false,"created_at":[]}],"threads":[],"location":null}
{"type":"errno-in-signal-handler","title":"signal handler spoils errno","pid":7,"stacks":[{FRAME"h"}],"mutexes":[],"threads":[],"location":null,"signal":14}
END
sed -i 's/{FRAME\("."\)}/[{"function":\1,"file":"a.c","line":1,"column":0,"module":null,"offset":"0x7f"}]/g' stacks.json
exact report-stacks "$gl" report stacks.json
exact report-stacks-sarif "$gl" report --format sarif stacks.json
# A file descriptor, of which it is known who closed it, or nothing.
cat >fd.json <<'END'
{"type":"data-race","title":"data race","pid":7,"accesses":[{"kind":"write","size":8,"address":"0x10","thread":{"id":0,"name":"main"},"stack":[],"mutexes":[]},{"kind":"read","size":8,"address":"0x10","thread":{"id":0,"name":"main"},"stack":[],"mutexes":[]}],"location":{"kind":"fd","thread":{"id":0,"name":"main"},"fd":3,"closed":true,"at":[{"function":"f","file":"a.c","line":1,"column":0,"module":null,"offset":"0x7f"}]},"why":null,"occurrences":1}
{"type":"data-race","title":"data race","pid":7,"accesses":[{"kind":"write","size":8,"address":"0x10","thread":{"id":0,"name":"main"},"stack":[],"mutexes":[]},{"kind":"read","size":8,"address":"0x10","thread":{"id":0,"name":"main"},"stack":[],"mutexes":[]}],"location":{"kind":"fd","thread":{"id":null,"name":null},"fd":4,"closed":false,"at":[]},"why":null,"occurrences":1}
END
exits report-fd 0 "$gl" report fd.json
holds report-fd-closed out 'Location is file descriptor 3 destroyed by main thread at:'
holds report-fd-inherited out 'Location is file descriptor 4.'
exits report-fd-html 0 "$gl" report --format html fd.json
holds report-fd-html-closed out 'file descriptor 3, closed by the main thread'
# A race of a thread that had slept before it.
sed 's/"why":null/"slept_at":[{"function":"nap","file":"a.c","line":5,"column":0,"module":null,"offset":"0x80"}],&/' fd.json >slept.json
exits report-slept 0 "$gl" report slept.json
holds report-slept-text out '^  As if synchronized via sleep:$'
holds report-slept-stack out '#0 nap a.c:5'
exits report-slept-html 0 "$gl" report --format html slept.json
holds report-slept-html-text out 'As if synchronized via sleep'
# As the runtime writes it.
cat >nap.c <<'END'
#include <pthread.h>
#include <unistd.h>
int x;
static void *write_late(void *p) { usleep(300000); x = 2; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, write_late, 0); x = 1; pthread_join(t, 0); }
END
exits nap-build 0 "$gl" cc -g -O1 nap.c -o nap
exits nap 66 "$gl" run --option format=json --option log_path=nap.json ./nap
exits nap-saved 0 sh -c "'$gl' report nap.json*"
holds nap-saved-text out '^  As if synchronized via sleep:$'
holds nap-saved-stack out '#0 write_late .*nap.c:4'
# The earlier access was made after the sleep, in another epoch of its thread.
cat >awake.c <<'END'
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <unistd.h>
static sem_t go;
static atomic_int done;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;
static void *write_then(void *p)
{
    sem_wait(&go);
    y = 1;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    x = 1;
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    return p;
}
int main(void)
{
    pthread_t t;
    sem_init(&go, 0, 0);
    pthread_create(&t, 0, write_then, 0);
    usleep(1000);
    sem_post(&go);
    while (!atomic_load_explicit(&done, memory_order_relaxed))
        ;
    x = 2;
    pthread_join(t, 0);
}
END
exits awake-build 0 "$gl" cc -g -O1 awake.c -o awake
exits awake 66 ./awake
holds awake-race err 'Previous write of size 4'
lacks awake-hint err 'synchronized via sleep'
# What cannot be mapped is read to its end first.
exits report-stdin 0 sh -c "cat saved.json | '$gl' report - >piped && '$gl' report saved.json | cmp - piped"
exits report-none 0 "$gl" report /dev/null
exact report-none-sarif "$gl" report --format sarif /dev/null
exact report-nothing "$gl" report
exact report-bad-format "$gl" report --format pdf saved.json
exact report-missing "$gl" report nowhere.json
printf 'text\n{"type":"data-race"\n' >cut.json
exact report-cut "$gl" report saved.json cut.json
echo '{"pid":7}' >other.json
exact report-no-report "$gl" report other.json
echo '{"type":"data-race","accesses":[1]}' >other.json
exact report-no-accesses "$gl" report other.json
echo '{"type":"of the future"}' >other.json
exact report-unknown-type "$gl" report other.json
# What is not a report at all, and what nobody wrote: one sentence or none, never a crash.
wanted report-mangled && {
    python3 - "$gl" saved.json <<'END'
import random, subprocess, sys
random.seed(5)
whole = open(sys.argv[2], "rb").read()
for _ in range(60):
    text = bytearray(whole)
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(text))
        text[at:at + random.choice((0, 1, 30))] = random.choice((b"", b"0", b"[", b"null", b'"', b"-1", b"{}", b"99999999999999"))
    for form in ("text", "sarif", "html"):
        run = subprocess.run([sys.argv[1], "report", "--format", form, "-"], input=bytes(text), capture_output=True)
        if run.returncode not in (0, 2) or run.stderr.count(b"\n") > 1 or (run.returncode == 2) != bool(run.stderr):
            sys.exit(f"exit {run.returncode}, {run.stderr!r} for {bytes(text)!r}")
END
    verdict report-mangled $?
}
# From a program to a page.
exits report-from-program 66 with GOLDILOCKS_OPTIONS=format=json:log_path="$box/json" ./racy-gcc
exits report-of-program 0 sh -c "'$gl' report --format tsan '$box'/json.*"
holds report-of-program-text out '^  Location is global .shared. of size 4 at 0x'
exits report-sarif-schema-program 0 sh -c "'$gl' report --format sarif '$box'/json.* | '$here/check_sarif'"

# ---- what happens at a race --------------------------------------------------------------------------

# The program's own line comes after the racy access: it is there when the program went on.
cat >at-race.c <<'END'
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include "goldilocks/race.h"
int x, y, value_at_race = -1, reports;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void __tsan_on_report(void *report);
void __tsan_on_report(void *report) { reports += report != NULL; }
static void on_race(const struct goldilocks_race *race, void *ctx)
{
    if (race->addr == &x && race->size == sizeof x && race->is_write && ctx == &m) value_at_race = x;
}
static void *write_both(void *arg) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); y = 1; return arg; }
int main(int argc, char **argv)
{
    pthread_t t[2];
    if (argc > 1 && argv[1][0] == 'h') goldilocks_set_race_handler(on_race, &m);
    pthread_create(&t[0], NULL, write_both, NULL);
    pthread_create(&t[1], NULL, write_both, NULL);
    x = 2; /* unordered with the threads' writes, whoever comes first; and so are their writes of y */
    pthread_join(t[0], NULL); pthread_join(t[1], NULL);
    printf("handler saw %d, hook saw some %d\n", value_at_race, reports > 0);
    return 3;
}
END
"$gl" cc -g at-race.c -o at-race
exits race-report 66 ./at-race
holds race-report-goes-on out 'hook saw some 1'
holds race-report-both err 'Previous write of size 4'
exits race-handler 66 ./at-race h
lacks race-handler-called out 'handler saw -1'
exits race-exitcode-zero 3 with GOLDILOCKS_OPTIONS=exitcode=0 ./at-race
exits race-halt 66 with GOLDILOCKS_OPTIONS=on_race=halt ./at-race
lacks race-halt-stops out 'hook saw'
holds race-halt-closing err 'reported [12] races*$'
exits race-halt-by-tsan-name 66 with TSAN_OPTIONS=halt_on_error=1 ./at-race
lacks race-halt-by-tsan-name-stops out 'hook saw'
exits race-trap 133 sh -c 'GOLDILOCKS_OPTIONS=on_race=trap ./at-race; exit $?'
holds race-trap-reports err 'WARNING: Goldilocks: data race'
lacks race-trap-stops out 'hook saw'
exits race-limit 66 with GOLDILOCKS_OPTIONS=report_limit=1 ./at-race
holds race-limit-counts err 'races were found after the limit of reports'
exits race-tsan-layout 66 with GOLDILOCKS_OPTIONS=format=tsan ./at-race
holds race-tsan-layout-first err '^WARNING: ThreadSanitizer: data race (pid='
exits race-json 66 with GOLDILOCKS_OPTIONS=format=json ./at-race
holds race-json-line err '^{"type":"data-race","title":"data race","pid":[0-9]*,"accesses":\[{"kind":'
lacks race-json-only err '^Goldilocks: reported'
exits race-report-bugs-no 3 with TSAN_OPTIONS=report_bugs=0 ./at-race
# Our short functions run near the program, however it calls them; a program that has them inside needs no copy.
if [ "$(uname -m)" = x86_64 ]; then
    for flags in -Wl,-z,lazy -Wl,-z,now -fno-plt -no-pie --inline; do
        exits "near-build$flags" 0 "$gl" cc $flags -Werror -O1 at-race.c -o near
        exits "near-race$flags" 66 with GOLDILOCKS_OPTIONS=verbosity=1 ./near
        holds "near-slots$flags" err "^Goldilocks: [1-9][0-9]* of the program's slots lead to copies of our functions near it$"
    done
    exits near-no 66 with GOLDILOCKS_OPTIONS=verbosity=1:near_code=no ./near
    lacks near-no-slots err 'slots lead to'
fi
exits race-ignored-option 66 with TSAN_OPTIONS=history_size=7:verbosity=1 ./at-race
holds race-ignored-option-said err '^Goldilocks: option history_size of TSAN_OPTIONS does nothing here: '
