# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# Tests of the command, read by tests/cli/run: `goldilocks cc` and `c++`, help and the list of commands.

# ---- help and the list of commands ----------------------------------------------------------------

exact no-arguments "$gl"
exact help "$gl" help
exact help-option "$gl" --help
for c in cc c++ run options explain version help; do exact help-$c "$gl" help $c; done
exact run-help "$gl" run --help
exact cc-help "$gl" cc --help
exact help-unknown "$gl" help rum
exact help-two-words "$gl" help run cc
for c in cc c++ run record java go options analyze compare detectors generate convert dump explain report version help; do
    exits own-help-$c 0 sh -c "'$gl' $c --help >own && '$gl' help $c | cmp - own"
done
exact unknown-command "$gl" optoins
exact strange-command "$gl" zebra
exact unknown-option "$gl" --frobnicate
exits version 0 "$gl" --version
holds version-text out '^goldilocks [0-9][0-9.]*[^ ]*$'
exits output-full 2 sh -c "'$gl' help >/dev/full"

# ---- options --------------------------------------------------------------------------------------

exact options "$gl" options
exact options-word "$gl" options exitcode
exact options-unknown "$gl" options --xml
exits options-markdown 0 "$gl" options --markdown
if wanted options-page; then
    cmp out "$root/docs/options.md"
    verdict options-page $?
fi
exits options-java 0 "$gl" options --java
holds options-java-text out '^Options of the Java agent'
exits options-java-markdown 0 "$gl" options --java --markdown
if wanted options-java-page; then
    cmp out "$root/docs/java-options.md"
    verdict options-java-page $?
fi

# ---- cc: the command line --------------------------------------------------------------------------

export GOLDILOCKS_LIBDIR="$build/lib"
exact cc-compile fake cc --print-command -O2 -c a.c -o a.o
exact cc-ours-late fake cc --print-command -O2 --inline -c a.c
exact cc-ours-value fake cc --print-command -c a.c -o --inline
exact cc-link fake cc --print-command -o prog a.o -lm
exact cc-compile-and-link fake cc --print-command 'a file.c' "-DQUOTE='\"'"
exact cc-output-first fake cc --print-command -o a.c
exact cc-shared fake cc --print-command -shared -fPIC a.c -o liba.so
exact cc-preprocess fake cc --print-command -E a.c
exact cc-relocatable fake cc --print-command -r a.o b.o -o c.o
exact cc-header fake cc --print-command a.h -o a.h.gch
exact cc-header-language fake c++ --print-command -x c++-header a
exact cc-header-and-source fake cc --print-command a.h a.c
exact cc-no-input fake cc --print-command --version
exact cc-stdin fake cc --print-command -x c -
exact cc-static-libtsan fake cc --print-command a.c -static-libtsan
exact cc-d fake cc --print-command -c a.d
exact cc-cxx-inside fake c++ --print-command -static-libstdc++ a.cc
exact cc-cxx-inside-static-runtime fake c++ --print-command --static-runtime -static-libstdc++ a.cc
exact cc-static fake cc --print-command -static a.c
exact cc-static-sanitize fake cc --print-command -fsanitize=thread -static a.c -fsanitize=undefined,thread -fsanitize=thread,leak,thread
exact cc-static-pie-cxx fake c++ --print-command -static-pie a.cc
exact cc-static-only-compiles fake cc --print-command -static -c a.c
exact cc-static-libcxx fake c++ -static -stdlib=libc++ a.cc
mkdir -p bare && cp "$build/lib/libtsan.so.2" bare/
exact cc-static-missing with GOLDILOCKS_LIBDIR=bare PATH="$box/fake:$PATH" "$gl" cc -static a.c
exact cc-lto fake cc --print-command -flto -c a.c
exact cc-nothing fake cc
exact cc-only-ours fake cc --print-command
# By one word, from any folder.
for name in cc c++; do
    exits cc-by-link-$name 0 sh -c "'$gl' $name --print-command -O2 a.c >words && ln -sf '$gl' goldilocks-$name && ./goldilocks-$name --print-command -O2 a.c | cmp - words"
