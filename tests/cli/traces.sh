# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# Tests of the command, read by tests/cli/run: `generate`, `analyze`, `detectors` and `compare`.

# ---- generate -----------------------------------------------------------------------------------------

for c in analyze compare detectors generate; do exact help-$c "$gl" help $c; done
exact generate-small "$gl" generate --events 24 --threads 3 --mix everything
exact generate-no-locations "$gl" generate --events 5 --threads 1 --locations 0
exact generate-addresses "$gl" generate --events 8 --threads 2 --addresses --variables 16
exact generate-tree "$gl" generate --events 30 --threads 6 --alive 4 --topology tree --mix read=1,thread=3
exits generate-seed 0 sh -c "'$gl' generate --events 9k --seed 5 >a; '$gl' generate --events 9k --seed 5 >b; '$gl' generate --events 9k --seed 6 >c; cmp a b && ! cmp -s a c"
exits generate-exact-length 0 sh -c "[ \$('$gl' generate --events 12345 --mix everything | wc -l) -eq 12345 ]"
exits generate-file 0 "$gl" generate --events 50k --mix everything --threads 40 --alive 9 --output random.std
exits generate-binary 0 "$gl" generate --events 50k --mix everything --threads 40 --alive 9 --to binary --output random.bin
exits generate-racy 0 "$gl" generate --events 50k --mix everything --threads 40 --alive 9 --races 0.002 --variables 3k --addresses --output racy.std
exact generate-unknown-flag "$gl" generate --frobnicate
exact generate-word "$gl" generate ten
exact generate-bad-number "$gl" generate --events many
exact generate-big-number "$gl" generate --threads 5G
exact generate-bad-threads "$gl" generate --threads 0
exact generate-bad-alive "$gl" generate --threads 4 --alive 5
exact generate-alive-without-share "$gl" generate --threads 4 --alive 2
exact generate-bad-rate "$gl" generate --races 2
exact generate-bad-family "$gl" generate --mix read=1,wirte=2
exact generate-bad-weight "$gl" generate --mix read=much
exact generate-no-read "$gl" generate --mix write=1
exact generate-bad-topology "$gl" generate --topology star
exact generate-bad-format "$gl" generate --to csv
exact generate-unwritable "$gl" generate --events 9 --output "$box/none/trace"
exact generate-few-races "$gl" generate --races 1e-7
exits generate-no-races 0 sh -c "'$gl' generate --events 9k --races 0 >a; '$gl' generate --events 9k >b; cmp a b"
exits generate-full-disk 2 sh -c "'$gl' generate --events 50k >/dev/full"
# A bar on a terminal after a second: here the reader of the pipe makes the job that long.
if command -v script >/dev/null; then
    exits generate-bar 0 script -qec "'$gl' generate --events 100k | (sleep 1.3; cat >/dev/null)" /dev/null
    holds generate-bar-text out 'generate  \[=* *\]  *[0-9]* %  [0-9.]* M events'
    exits analyze-bar 0 script -qec "(head -c 400000 random.std; sleep 1.3; tail -c +400001 random.std) | '$gl' analyze -" /dev/null
    holds analyze-bar-text out 'standard input  [0-9.]* M events  [0-9.]* M/s'
    exits generate-terminal 2 script -qec "'$gl' generate --to binary" /dev/null
    holds generate-terminal-text out 'a binary trace is not for a terminal'
fi

# ---- analyze ------------------------------------------------------------------------------------------

printf '%s\n' '# two races on x, one on y' 'T1|w(x)|a.c:3' 'T1|acq(m)' 'T1|w(y)|a.c:5' 'T1|rel(m)' 'T2|r(x)|b.c:7' 'T2|w(x)|b.c:8' \
    'T2|st.rel(y)' >two.std
