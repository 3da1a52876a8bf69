# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# Tests of the command, read by tests/cli/run: `convert` and `dump`.

# ---- convert and dump: recorded executions in our binary form ------------------------------------------

for c in convert dump; do exact help-$c "$gl" help $c; done
cat >small.trace <<'END'
# every sort of name, and memory
T0|fork(T1)|main.c:3
T0|w(x)|main.c:4
T1|acq(m)|main.c:10
T1|r(@7f001230+8)|main.c:11
T1|rel(m)|main.c:12
T1|rmw.ar(a)
T1|commit(x,y;@10)
T0|alloc(@5000+3000)|
T0|fence.sc
T0|join(T1)|main.c:5
END
grep -v '^#' small.trace | sed 's/|$//' >small.events
exits convert-text 0 "$gl" convert --output small.gltrace small.trace
exits convert-back 0 "$gl" convert small.gltrace
if wanted convert-same; then
    cmp out small.events
    verdict convert-same $?
fi
# A thread whose name begins with what is the mark of UTF-8 at the beginning of a text.
if wanted convert-mark; then
    printf '# a comment\n\357\273\277A|w(x)\nA|w(x)\n' >mark.trace
    "$gl" convert --to std mark.trace >mark.std && grep -q '^%EF' mark.std && "$gl" convert --to std mark.std | cmp - mark.std
    verdict convert-mark $?
fi
# A page that is fresh to its end, and addresses as C writes them.
if wanted convert-page; then
    printf 'T1|alloc(@0x1000+4096)\nT1|w(@0x1FFC+4)\n' >page.trace
    "$gl" convert --to binary page.trace | "$gl" convert - >page.std && printf 'T1|alloc(@1000+4096)\nT1|w(@1ffc+4)\n' | cmp - page.std
    verdict convert-page $?
fi
"$gl" convert --output - - <small.trace >piped.gltrace
if wanted convert-piped; then
    cmp small.gltrace piped.gltrace
    verdict convert-piped $?
fi
exact dump "$gl" dump small.gltrace
exact dump-part "$gl" dump --from 4 --count 2 small.gltrace
exact dump-part-text "$gl" dump --from 4 --count 2 small.trace
exact dump-past-end "$gl" dump --from 11 small.gltrace
exact dump-past-end-text "$gl" dump --from 12 small.trace
# Sizes in the file depend on the version of zstd.
info() { "$gl" dump --info "$1" | sed 's/^bytes .*/bytes        N/; s/^\([A-Z]\{4\}\) *[0-9]* *[0-9]*/\1 N N/'; }
exact dump-info info small.gltrace
exact dump-info-text "$gl" dump --info small.trace
head -c 450 small.gltrace >cut.gltrace
exact dump-cut "$gl" dump cut.gltrace
exits dump-info-stdin 0 sh -c "yes 'T1|w(x)' | head -n 300000 | '$gl' dump --info -"
holds dump-info-stdin-events out '^events  *300000$'
# The place of an access that races is read when the races are listed.
{ printf 'T1|w(x)|' && head -c 5000 /dev/zero | tr '\0' a && printf '\nT2|w(x)|b\n'; } >long.std
exits long-location 2 "$gl" analyze long.std
holds long-location-told err "long.std: line 1, column 9: a name of more than 4096 characters"
# What was converted up to a mistake has no end.
printf 'T1|w(x)\nT2|w(x)\nT1|w(x\n' >half.std
exits convert-half 2 sh -c "'$gl' convert half.std >half.gltrace"
exits convert-half-judged 66 "$gl" analyze half.gltrace
holds convert-half-judged-told out 'half.gltrace: the trace has no end'
exits explain-half 66 "$gl" explain half.gltrace
holds explain-half-told err "note: 'half.gltrace' has no end"
exact convert-cut "$gl" convert --to std cut.gltrace
exact dump-info-cut info cut.gltrace
sed 's/main.c:10/main.c:17/' small.gltrace >damaged.gltrace
exact dump-damaged "$gl" dump damaged.gltrace
exact dump-info-damaged "$gl" dump --info damaged.gltrace
# T|w(x), and a store that acquires, which the text has no word for.
base64 -d >order.gltrace <<'END'
iUdMVA0KGgoBAAAAAAAAAE5BTUUAAAAAQgAAAAAAAAAAAAAAAAAAAMoV1cLzfmdAbtduHBcD3ogAAAAANgAAADYAAAAAAAAAAAAAAAEAAAACAAAAVAABAAAA
AAAAAAEAAAACAAAAeAAFAAAAAAAAAAEAAAACAAAAYQBQQUdFAAAAABQAAAAAAAAAAAAAAAAAAAAwNdihWS6WgDMDDvtDEKhLAAAAAAgAAAAIAAAAAQAAAAAA
AABFVlRTAAAAAC4AAAAAAAAAAQAAAAAAAADuBMyztbXa2249nMAAT2utAgAAAAAAAAACAAAAAAAAAAEAAAAEAAAADwEAAAAAAAAAAAAAAgAAAAIAAAAAAQ==
END
exact analyze-order "$gl" analyze order.gltrace
exact dump-order "$gl" dump order.gltrace
exact convert-order "$gl" convert order.gltrace
exact dump-nothing "$gl" dump
exact dump-two "$gl" dump small.trace small.gltrace
exact dump-folder "$gl" dump folder
exact dump-missing "$gl" dump none.trace
exact dump-bad-number "$gl" dump --from 0 small.trace
exact dump-bad-count "$gl" dump --count many small.trace
exits dump-full 2 sh -c "'$gl' dump small.gltrace >/dev/full"
holds dump-full-says-why err "'standard output' cannot be written: No space left on device"
exact convert-nothing "$gl" convert
exact convert-flags-behind "$gl" convert small.trace --output x.gltrace
exact convert-missing "$gl" convert none.trace
exact convert-bad-to "$gl" convert --to csv small.trace
exact convert-bad-from "$gl" convert --from jpeg small.trace
exact convert-wrong-from "$gl" convert --from binary small.trace
exact convert-bad-place "$gl" convert --output none/x.gltrace small.trace
exact convert-into-folder "$gl" convert --output folder small.trace
exact convert-full "$gl" convert --output /dev/full small.trace