done
ln -sf "$gl" goldilocks-zebra
exits cc-by-other-link 0 ./goldilocks-zebra --version
export GOLDILOCKS_CC=clang-14
exact cc-clang-compile fake cc --print-command -c a.c
exact cc-clang-static fake cc --print-command -static a.c
exact cc-clang-lto fake cc --print-command -O2 -flto=thin a.c -o a
exact cc-clang-link fake cc --print-command -x c a.c
exact cc-runtime-inside fake cc --static-runtime --print-command -x c a.c
exact cc-runtime-inside-library fake cc --static-runtime --print-command -shared a.o
exact cc-runtime-inside-compile fake cc --static-runtime --print-command -c a.c
exact cc-runtime-inside-missing with GOLDILOCKS_LIBDIR=bare PATH="$box/fake:$PATH" "$gl" cc --static-runtime a.c
exact cc-inline-compile fake cc --inline --print-command -c a.c
exact cc-inline-link fake cc --print-command --inline a.o -o a
exact cc-inline-no-lto fake cc --print-command --inline -fno-lto a.c -o a
# With the passes for clang 19, whichever were built.
export GOLDILOCKS_CC=clang-19
cp -rs "$build/lib" lib19
for pass in complete rows; do rm -f lib19/$pass-19.so && echo >lib19/$pass-19.so; done
exact cc-inline-rows with GOLDILOCKS_LIBDIR="$box/lib19" PATH="$box/fake:$PATH" "$gl" cc --inline --print-command -c a.c
exact cc-clang-complete with GOLDILOCKS_LIBDIR="$box/lib19" PATH="$box/fake:$PATH" "$gl" cc --print-command -c a.c
# Another clang 19 than the one that the passes were made for.
printf '#!/bin/sh\necho "clang version 19.1.7"\necho "InstalledDir: /opt/llvm-19/bin"\n' >fake/clang-elsewhere
chmod +x fake/clang-elsewhere
export GOLDILOCKS_CC=clang-elsewhere
exact cc-clang-elsewhere fake cc --inline --print-command -c a.c
# A gcc of the distribution, behind a script; and one of the same version that is not.
mkdir -p passes && cp "$build/lib/libtsan.so.2" passes/ && echo >passes/complete-gcc-12.so
for by in Debian GCC; do
    printf '#!/bin/sh\necho "gcc (%s 12.2.0-14) 12.2.0"\necho "Copyright (C) 2022 Free Software Foundation, Inc."\n' $by >fake/gcc-by-$by
    chmod +x fake/gcc-by-$by
    export GOLDILOCKS_CC=gcc-by-$by
    exits cc-gcc-complete-$by 0 with GOLDILOCKS_LIBDIR="$box/passes" PATH="$box/fake:$PATH" "$gl" cc --print-command -c a.c
    if [ $by = Debian ]; then verb=holds; else verb=lacks; fi
    $verb cc-gcc-complete-$by-pass out " -fplugin=$box/passes/complete-gcc-12.so -c a.c"
done
export GOLDILOCKS_CC=clang-14
exact cxx-clang-derived fake c++ --print-command -c a.cc
export GOLDILOCKS_CC="$box/fake/gcc-12"
exact cc-runtime-inside-gcc fake cc --static-runtime --print-command a.c
exact cc-runtime-inside-gcc-library fake cc --print-command -static-libtsan -shared a.o
exact cc-inline-gcc fake cc --inline --print-command -pipe -c a.c
exact cc-inline-gcc-intel fake cc --inline -masm=att -masm=intel -c a.c
exact cxx-gcc-derived fake c++ --print-command -c a.cc
export GOLDILOCKS_CC=cc
exact cxx-cc-derived fake c++ --print-command -c a.cc
exact cxx-own with GOLDILOCKS_CXX="$box/fake/clang++-14" "$gl" c++ --print-command -c a.cc
# A clang whose file tells its version is not started to be asked: here it is `echo`, which GNU's words would make a gcc.
mkdir -p by-file/llvm-19/bin && cp "$(readlink -f /bin/echo)" by-file/llvm-19/bin/clang
for name in clang-20 clang-20x; do cp by-file/llvm-19/bin/clang "by-file/$name"; done
ln -s llvm-19/bin/clang by-file/any
for name in any llvm-19/bin/clang clang-20; do
    export GOLDILOCKS_CC="$box/by-file/$name"
    exits cc-clang-by-file 0 "$gl" cc -c a.c
    holds cc-clang-by-file-runs out '^-fsanitize=thread .*-c a.c'
    lacks cc-clang-by-file-is-clang out '-Wno-tsan'
