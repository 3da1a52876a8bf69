#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The demo: builds examples/wordcount with `goldilocks cc`, runs it, shows the race that is found, then
# runs the repaired twin and shows that it is silent.  Exit code 0 only when the race was reported, the
# twin was not, and both counted right; the counts are compared with those of tr, sort and uniq.
#
#     examples/demo.sh [BUILD_FOLDER]        (default: build beside examples)
set -u
LC_ALL=C
export LC_ALL
unset GOLDILOCKS_OPTIONS TSAN_OPTIONS

root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
build=${1:-$root/build}
goldilocks=$build/goldilocks
out=$build/demo
source=examples/wordcount
if [ ! -x "$goldilocks" ]; then
    echo "demo: there is no $goldilocks; run make first" >&2
    exit 2
fi
goldilocks=$(cd "$(dirname "$goldilocks")" && pwd)/goldilocks
mkdir -p "$out" || exit 2
out=$(cd "$out" && pwd)
cd "$root" || exit 1

color=never title='' good='' bad='' plain=''
if [ -t 1 ]; then
    color=always
    title=$(printf '\033[1m') good=$(printf '\033[32m') bad=$(printf '\033[31m') plain=$(printf '\033[0m')
fi
say() { printf '\n%s%s%s\n' "$title" "$1" "$plain"; }
show() { printf '  $ %s\n' "$*"; }
failed=0
check() { # check SENTENCE COMMAND...
    sentence=$1
    shift
    if "$@"; then
        printf '%sok%s      %s\n' "$good" "$plain" "$sentence"
    else
        printf '%sFAILED%s  %s\n' "$bad" "$plain" "$sentence"
        failed=1
    fi
}

build_it() { # build_it NAME FLAGS...
    name=$1
    shift
    show goldilocks cc -g -O2 "$@" "$source/*.c" -o "$name"
    "$goldilocks" cc -g -O2 "$@" "$source"/*.c -o "$out/$name" || exit 1
}
run_it() { # run_it NAME; leaves the exit code in $code
    show goldilocks run "./$1" "$source/text/*.txt"
    "$goldilocks" run --color $color "$out/$1" -n 1000000 "$source"/text/*.txt >"$out/$1.counts" 2>"$out/$1.report"
    code=$?
    cat "$out/$1.report"
    sed -n '1,3p;$p' "$out/$1.counts"
    echo "  (exit code $code)"
}
counts_right() { # every word with its count, and the total
    sed '$d' "$out/$1.counts" | sort >"$out/$1.sorted"
    cat "$source"/text/*.txt | tr 'A-Z' 'a-z' | tr -cs 'a-z' '\n' | sed '/^$/d' | sort | uniq -c |
        awk '{ printf "%7d %s\n", $1, $2 }' | sort >"$out/expected"
    total=$(awk '{ n += $1 } END { print n }' "$out/expected")
    cmp -s "$out/expected" "$out/$1.sorted" && [ "$total" -gt 0 ] && tail -n 1 "$out/$1.counts" | grep -q "^$total words, "
}
report_names_race() {
    grep -q 'data race' "$1" && grep -q 'progress_percent .*wordcount\.c:' "$1" && grep -q 'progress_file_done .*wordcount\.c:' "$1"
}

say "A parallel word count with a data race"
build_it wordcount
run_it wordcount
racy=$code

say "The same with the lock taken where it was missing (-DFIXED)"
build_it wordcount-fixed -DFIXED
run_it wordcount-fixed
fixed=$code

say "Result"
check "the race was reported, with both functions by file and line" report_names_race "$out/wordcount.report"
check "the exit code of the racy program is 66" [ "$racy" -eq 66 ]
check "the repaired twin is silent" [ ! -s "$out/wordcount-fixed.report" ]
check "the exit code of the repaired twin is 0" [ "$fixed" -eq 0 ]
check "the racy program counted right" counts_right wordcount
check "the repaired twin counted right" counts_right wordcount-fixed
exit $failed
