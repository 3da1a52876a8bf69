# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
#
# What bench/run, bench/scaling and bench/startup share: how a program is built in its variants, what proves that the
# variant is what it is called, and how one run is measured.  Sourced from the root of the tree by a driver that has set
#   build      the build folder          compilers  an array          variants  an array, plain first
# and then calls measuring_begin.  That sets
#   work       build/bench               measure    the command that measures, with its options
#   ours       our libtsan.so.2, or nothing if it is not among the variants
#   failed     1 after complain()

fail()
{
    echo "bench: $*" >&2
    exit 2
}

failed=0
complain()
{
    echo "bench: $*" >&2
    failed=1
}

# Sets variants from a list with commas; only tools that run the same object files.
tool_variants() # LIST
{
    local tool
    variants=(plain)
    for tool in ${1//,/ }; do
        case $tool in
        plain) ;;
        libtsan | ours) variants+=("$tool") ;;
        *) fail "--tools knows libtsan and ours, not '$tool'" ;;
        esac
    done
    [ ${#variants[@]} -gt 1 ] || fail "--tools names no tool to compare with"
}

measuring_begin()
{
    local cc random_bits
    mkdir -p "$build/bench" || fail "cannot make $build/bench"
    build=$(cd "$build" && pwd)
    work=$build/bench
    [[ $build != *[[:space:]]* ]] || fail "make cannot build in '$build': its name has a space"
    ours=
    if [[ " ${variants[*]} " == *" ours "* || " ${variants[*]} " == *" inline "* ]]; then
        ours=$build/lib/libtsan.so.2
        [ -f "$ours" ] || fail "$ours is missing: run 'make' first, or use --tools libtsan"
    fi
    [[ " ${variants[*]} " != *" inline "* ]] || [ -f "$build/lib/inline.h" ] ||
        fail "$build/lib/inline.h is missing, so there is no inlined build: leave inline out of --tools"
    for cc in "${compilers[@]}"; do
        command -v "$cc" >/dev/null || fail "the compiler $cc is not installed"
    done
    # Options of the tools would be measured with them.
    unset TSAN_OPTIONS GOLDILOCKS_OPTIONS VALGRIND_OPTS LD_PRELOAD LD_LIBRARY_PATH
    unset MAKEFLAGS MFLAGS MAKELEVEL # of the make that may have called us
    export LC_ALL=C
    "${compilers[0]}" -std=gnu17 -D_GNU_SOURCE -O2 -Wall -Wextra bench/measure.c -o "$work/measure" ||
        fail "bench/measure.c could not be compiled"

    # gcc-12's libtsan gives up where the kernel spreads addresses wider than this; then nobody's are random.
    measure=("$work/measure" -t 600)
    random_bits=$(cat /proc/sys/vm/mmap_rnd_bits 2>/dev/null || echo 0)
    [ "$random_bits" -le 28 ] || measure+=(-R)
}

kind_of()
{
    case ${1##*/} in
    clang*) echo clang ;;
    *) echo gcc ;;
    esac
}

# How our runtime reaches a program: gcc's takes the library by name, clang's was linked with it.
environment_of() # CC VARIANT
{
    if [[ $2 = ours || $2 = inline ]] && [ "$(kind_of "$1")" = gcc ]; then
        printf '%s %s\n' -e "LD_LIBRARY_PATH=$build/lib"
    fi
}

build_program() # CC NAME DIR SOURCES DEFS LIBS
{
    mkdir -p "$work/$1"
    local recipe=$work/$1/$2.recipe inline= calls=
    [[ " ${variants[*]} " != *" inline "* ]] || inline=yes
    [[ " ${variants[*]} " != *" calls "* ]] || calls=yes
    printf '%s\n' "$("$1" --version)" "$5" "$6" | cmp -s - "$recipe" ||
        printf '%s\n' "$("$1" --version)" "$5" "$6" >"$recipe"
    make -s -j"$(nproc)" -f bench/build.mk CC="$1" KIND="$(kind_of "$1")" OUT="$work/$1" NAME="$2" DIR="$3" SRC="$4" \
        DEFS="$5" LIBS="$6" RECIPE="$recipe" OURS="$ours" INLINE=$inline CALLS=$calls >"$work/$1/$2.log" 2>&1 ||
        { complain "$2 could not be built with $1, see $work/$1/$2.log"; return 1; }
}