done
export GOLDILOCKS_CC="$box/by-file/clang-20x"
exits cc-clang-by-file-not 0 "$gl" cc -c a.c
holds cc-clang-by-file-asked out '-Wno-tsan'
# Nor is such a gcc: here it is a shell, which would answer as neither.
for name in gcc-20 x86_64-linux-gnu-g++-9 gcc-20x xgcc-20 gcc- gcc; do cp "$(readlink -f /bin/sh)" "by-file/$name"; done
for name in gcc-20 x86_64-linux-gnu-g++-9; do
    export GOLDILOCKS_CC="$box/by-file/$name"
    exits cc-gcc-by-file 0 "$gl" cc --print-command -c a.c
    holds cc-gcc-by-file-is-gcc out '-Wno-tsan'
done
for name in gcc-20x xgcc-20 gcc- gcc; do
    export GOLDILOCKS_CC="$box/by-file/$name"
    exits cc-gcc-by-file-not 2 "$gl" cc --print-command -c a.c
    holds cc-gcc-by-file-asked err 'is neither gcc nor clang'
done
export GOLDILOCKS_CC=tcc
exact cc-neither fake cc a.c
exact cxx-underivable with GOLDILOCKS_CC=intel "$gl" c++ -c a.cc
export GOLDILOCKS_CC=clang-11
exact cc-too-old fake cc a.c
export GOLDILOCKS_CC=no-such-compiler
exact cc-missing-compiler "$gl" cc a.c
export GOLDILOCKS_CC='ccache gcc'
exact cc-two-words "$gl" cc a.c
unset GOLDILOCKS_CC
mkdir -p no-programs
exact cc-missing-gcc with PATH=no-programs "$gl" cc a.c
exact cxx-missing-gcc with PATH=no-programs "$gl" c++ a.cc
exact cc-bad-libdir with GOLDILOCKS_LIBDIR="$box/fake" "$gl" cc plain.c
mkdir -p 'co:lon' && cp "$build/lib/libtsan.so.2" 'co:lon'
exact cc-colon-libdir with GOLDILOCKS_LIBDIR="$box/co:lon" "$gl" cc plain.c
mkdir -p 'e=qual' && cp "$build/lib/libtsan.so.2" 'e=qual' && : >'e=qual/libgoldilocks_java.so'
exact java-dashes "$gl" java -jar app.jar

# A go command that says of itself what it is told, and what it was started with.
mkdir -p goroot/bin goroot/src/runtime/race/testdata goroot/misc
ln -s nowhere goroot/misc/gone
ln -s nowhere goroot/gone
: >goroot/src/runtime/race/race.go
: >goroot/src/runtime/race/race_linux_amd64.syso
: >goroot/src/runtime/race/race_darwin_arm64.syso
cat >goroot/bin/go <<'END'
#!/bin/sh
if [ "$1" = env ]; then
    printf '%s\n' "$BOX/goroot" "${VERSION-go1.99}" "${SYSTEM-linux}" amd64 "-trimpath"
else
    [ "$GOROOT/bin/go" = "$0" ] && echo "$GOFLAGS $CGO_ENABLED $GO_EXTLINK_ENABLED $GOTOOLCHAIN $GOROOT_FINAL: $*"
    cd "$GOROOT" && ls . src/runtime/race && cmp src/runtime/race/race_linux_amd64.syso "$SYSO"