# What was there stays when the new file cannot be finished, and nothing is left beside it.
printf 'T0|w(x)\nT0|zz(x)\n' >wrong.trace
echo precious >kept.gltrace
exact convert-wrong "$gl" convert --output kept.gltrace wrong.trace
exits convert-no-room 0 sh -c "(ulimit -f 0; '$gl' convert --output kept.gltrace small.trace 2>&1; echo code \$?) | cat"
holds convert-no-room-says-why out "'kept.gltrace' cannot be written: File too large; nothing was left behind"
holds convert-no-room-code out '^code 2$'
if wanted convert-kept; then
    [ "$(cat kept.gltrace)" = precious ] && [ -z "$(ls | grep part-)" ]
    verdict convert-kept $?
fi
# Whichever signal ends it, what was begun is removed.
if wanted generate-ended; then
    for signal in TERM USR1; do
        "$gl" generate --events 200M --output ended.std &
        until ls ended.std.part-* >/dev/null 2>&1; do kill -0 $! || break; done
        kill -$signal $! && ! wait $! && ! ls ended.std* >/dev/null 2>&1 || break
        done_with=$signal
    done
    [ "$done_with" = USR1 ]
    verdict generate-ended $?
fi
# A name that is as long as names may be has room for what is written beside it.
long=$(printf '%255s' '' | tr ' ' n)
exits convert-short-flag 0 "$gl" convert --to binary -o short.gltrace small.trace
if wanted convert-short-flag-whole; then
    cmp short.gltrace small.gltrace
    verdict convert-short-flag-whole $?
fi
exits record-short-flag 66 "$gl" record --option report_limit=1 -o short.gltrace -- ./racy-gcc
holds record-short-flag-says err 'data race'
exits record-short-flag-wrote 66 "$gl" analyze short.gltrace
exits explain-symbol 66 "$gl" explain --variable shared short.gltrace
holds explain-symbol-race out '^Race on 0x'
exits explain-symbol-inside 66 "$gl" explain --variable shared+3 short.gltrace
exits explain-symbol-behind 2 "$gl" explain --variable shared+4 short.gltrace
exact record-short-flag-alone "$gl" record -o
exits convert-long-name 0 "$gl" convert --output "$long" small.trace
if wanted convert-long-name-whole; then
    cmp "$long" small.gltrace
    verdict convert-long-name-whole $?
fi
# A file that is shortened while it is read: dump waits for who reads what it writes.
yes 'T1|w(x)|here' | head -n 200000 >shrinks.trace
exits dump-shrinks 0 sh -c "{ '$gl' dump shrinks.trace; echo code \$? >&2; } | { head -c 1 >/dev/null; : >shrinks.trace; cat >/dev/null; }"
holds dump-shrinks-says err "^goldilocks dump: 'shrinks.trace' became shorter while it was read$"
holds dump-shrinks-code err '^code 2$'
ln -s kept.gltrace link.gltrace
chmod 640 kept.gltrace
exits convert-link 0 "$gl" convert --output link.gltrace small.trace
if wanted convert-link-stays; then
    [ -h link.gltrace ] && cmp kept.gltrace small.gltrace && [ "$(stat -c %a kept.gltrace)" = 640 ]
    verdict convert-link-stays $?
fi