kernel_defs='-std=gnu17 -Wall -Wextra -I.' kernel_libs=-lm
build_kernel() # CC NAME
{
    build_program "$1" "$2" . "bench/kernels/$2.c" "$kernel_defs" "$kernel_libs"
}

# What runs a variant: valgrind's tools take the uninstrumented program.
command_of() # CC NAME VARIANT
{
    case $3 in
    helgrind | drd) printf '%s\n' valgrind --tool="$3" -q --error-exitcode=66 "$work/$1/$2.plain" ;;
    small) printf '%s\n' "$work/$1/$2.plain" ;;
    *) printf '%s\n' "$work/$1/$2.$3" ;;
    esac
}

# One run; the result is in $measured, the output in $out.  False if the run must not count.
run_once() # CC NAME VARIANT ARGUMENTS...
{
    local cc=$1 name=$2 variant=$3 err=$work/stderr.txt
    local -a command
    mapfile -t command < <(command_of "$cc" "$name" "$variant")
    shift 3
    out=$work/stdout.$variant
    # shellcheck disable=SC2046  # none or two words
    measured=$("${measure[@]}" $(environment_of "$cc" "$variant") -o "$out" -r "$err" -- "${command[@]}" "$@") ||
        { complain "$name ($cc, $variant) could not be measured"; return 1; }
    local end=${measured##*$'\t'} what="$name ($cc, $variant)"
    if [ "$end" = 0 ] && [ ! -s "$err" ]; then
        return 0
    fi
    cp "$err" "$work/$cc/$name.$variant.stderr"
    case $end in
    0) complain "$what ended well but wrote to standard error:" ;;
    66) complain "$what reported a race:" ;;
    *) complain "$what ended with $end:" ;;
    esac
    head -n 12 "$err" | sed 's/^/    /' >&2
    echo "    (all of it: $work/$cc/$name.$variant.stderr)" >&2
    return 1
}

# Every tool must find the canary's race, or its times mean nothing.
canary() # CC VARIANT...
{
    local cc=$1 variant
    local -a command
    build_program "$cc" canary . bench/canary.c -I. "" || return 1
    shift
    for variant; do
        mapfile -t command < <(command_of "$cc" canary "$variant")
        # shellcheck disable=SC2046
        measured=$("${measure[@]}" $(environment_of "$cc" "$variant") -o "$work/stdout.$variant" \
            -r "$work/canary.$variant.stderr" -- "${command[@]}")
        case $variant,${measured##*$'\t'} in
        plain,0 | small,0 | calls,0 | libtsan,66 | ours,66 | inline,66 | helgrind,66 | drd,66) ;;
        *) complain "the canary ($cc, $variant) ended with ${measured##*$'\t'}, so nothing of $cc was measured:"
           head -n 12 "$work/canary.$variant.stderr" | sed 's/^/    /' >&2
           return 1 ;;
        esac
    done
    for variant; do
        [[ $variant != ours && $variant != inline ]] ||
            grep -q 'WARNING: Goldilocks: data race' "$work/canary.$variant.stderr" ||
            { complain "the canary ($cc, $variant) was not reported by our runtime, so it did not run on $ours"; return 1; }
    done
    if [ -x "$work/$cc/canary.libtsan" ] && [ "$(kind_of "$cc")" = gcc ] &&
        ! cmp -s "$(library_of "$cc" libtsan)" "$("$cc" -print-file-name=libtsan.so)"; then
        complain "programs of $cc load another libtsan.so.2 than the compiler's own (is ours installed for all?)"
        return 1
    fi
}

# The libtsan.so.2 that a program finds; nothing if it needs none.
library_of() # CC VARIANT
{
    local path=
    [ -z "$(environment_of "$1" "$2")" ] || path=$build/lib
    LD_LIBRARY_PATH=$path ldd "$work/$1/canary.$2" | sed -n 's/.*libtsan\.so\.2 => \(.*\) (.*/\1/p'
}

# The head of a table: when, of what, where.
describe() # WORDS ABOUT THE ROUNDS
{
    local cc
    echo "date      $(date -u '+%Y-%m-%d %H:%M UTC')"
    echo "commit    $(git describe --always --dirty 2>/dev/null || echo 'none')"
    echo "machine   $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores, load $(cut -d' ' -f1-3 /proc/loadavg) at the start"
    for cc in "${compilers[@]}"; do
        echo "compiler  $("$cc" --version | head -n 1)"
    done
    echo "rounds    $*"
}