fi
END
chmod +x goroot/bin/go
fake_go() { BOX=$box SYSO=$build/lib/go/race_linux_amd64.syso XDG_CACHE_HOME=$box/cache GOLDILOCKS_LIBDIR=${folder-} "$gl" go --go "$box/goroot/bin/go" "$@"; }
exact go-no-words "$gl" go
exact go-not-found "$gl" go --go ./no-such-go build
if [ -e "$build/lib/go/race_linux_amd64.syso" ]; then
    exact go-tree fake_go build -o 'x y' .
    exact go-tree-again fake_go vet
    # Another file of Go's in the same place; links that are gone; a runtime that was moved.
    : >goroot/src/runtime/race/more.go
    exact go-tree-upgraded fake_go vet
    rm cache/goldilocks/*/src/runtime/race/race_linux_amd64.syso
    exact go-tree-mended fake_go vet
    mkdir -p from/go && cp "$build"/lib/go/*.syso from/go && cp "$build"/lib/libtsan.so.2 from
    folder=$box/from
    exits go-tree-from 0 fake_go vet
    mv from to
    folder=$box/to
    exact go-tree-moved fake_go vet
    unset folder
    exits go-trees-only 0 test -z "$(ls cache/goldilocks | grep new)"
    exact go-other-system with SYSTEM=windows BOX="$box" "$gl" go --go "$box/goroot/bin/go" build
    exact go-no-cache with BOX="$box" XDG_CACHE_HOME=/proc/nowhere "$gl" go --go "$box/goroot/bin/go" build
fi
exact java-equals-libdir with GOLDILOCKS_LIBDIR="$box/e=qual" "$gl" java -- -version
# Our headers are found where the compiler looks last: a folder of the user's of the same name is found before.
mkdir -p mine/goldilocks && echo 'int own_header;' >mine/goldilocks/race.h
printf '#include <goldilocks/race.h>\n#include <goldilocks/annotate.h>\nint *header = &own_header;\n' >headers.c
exits cc-headers-own 0 "$gl" cc -Werror -idirafter mine -c headers.c -o headers.o
exits cc-bad-libdir-compiles 0 with GOLDILOCKS_LIBDIR="$box/fake" "$gl" cc -c plain.c -o plain.o
unset GOLDILOCKS_LIBDIR

# ---- cc and run: what is built works ----------------------------------------------------------------

exits cc-broken-source 1 "$gl" cc broken.c -o broken
holds cc-broken-says-why err 'broken.c:1:.*error'
compilers=gcc
for c in clang clang-19; do command -v $c >/dev/null && compilers="$compilers $c"; done
cat >inside.c <<'END'
#ifdef LIBRARY
int x;
void touch(void) { x++; }
#else
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
static void *work(void *f) { ((void (*)(void))f)(); return 0; }
int main(int argc, char **argv)
{
    void *library = dlopen(argv[argc - 1], RTLD_NOW), *f = library ? dlsym(library, "touch") : 0;
    char line[4096];
    int count = 0;
    pthread_t a, b;
    if (!f) return puts(dlerror()), 1;
    pthread_create(&a, 0, work, f);
    pthread_create(&b, 0, work, f);
    pthread_join(a, 0);
    pthread_join(b, 0);
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps)) count += strstr(line, "libtsan") != 0;
    printf("%d libraries named libtsan\n", count);
    return 0;
}
#endif
END

for c in $compilers; do
    export GOLDILOCKS_CC=$c
    exits $c-build 0 "$gl" cc -Wall -Werror -O2 plain.c -o plain-$c
    exits $c-direct 7 ./plain-$c 7 'two words'
    exits $c-run 7 "$gl" run ./plain-$c 7 'two words'
    holds $c-run-arguments out '^two words$'
    exits $c-compile 0 "$gl" cc -Werror -c racy.c -o racy-$c.o
    exits $c-link 0 "$gl" cc -Werror racy-$c.o -o racy-$c
    exits $c-race 66 "$gl" run ./racy-$c
    holds $c-race-output out '^done$'
    holds $c-race-report err 'WARNING: Goldilocks: data race'
    holds $c-race-line err 'racy.c:9'
    exits $c-race-direct 66 ./racy-$c
    exits $c-fence 0 "$gl" cc -Wall -Wextra -Werror -c fence.c -o fence-$c.o
    exits $c-shared 0 "$gl" cc -Werror -shared -fPIC lib.c -o lib-$c.so
    exits $c-use-shared 0 "$gl" cc uselib.c "$box/lib-$c.so" -o uselib-$c
    exits $c-run-shared 42 "$gl" run ./uselib-$c
    exits $c-c++ 0 "$gl" c++ -x c++ plain.cc -o plain-cc-$c
    exits $c-run-c++ 5 "$gl" run ./plain-cc-$c 5
    # What checks undefined behaviour is a part of the runtime that ours replaces, with clang; it comes with either.
    if "$c" -fsanitize=undefined plain.c -o ubsan >/dev/null 2>&1; then
        exits $c-ubsan-compile 0 "$gl" cc -Werror -fsanitize=undefined -c overflow.c -o overflow-$c.o
        exits $c-ubsan-link 0 "$gl" cc -Werror -fsanitize=undefined overflow-$c.o -o overflow-$c
        exits $c-ubsan-run 66 "$gl" run ./overflow-$c
        holds $c-ubsan-race err 'WARNING: Goldilocks: data race'
        holds $c-ubsan-told err 'runtime error: signed integer overflow'
        exits $c-ubsan-at-once 0 "$gl" cc -Werror -fsanitize=thread,undefined overflow.c -o overflow-$c
        exits $c-ubsan-at-once-run 66 ./overflow-$c
        holds $c-ubsan-at-once-told err 'runtime error: signed integer overflow'
    fi
    exits $c-builtins 0 "$gl" c++ -Werror -Wno-nonnull -std=c++17 -x c++ -c constant.cc -o constant-$c.o
    exits $c-builtins-cc 0 "$gl" cc -Werror -Wno-nonnull -std=c++17 -c constant.cc -o constant-$c.o
    # A library has no runtime of its own: it finds the program's, also when it is opened.
    exits $c-inside-library 0 "$gl" cc --static-runtime -Werror -O1 -fPIC -shared -DLIBRARY inside.c -o libinside-$c.so
    exits $c-inside-link 0 "$gl" cc --static-runtime -Werror -O1 inside.c -o inside-$c
    exits $c-inside-race 66 "./inside-$c" "./libinside-$c.so"
    holds $c-inside-line err '#0 touch .*inside.c:3'
    exits $c-inside-run 66 "$gl" run "./inside-$c" "./libinside-$c.so"
    holds $c-inside-none out '^0 libraries named libtsan$'
    exits $c-outside-library 0 "$gl" cc -Werror -O1 -fPIC -shared -DLIBRARY inside.c -o liboutside-$c.so
    exits $c-inside-two 2 "./inside-$c" "./liboutside-$c.so"
    holds $c-inside-two-says err '^goldilocks: this program has a runtime inside (--static-runtime), and loads a library that was linked with another'
    exits $c-inside-c++ 0 "$gl" c++ --static-runtime -Werror -O2 -x c++ plain.cc -o plain-inside-$c
    exits $c-inside-run-c++ 5 ./plain-inside-$c 5
    exits $c-inside-inline 0 "$gl" cc --static-runtime --inline -Werror -O2 racy.c -o racy-inside-$c
    exits $c-inside-inline-race 66 ./racy-inside-$c
    # As build files of the compilers' own say it.
    exits $c-inside-words 0 "$gl" cc -static-libtsan -static-libsan -Werror -O1 inside.c -o words-$c
    exits $c-inside-words-race 66 "./words-$c" "./libinside-$c.so"
    holds $c-inside-words-none out '^0 libraries named libtsan$'
    if [ "$c" = gcc ]; then
        exits $c-inside-ubsan 0 "$gl" cc --static-runtime -Werror -fsanitize=undefined overflow.c -o overflow-inside-$c
        exits $c-inside-ubsan-race 66 ./overflow-inside-$c
        holds $c-inside-ubsan-told err 'runtime error: signed integer overflow'
    else
        exits $c-inside-ubsan 2 "$gl" cc --static-runtime -Werror -fsanitize=undefined overflow.c -o overflow-inside-$c
        holds $c-inside-ubsan-says err 'do not go together'
    fi
    exits $c-inline-compile 0 "$gl" cc --inline -Wall -Werror -O2 -c racy.c -o racy-inline-$c.o
    exits $c-inline-link 0 "$gl" cc --inline -Werror racy-inline-$c.o -o racy-inline-$c
    exits $c-inline-race 66 "$gl" run ./racy-inline-$c
    holds $c-inline-line err '#0 .*racy.c:9'
    exits $c-inline-c++ 0 "$gl" c++ --inline -Werror -O2 -x c++ plain.cc -o plain-inline-$c
    exits $c-inline-run-c++ 5 "$gl" run ./plain-inline-$c 5
done
unset GOLDILOCKS_CC

exits gcc-own-link 0 gcc -fsanitize=thread maps.c -o maps
exits gcc-own-run 0 "$gl" run ./maps
holds gcc-own-has-ours out "^$(realpath "$build/lib/libtsan.so.2")\$"
# gcc 11's has another name there, so that both would be loaded.
if [ "$(gcc -dumpversion | sed 's/\..*//')" -ge 12 ]; then
    exits gcc-rpath-link 0 gcc -fsanitize=thread "-Wl,--disable-new-dtags,-rpath,$(dirname "$(realpath "$(gcc -print-file-name=libtsan.so)")")" maps.c -o maps-rpath
    exits gcc-rpath-run 0 "$gl" run ./maps-rpath
    holds gcc-rpath-has-ours out "^$(realpath "$build/lib/libtsan.so.2")\$"
    if wanted gcc-rpath-only-ours; then
        [ "$(sort -u out | wc -l)" -eq 1 ]
        verdict gcc-rpath-only-ours $?
    fi
fi

if command -v valgrind >/dev/null; then
    exits valgrind 2 valgrind -q ./racy-gcc
    holds valgrind-says-why err 'runs under Valgrind'
fi
