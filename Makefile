# SPDX-License-Identifier: Apache-2.0
#
# The door; CMake does the work (CMakePresets.json).
#
#   make          builds build/goldilocks and build/lib      make check    builds and runs all tests
#   make demo     finds a race in a real program             make bench    what watching and judging cost
#   make check-all   the same tests, each program with every compiler at every level, on every JDK: twice as long
#   make bench-java  what watching Java programs costs, with each detector that the agent has (bench/java)
#   make fuzz     bytes that nobody wrote, for FUZZ_SECONDS (default 600), into the readers of traces and classes
#   make real     builds the distribution's own programs and finds only their own races (docs/found-races.md); builds Rust's
#                 library instrumented and judges what it orders; has JVMs verify
#                 all classes of the JDKs and of the distribution's jars as the Java agent rewrites them
#   make llvm     runs LLVM's own tests of ThreadSanitizer with our runtime (tests/llvm)
#   make aarch64  builds for aarch64, and runs the tests under qemu (tests/aarch64)
#   make soak     makes and ends threads, mutexes, blocks, connections for SOAK_SECONDS (default 1800), and judges a trace of
#                 SOAK_EVENTS (default 1000000000) through a pipe: memory must not grow;
#                 then runs SOAK_PROGRAMS (default 2000) random programs (tests/mixed), and as many random scripts
#                 of locks (tests/lockorder) and scenarios of class initialization (tests/java/classes)
#   make install  to PREFIX (default /usr/local)             make clean    removes build/
#   make package  the same as an archive in build/, to be unpacked anywhere
#
# demo, check, check-all, fuzz, bench, bench-java, real, llvm and aarch64 first install missing Debian packages (tools/packages.txt).

CMAKE_GENERATOR ?= $(if $(shell command -v ninja),Ninja,Unix Makefiles)
export CMAKE_GENERATOR
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 600
SOAK_EVENTS ?= 1000000000
SOAK_PROGRAMS ?= 2000
SOAK_SECONDS ?= 1800
BUILD = cmake --build build -j $(JOBS) -- $$(test -f build/build.ninja && echo --quiet || echo -s --no-print-directory)

all: | build/CMakeCache.txt
	@$(BUILD)

# A configuration that failed (a package is missing) leaves a cache that is newer than nothing: the next make would not try again.
build/CMakeCache.txt:
	@cmake --preset release >/dev/null || { rm -f $@; exit 1; }

demo: packages-demo
	@$(MAKE) --no-print-directory all
	@examples/demo.sh build

check check-all: packages-check
	@cmake --preset check >/dev/null
	@$(BUILD)
	@ctest --preset $@ -j $(JOBS)

fuzz: packages-check
	@$(MAKE) --no-print-directory all
	@tests/fuzz/run --build-dir build --seconds $(FUZZ_SECONDS)
	@tests/fuzz/run_class --build-dir build --seconds $(FUZZ_SECONDS)

bench: packages-bench
	@$(MAKE) --no-print-directory all
	@status=0; for driver in 'run --rounds 3 --tools libtsan,ours,inline,helgrind,drd' startup atomics scaling goals traces; do \
		bench/$$driver --build-dir build || status=$$?; echo; done; exit $$status

# The detectors that we compare with judge under one lock: on full sizes each run would take minutes.
bench-java: packages-bench
	@$(MAKE) --no-print-directory all
	@status=0; for what in '--rounds 3 --modes plain,goldilocks,stopping' \
		'--rounds 3 --reduced --modes plain,goldilocks,fasttrack,vc,eraser' \
		'--rounds 1 --reduced --sweep --modes plain,goldilocks,fasttrack,vc,eraser'; do \
		bench/java/run --build-dir build $$what || status=$$?; echo; done; exit $$status

real: packages-real
	@$(MAKE) --no-print-directory all
	@tests/real/run --build-dir build --jobs $(JOBS)
	@tests/rust/run --build-dir build --jobs $(JOBS)
	@tests/languages/run --build-dir build
	@tests/java/real/run --build-dir build
	@tests/java/languages/run --build-dir build
	@tests/java/verify/run --build-dir build --all --jars /usr/share/java

llvm: packages-llvm
	@$(MAKE) --no-print-directory all
	@tests/llvm/run --build-dir build -j $(JOBS)

aarch64: packages-aarch64
	@$(MAKE) --no-print-directory all
	@tests/aarch64/run --jobs $(JOBS)

soak: all
	@tests/soak/run --build-dir build --seconds $(SOAK_SECONDS)
	@tests/cli/stream --build-dir build --events $(SOAK_EVENTS)
	@nice tests/mixed/run --build-dir build --programs $(SOAK_PROGRAMS)
	@nice tests/lockorder/run --build-dir build --programs $(SOAK_PROGRAMS)
	@nice tests/java/classes/run --build-dir build --programs $(SOAK_PROGRAMS)
	@nice tests/go/random --build-dir build --scenarios $(SOAK_PROGRAMS) || [ $$? -eq 77 ]

install: all
	@cmake --install build $(if $(PREFIX),--prefix $(PREFIX))

package: all
	@cd build && cpack -B . >cpack.log || { cat cpack.log >&2; exit 1; }
	@sed -n 's/^CPack: - package: \(.*\) generated.*/\1/p' build/cpack.log

clean:
	rm -rf build

packages-demo:
	@tools/install-packages build
packages-check:
	@tools/install-packages build check
packages-bench:
	@tools/install-packages build bench
packages-real:
	@tools/install-packages build real
packages-llvm:
	@tools/install-packages build llvm
packages-aarch64:
	@tools/install-packages build aarch64

.PHONY: all demo check check-all fuzz bench bench-java real llvm aarch64 soak install package clean packages-demo packages-check packages-bench packages-real packages-llvm packages-aarch64