printf '%s\n' 'T1|acq(m)' 'T1|w(x)' 'T1|rel(m)' 'T2|acq(m)' 'T2|w(x)' 'T2|rel(m)' >none.std
printf '%s\n' 'T1|w(x)' 'T2|rel(m)' 'T2|rel(n)' 'T3|bar_out(b)' 'T2|r(x)' >impossible.std
printf '%s\n' 'T1|w(@1000+8)' 'T2|rmw.sc(@1000+8)' 'T3|w(@1003+4)' >wide.std
printf '%s\n' 'T1|acq(m)|1' 'T1|w(x' >broken.std
# A transaction of more data than one race can name: on most it races, of the first it comes later by the one in the middle.
printf '%s\n' 'T1|w(first)' 'T1|commit(;middle)' 'T1|w(@2000)|1' 'T1|w(@1044+2)|2' 'T1|w(q)|3' 'T1|r(last)|4' \
    'T2|commit(first,@2000,@1000+16,@1010+16,@1020+16,@1030+16,@1040+16,q;middle,@1046+2,last)|5' >transaction.std
# Threads that nobody forked, of which only their accesses are known, to pages of several jobs.
printf '%s\n' 'T1|w(@1000+4)' 'T2|w(@2000+4)' 'T3|w(@3000+4)' 'T0|join(T1)' 'T0|join(T2)' 'T0|join(T3)' 'T0|r(@1000+4)' 'T0|r(@3000+4)' \
    'T4|w(@2000+2)' >unforked.std
exact analyze-two "$gl" analyze two.std
exact analyze-all "$gl" analyze --all two.std
exact analyze-json "$gl" analyze --json two.std none.std
exact analyze-none "$gl" analyze none.std
exact analyze-wide "$gl" analyze wide.std
exact analyze-wide-json "$gl" analyze --json wide.std
exact analyze-transaction "$gl" analyze transaction.std
exact compare-transaction sh -c "'$gl' compare --brief transaction.std | cut -c 1-79"
exact analyze-unforked "$gl" analyze unforked.std
exact analyze-several "$gl" analyze none.std two.std
exact analyze-one-bad "$gl" analyze two.std missing.std broken.std none.std
exact analyze-json-bad "$gl" analyze --json broken.std missing.std
exact analyze-impossible "$gl" analyze impossible.std
exact analyze-lenient "$gl" analyze --lenient impossible.std
exact analyze-lenient-json "$gl" analyze --lenient --json impossible.std
exact analyze-trust "$gl" analyze --trust impossible.std
exact analyze-trust-lenient "$gl" analyze --trust --lenient impossible.std
exact analyze-eraser "$gl" analyze --detector eraser two.std
printf '%s\n' 'T1|r(x)' 'T2|r(x)' >readers.std
exact analyze-switch "$gl" analyze --detector goldilocks-2006-fixed --set read-write=off readers.std
exits analyze-switch-usual 0 "$gl" analyze --detector goldilocks-2006-fixed --set read-write=on readers.std
exits analyze-stats 66 "$gl" analyze --stats two.std
holds analyze-stats-counter out '^  rule_race  *[1-9]'
holds analyze-stats-memory out '^  memory  *[1-9]'
exits analyze-stats-json 66 "$gl" analyze --stats --json two.std
holds analyze-stats-json-counter out '"detector":{.*"rule_race":'
exits analyze-stdin 66 sh -c "'$gl' analyze - <two.std"
# A pipe is judged as it comes; what is said is the same, as far as the place of an earlier access is still known.
exact analyze-pipe sh -c "cat two.std | '$gl' analyze --all -"
exact analyze-pipe-jobs sh -c "cat wide.std | '$gl' analyze --jobs 2 --json -"
exact analyze-pipe-empty sh -c ": | '$gl' analyze -"
exact analyze-pipe-broken sh -c "cat broken.std | '$gl' analyze -"
exact analyze-pipe-impossible sh -c "cat impossible.std | '$gl' analyze -"
exact analyze-pipe-not-a-trace sh -c "echo hello | '$gl' analyze -"
# What goes on for ever and is no trace is not waited for.
for c in explain compare 'dump --info'; do
    exact "endless-$(echo $c | tr -dc a-z)" sh -c "yes | timeout 60 '$gl' $c -"
