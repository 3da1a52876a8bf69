# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# Tests of the command, read by tests/cli/run: `explain`: the papers' tables, and what is said about a race.

# ---- explain: the papers' tables, and what is said about a race ---------------------------------------

cp "$root"/examples/traces/*.trace .
exact explain-intbox "$gl" explain --variable o1.x intbox.trace
exact explain-intbox-full "$gl" explain --full --variable o1.x intbox.trace
exact explain-task-queue "$gl" explain --variable oneTask.out task_queue.trace
exact explain-cacm-1a "$gl" explain --variable x cacm_1a.trace
exact explain-cacm-1b "$gl" explain --variable x cacm_1b.trace
exact explain-slides "$gl" explain --variable x slides.trace
# trace LINE...: the file "trace" of these lines.
trace() { printf '%s\n' "$@" >trace; }
# A lock that was released before the access, and one that was not taken.
trace 'T1|acq(m2)' 'T1|rel(m2)' 'T1|acq(m1)' 'T1|w(x)|a.c:10' 'T1|rel(m1)' 'T2|acq(m2)' 'T2|w(x)|b.c:20' 'T2|rel(m2)'
exact explain-race "$gl" explain trace
exact explain-race-json "$gl" explain --json trace
# All accesses of the earlier one's segment race with the later one; those that only read do not, with a read.
printf '%s\n' 'T1|acq(m)|a:1' 'T1|w(x)|a:2' 'T1|rel(m)|a:3' 'T1|r(x)|a:4' 'T1|w(x)|a:5' 'T1|w(y)|a:6' 'T1|r(x)|a:7' 'T1|acq(m)|a:8' \
    'T1|w(x)|a:9' 'T1|rel(m)|a:10' 'T1|w(y)|a:11' 'T2|w(x)|b:1' >segment
exact explain-segment "$gl" explain segment
exact explain-segment-json "$gl" explain --json segment
printf '%s\n' 'T1|w(x)|a:1' 'T1|alloc(x)|a:2' 'T1|w(x)|a:3' 'T1|r(x)|a:4' 'T2|r(x)|b:1' >segment
exact explain-segment-reads "$gl" explain segment
{ for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "T1|w(x)|a:$i"; done; echo 'T2|w(x)|b:1'; } >segment
exact explain-segment-many "$gl" explain segment
exact explain-race-number "$gl" explain --race 2 trace
# An atomic's order is told as `analyze` tells it.
trace 'T1|st.rel(x)' 'T1|st.rlx(x)' 'T2|r(x)'
exact explain-atomic-json "$gl" explain --json trace
# Names of somebody else's trace cannot colour the terminal or forge lines; JSON has them as they are.
trace 'T1|w(%1B[31m"q%0Ano race)|l%1B%0Aoc' 'T%C2%9B1|w(%1B[31m"q%0Ano race)|b%7F'
exact explain-control "$gl" explain trace
exact explain-control-json "$gl" explain --json trace
exact explain-control-variable "$gl" explain --variable '%1B[31m"q%0Ano race' trace
exact analyze-control "$gl" analyze trace
exact dump-control "$gl" dump --info trace
trace 'T1|w(%1Bx)' 'T1|fork(T2)' 'T2|w(%1Bx)'
exact compare-control sh -c "'$gl' compare --detectors goldilocks,eraser --brief trace | grep disagreement"
exact explain-race-second "$gl" explain --race 2 two.std
exits explain-stdin 66 sh -c "'$gl' explain two.std >said; cat two.std | '$gl' explain - | cmp - said && exit 66"
# Flags may stand behind the file, too.
exits explain-flags-behind 66 sh -c "'$gl' explain --json --race 2 two.std >said; '$gl' explain --json two.std --race 2"
if wanted explain-flags-behind-same; then
    cmp out said
    verdict explain-flags-behind-same $?
fi
exact explain-flag-behind-bad "$gl" explain two.std --rase 2
exact explain-two-files "$gl" explain two.std --race 2 trace
exact explain-race-none "$gl" explain slides.trace
exact explain-no-variable "$gl" explain --variable y trace
trace 'T1|acq(m)' 'T2|volread(v)' 'T2|acq(n)' 'T2|acq(m)'
exact explain-impossible "$gl" explain --variable x trace
trace 'T1|w(x)' 'T2|rel(m)' 'T2|r(x)'
exact explain-lenient "$gl" explain --lenient trace
trace 'T1|w(x)' 'T2|w'
exact explain-broken "$gl" explain trace
# Two unordered reads: the later write races with one of them only, though that is not the last.
trace 'T0|w(x)' 'T0|fork(T1)' 'T0|fork(T2)' 'T1|r(x)|reader' 'T2|r(x)|reader' 'T2|post(s)' 'T0|wait(s)' 'T0|w(x)'
exact explain-readers "$gl" explain trace
# Read holds of one lock order nothing.
trace 'T1|rdlock(L)' 'T1|w(x)' 'T1|rdunlock(L)' 'T2|rdlock(L)' 'T2|w(x)' 'T2|rdunlock(L)' 'T3|wrlock(L)' 'T3|w(x)'
exact explain-rwlock "$gl" explain trace
# The later thread was forked by one that the set does not hold.
trace 'T1|w(x)|a.c:1' 'T2|fork(T3)|a.c:2' 'T3|w(x)|a.c:3'
exact explain-forked "$gl" explain trace
# The acquire fence is missing; then it is there.
trace 'T1|w(x)' 'T1|fence.rel' 'T1|st.rlx(f)' 'T2|ld.rlx(f)' 'T2|w(x)'
exact explain-fence "$gl" explain --variable x trace
trace 'T1|w(x)' 'T1|fence.rel' 'T1|st.rlx(f)' 'T2|ld.rlx(f)' 'T2|fence.acq' 'T2|w(x)'
exact explain-fence-ordered "$gl" explain --variable x trace
# Another store ends the release sequence.
trace 'T1|w(x)' 'T1|st.rel(f)' 'T3|st.rel(f)' 'T2|ld.acq(f)' 'T2|w(x)'
exact explain-release-sequence "$gl" explain --variable x trace
# The second round of a barrier does not order what was done before by a thread that missed it.
trace 'T1|bar_in(b)' 'T3|bar_in(b)' 'T1|bar_out(b)' 'T1|w(x)' 'T1|bar_in(b)' 'T2|bar_in(b)' 'T2|bar_out(b)' 'T2|w(x)' \
    'T3|bar_out(b)' 'T3|w(x)'
exact explain-barrier "$gl" explain trace
trace 'T1|commit(x;y)' 'T2|commit(y;)' 'T2|w(x)' 'T3|commit(x;)'
exact explain-commit "$gl" explain trace
exact explain-commit-json "$gl" explain --json trace
# Of an address the byte that races is explained.
trace 'T1|w(@7f001230+4)' 'T2|w(@7f001232)' 'T2|alloc(@7f001230+8)' 'T2|r(@7f001234+4)'
exact explain-address "$gl" explain --variable 0x7f001230 trace
exact explain-address-once "$gl" explain --variable @7f001234 trace
# The byte that races, though another one of the variable is accessed more often.
trace 'T1|w(@10)' 'T1|r(@10)' 'T1|r(@10)' 'T1|w(@12)' 'T2|w(@12)'
exact explain-address-byte "$gl" explain --variable @10 trace
trace 'T1|w(@10)' 'T1|w(@12)' 'T1|r(@12)'
exact explain-address-ordered "$gl" explain --variable @10 trace
trace 'T1|w(@7f001230+4)' 'T2|w(@7f001232)' 'T2|alloc(@7f001230+8)' 'T2|r(@7f001234+4)'
exact explain-address-unknown "$gl" explain --variable 0x8f001230 trace
exact explain-no-file "$gl" explain none
exact explain-nothing "$gl" explain
exact explain-both "$gl" explain --race 1 --variable x trace
exact explain-race-zero "$gl" explain --race 0 trace
exact explain-bad-format "$gl" explain --from xml trace
# A long story is cut to its end; the whole one is longer.
awk 'BEGIN { for (i = 0; i < 400; i++) print "T1|post(s" i ")\nT1|w(x)"; print "T2|w(x)" }' >trace
exits explain-long 66 "$gl" explain trace
holds explain-long-cut out '^ *\.\.\.  [0-9]* rows before; --full shows more$'
if wanted explain-long-lines; then
    [ "$(wc -l <out)" -lt 240 ]
    verdict explain-long-lines $?
fi
exits explain-long-full 66 "$gl" explain --full trace
if wanted explain-long-full-lines; then
    [ "$(wc -l <out)" -gt 801 ]
    verdict explain-long-full-lines $?
fi
# A large set is shown by its ends.
awk 'BEGIN { print "T1|w(x)"; for (i = 0; i < 400; i++) print "T1|post(s" i ")"; print "T2|w(x)" }' >trace
exits explain-large-set 66 "$gl" explain trace
holds explain-large-set-cut out '{T1, s0, .*, \.\.\. [0-9]* more \.\.\., .*s398, s399}$'
holds explain-large-set-more out 'the same with one of 395 more members'
