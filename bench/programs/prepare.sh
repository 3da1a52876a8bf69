# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
#
# What the executables here share, each of which knows one foreign program: called as `NAME DIR CC` from the root of the
# tree, it gets source and input ready and says on standard output, as shell assignments, how bench/build.mk
# builds the program and how bench/run runs it.  Ends with 2 and one sentence if that cannot be done.  Sources of
# packages and inputs lie beside DIR, since programs share them.
dir=$1 cc=$2 name=${0##*/}
mkdir -p "$dir"

fail()
{
    echo "bench: $name: $*" >&2
    exit 2
}

# Sets source to where the package is unpacked; FILE must be in it.
get_source() # PACKAGE FILE
{
    source=${dir%/*}/packages/$1
    [ -f "$source/$2" ] || tools/get-source "$1" "$source" || exit 2
    [ -f "$source/$2" ] || fail "the package $1 has another layout than expected (see $source)"
}

# Puts a file of ours beside the package's, where build.mk finds it.
add_file() # FILE
{
    cmp -s "bench/programs/$1" "$source/$1" || cp "bench/programs/$1" "$source/$1" || fail "$source cannot be written"
}

# Sets input to a file of that size, to be compressed.  Its name says what is inside, so that a new generator means a
# new file.
make_input() # MEGABYTES
{
    local recipe maker=${dir%/*}/input
    recipe=$(cat bench/programs/input.c bench/kernels/kernel.h | cksum | cut -d' ' -f1)
    input=$maker-$1-$recipe
    [ ! -f "$input" ] || return 0
    "$cc" -std=gnu17 -O2 -Wall -Wextra -I. bench/programs/input.c -o "$maker" ||
        fail "the maker of the input could not be compiled"
    "$maker" "$1" >"$input.part" || fail "the input could not be written"
    mv "$input.part" "$input"
}