done
exact analyze-rapidbin-threads sh -c "printf '\\0\\0%016d' 0 | tr 0 '\\0' | '$gl' analyze --from rapidbin -"
exact analyze-pipe-closed sh -c "'$gl' analyze - <&-"
old="{ echo 'T1|w(old)|a.c:1'; yes 'T1|r(x)|b.c:2' | head -n 2100000; echo 'T2|r(old)|c.c:3'; }"
exact analyze-pipe-old sh -c "$old | '$gl' analyze -"
exact analyze-pipe-old-json sh -c "$old | '$gl' analyze --json -"
exact convert-pipe sh -c "cat two.std | '$gl' convert --to binary - | '$gl' convert -"
exact dump-pipe sh -c "cat two.std | '$gl' dump --from 4 --count 2 -"
for j in 1 2 5; do
    exits analyze-pipe-$j 66 sh -c "cat racy.std | '$gl' analyze --all --json --jobs $j - | sed 's/standard input/racy.std/' >out-$j;
        '$gl' analyze --all --json racy.std | cmp - out-$j && exit 66"
done
exits analyze-from 66 "$gl" analyze --from std two.std
exits analyze-wrong-from 2 "$gl" analyze --from binary two.std
exits analyze-random 0 "$gl" analyze random.std random.bin
exits analyze-racy 66 "$gl" analyze racy.std
# However many jobs there are, and whatever the detector: the same bytes.
for d in goldilocks fasttrack eraser; do
    "$gl" analyze --all --json --detector $d racy.std >one-job
    for j in 2 3 7; do
        exits analyze-jobs-$d-$j 66 "$gl" analyze --all --json --detector $d --jobs $j racy.std
        if wanted analyze-jobs-same-$d-$j; then
            cmp one-job out
            verdict analyze-jobs-same-$d-$j $?
        fi
    done
done
for t in transaction unforked; do
    "$gl" analyze --all --json $t.std >one-job
    for j in 2 3 7; do
        for d in goldilocks vc goldilocks-2006-fixed; do
            exits analyze-jobs-$t-$j-$d 66 "$gl" analyze --all --json --jobs $j --trust --detector $d $t.std
        done
        exits analyze-jobs-$t-$j 66 sh -c "'$gl' analyze --all --json --jobs $j $t.std | cmp - one-job && exit 66"
    done
done
exact analyze-jobs-broken "$gl" analyze --jobs 3 broken.std
exact analyze-jobs-impossible "$gl" analyze --jobs 3 impossible.std
exact analyze-jobs-lenient "$gl" analyze --jobs 3 --lenient impossible.std
exact analyze-nothing "$gl" analyze
exact analyze-unknown-flag "$gl" analyze --frobnicate two.std
exact analyze-slip "$gl" analyze --detecter vc two.std
exact analyze-no-value-wanted "$gl" analyze --json=yes two.std
exact analyze-flag-behind "$gl" analyze none.std --all
exact analyze-unknown-detector "$gl" analyze --detector fastrack two.std
exact analyze-unknown-switch "$gl" analyze --set turbo=on two.std
exact analyze-bad-switch "$gl" analyze --set turbo two.std
exact analyze-bad-jobs "$gl" analyze --jobs 0 two.std
exact analyze-bad-memory "$gl" analyze --memory much two.std
exact analyze-no-memory "$gl" analyze --memory 1k two.std
exits analyze-little-memory 2 "$gl" analyze --memory 3M random.std
holds analyze-little-memory-text err 'random.std: line [0-9]*: there is not enough memory for this detector'
exact analyze-bad-from "$gl" analyze --from xml two.std
exits analyze-output-full 2 sh -c "'$gl' analyze --json two.std >/dev/full"
# Two traces one behind the other are not the first of them.
"$gl" convert --to binary --output two.bin two.std
cat two.bin two.bin >joined.bin
exits analyze-joined 2 "$gl" analyze joined.bin
holds analyze-joined-says err 'another trace begins here; each is an execution of its own, give them one by one'
exits analyze-joined-pipe 2 sh -c "cat joined.bin | '$gl' analyze -"
holds analyze-joined-pipe-says err 'another trace begins here'
exits analyze-junk-behind 66 sh -c "{ cat two.bin; echo; } | '$gl' analyze -"
exits analyze-junk-behind-file 66 sh -c "{ cat two.bin; echo; } >junk.bin; '$gl' analyze junk.bin"
head -c 70000 random.bin >cut.bin
exits analyze-cut 0 "$gl" analyze cut.bin
holds analyze-cut-text out 'the trace has no end'
exits analyze-cut-json 0 "$gl" analyze --json cut.bin
holds analyze-cut-json-text out '"complete":false'

