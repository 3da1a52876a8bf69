# SPDX-License-Identifier: Apache-2.0
"""How lit runs LLVM's tests of ThreadSanitizer here: what their RUN lines mean on x86-64 Linux with clang. It takes the place of
compiler-rt's own lit.cfg.py, which wants a configured build of LLVM. tests/llvm/run gives the parameters."""

import os

import lit.formats

source, build, clang, output = (lit_config.params[name] for name in ("source", "build", "clang", "output"))  # noqa: F821  (lit gives these two)
common = config.suite == "sanitizer_common"  # noqa: F821  the functions and options that all sanitizers have; the other one is tsan
clangxx = os.path.join(os.path.dirname(clang), os.path.basename(clang).replace("clang", "clang++"))
own = lit_config.params["runtime"] == "own"  # noqa: F821

config.name = config.suite  # noqa: F821
config.test_format = lit.formats.ShTest(execute_external=True)  # noqa: F821
config.recursiveExpansionLimit = 10  # noqa: F821
config.test_source_root = os.path.join(source, "sanitizer_common", "TestCases") if common else os.path.join(source, "tsan")  # noqa: F821
config.test_exec_root = os.path.join(output, config.suite)  # noqa: F821
config.suffixes = [".c", ".cpp"]  # noqa: F821
config.excludes = ["Darwin", "FreeBSD", "NetBSD", "Unit", "libcxx", "libdispatch"]  # noqa: F821  of other systems; of libraries that must be built for them
config.host_os = "Linux"  # noqa: F821  the folders' lit.local.cfg.py read it
libc = tuple(map(int, os.confstr("CS_GNU_LIBC_VERSION").split()[1].split(".")))
config.available_features |= {"linux", "x86_64-linux", "x86_64-target-arch", "stable-runtime", "shared_unwind", "Clang"}  # noqa: F821
config.available_features |= {"tsan", "glibc", "shell", "compiler-rt-optimized", "target=x86_64-pc-linux-gnu"}  # noqa: F821
config.available_features |= {f"glibc-2.{minor}" for minor in (19, 27, 30, 33, 34, 37, 38, 40) if libc >= (2, minor)}  # noqa: F821

environment = {"TSAN_OPTIONS": "atexit_sleep_ms=0", "PATH": os.path.dirname(os.path.realpath(clang)) + ":" + os.environ["PATH"]}
if own:
    c, cxx = build + "/goldilocks cc", build + "/goldilocks c++"
    environment.update(GOLDILOCKS_OPTIONS="format=tsan", GOLDILOCKS_CC=clang, GOLDILOCKS_CXX=clangxx)
else:
    c, cxx = clang + " -fsanitize=thread", clangxx + " -fsanitize=thread"
config.environment.update(environment)  # noqa: F821
flags = f" -gline-tables-only -m64 -I{source} "
more = f"-Wall -msse4.2 {flags}"
options = "env TSAN_OPTIONS=atexit_sleep_ms=0:"

config.substitutions += [  # noqa: F821
    ("%clang_tsan ", f"{c} {more}"),
    ("%clangxx_tsan ", f"{cxx} {more}-std=c++11 "),
    ("%clang ", f"{c} {flags}-ldl "),
    ("%clangxx ", f"{cxx} {flags}-ldl "),
    ("%env_tsan_opts=", options),
    ("%env_tool_opts=", options),
    ("%tool_options", "TSAN_OPTIONS"),
    ("%tool_name", "tsan"),
    ("%collect_stack_traces", ""),
    ("%deflake ", source + "/tsan/deflake.bash 10 "),
    ("%run ", f"timeout {lit_config.params['timeout']} "),  # noqa: F821
    ("CHECK-%os", "CHECK-Linux"),
    ("%dynamiclib", "%T/lib%basename_t.dynamic.so"),
    ("%ld_flags_rpath_exe", r"-Wl,-rpath,\$ORIGIN -L%T -l%basename_t.dynamic"),
    ("%ld_flags_rpath_so", ""),
    ("%link_libcxx_tsan", ""),
    ("%darwin_min_target_with_tls_support", ""),
]