# ---- detectors, compare -------------------------------------------------------------------------------

exact detectors "$gl" detectors
exact detectors-word "$gl" detectors vc
exits compare-agree 0 "$gl" compare --detectors fasttrack,goldilocks-eager two.std
holds compare-agree-row out '^goldilocks  *yes  *2  *0  *0  *0 '
holds compare-agree-text out '^All agree.$'
exits compare-random 0 "$gl" compare --detectors fasttrack,vc,treeclock racy.std
exits compare-all 1 "$gl" compare none.std two.std
# Times and memory differ from run to run.
printf '%s\n' 'T1|acq(m)' 'T1|w(x)' 'T1|rel(m)' 'T1|fork(T2)' 'T2|w(x)' 'T3|w(x)' >racy2.std
exact compare-differ sh -c "'$gl' compare --detectors eraser,fasttrack racy2.std >table; code=\$?; sed 's/ *[0-9.]* *[0-9.]*M *[0-9.]*\$/ TIME/' table; exit \$code"
exact compare-brief sh -c "'$gl' compare --brief --detectors lockset-fixed racy2.std | sed 's/ *[0-9.]* *[0-9.]*M *[0-9.]*\$/ TIME/'"
exits compare-engine-alone 0 "$gl" compare --detectors goldilocks two.std
# A few variables that many threads read: the engine keeps a line for each thread (core/spread.h).
"$gl" generate --events 60k --threads 200 --variables 16 --races 0.0005 --to binary --output hot.bin
exits compare-hot 0 "$gl" compare --detectors fasttrack,vc hot.bin
holds compare-hot-agree out '^All agree.$'
exits analyze-hot 66 "$gl" analyze --stats hot.bin
holds analyze-hot-spread out '^  spread  *[1-9]'
holds analyze-hot-gathered out '^  gathered  *[1-9]'
exits compare-lenient 0 "$gl" compare --lenient --detectors fasttrack impossible.std
holds compare-lenient-text out '^3 events were left out'
exact compare-impossible "$gl" compare --detectors fasttrack impossible.std
exact compare-broken "$gl" compare --detectors fasttrack broken.std
exact compare-missing "$gl" compare missing.std
exact compare-nothing "$gl" compare
# Where begin and end are atomic blocks, the trace is refused with the place that says what to do; and that works.
printf 'T0|begin\nT0|w(x)\nT0|end\nT0|begin\nT1|r(x)|7\nT0|end|\n' >blocks.std
exits blocks 2 "$gl" analyze blocks.std
holds blocks-says err 'line 4: T0 does begin after its end; are these atomic blocks? (docs/trace-text.md)'
exits blocks-out 66 sh -c "sed 's/^[^|]*|\\(begin\\|end\\)\\b.*/#/' blocks.std | '$gl' analyze -"
holds blocks-line out 'line 5'
# A trace for which there is no memory is refused in one sentence that says what to do.
"$gl" generate --events 300k --variables 60k --to std --output large.std
exits memory-of-trace 2 sh -c "(ulimit -v 17000; '$gl' analyze large.std)"
holds memory-of-trace-says err 'there is not enough memory'
exits memory-of-file 2 sh -c "(ulimit -v 8000; '$gl' analyze large.std)"
holds memory-of-file-says err 'end other programs, or raise the limit (ulimit -v)'
# One that lacks memory, for clocks of 8,000 threads, does not keep the others from being compared.
"$gl" generate --events 20k --threads 8k --variables 16 --to binary --output threads.bin
exits compare-gave-up 2 sh -c "(ulimit -v 100000; '$gl' compare --detectors vc,eraser threads.bin)"
holds compare-gave-up-row out '^vc  *yes  *gave up: record [0-9]*: there is not enough memory'
holds compare-gave-up-other out '^eraser  *no  *0  *0  *0  *0 '
holds compare-gave-up-agree out '^The others agree.$'
holds compare-gave-up-says err 'threads.bin: not all detectors could judge it'
exact compare-unknown-flag "$gl" compare --frobnicate two.std
exact compare-unknown-detector "$gl" compare --detectors fasttrack,zebra two.std
