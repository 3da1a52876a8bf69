# SPDX-License-Identifier: Apache-2.0
#
# All tests, for CTest.  A new file tests/unit/X_test.c or tests/differential/X_test.c is a new test
# unit/X or differential/X.  Labels are the names of the folders: `ctest --preset check -L unit`.

enable_testing()
find_library(GL_CMOCKA NAMES cmocka)
find_path(GL_CMOCKA_INCLUDE NAMES cmocka.h)
if(NOT GL_CMOCKA OR NOT GL_CMOCKA_INCLUDE)
    message(FATAL_ERROR "cmocka was not found; install Debian's package libcmocka-dev (tools/install-packages check)")
endif()

file(GLOB support CONFIGURE_DEPENDS tests/support/*.c)
add_library(gl_test_support STATIC ${support})
target_compile_definitions(gl_test_support PUBLIC _GNU_SOURCE)
target_link_libraries(gl_test_support PUBLIC gl_common Threads::Threads)

# The detector with planted mistakes that a test can switch on.
add_library(libgoldilocks_mutants STATIC ${gl_core_sources} ${gl_peers_sources})
target_compile_definitions(libgoldilocks_mutants PUBLIC GL_MUTANTS)
target_link_libraries(libgoldilocks_mutants PUBLIC gl_common)

function(gl_test folder file detector)
    cmake_path(GET file STEM name)
    string(REGEX REPLACE "_test$" "" short ${name})
    add_executable(${folder}_${name} ${file})
    set_target_properties(${folder}_${name} PROPERTIES OUTPUT_NAME ${name}
        RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/${folder} ENABLE_EXPORTS ON)
    target_link_libraries(${folder}_${name} PRIVATE gl_test_support ${detector} gl_common ${ARGN})
    add_test(NAME ${folder}/${short} COMMAND ${folder}_${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${folder}/${short} PROPERTIES LABELS ${folder} TIMEOUT 600)
endfunction()

# The class rewriter of the Java front end needs no JVM.
file(GLOB java_rewriter CONFIGURE_DEPENDS java/classfile*.c java/code*.c java/rewrite*.c)
add_library(gl_java_rewriter STATIC EXCLUDE_FROM_ALL ${java_rewriter})
target_link_libraries(gl_java_rewriter PUBLIC gl_common)

file(GLOB unit_tests CONFIGURE_DEPENDS tests/unit/*_test.c)
foreach(file ${unit_tests})
    gl_test(unit ${file} gl_trace libgoldilocks gl_symbol gl_options gl_platform gl_java_rewriter ${GL_CMOCKA})
    # cmocka 2 has other names for assert_in_range, which version 1 does not know.
    set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS -Wno-deprecated-declarations)
endforeach()
target_sources(unit_cli_env_test PRIVATE ${PROJECT_SOURCE_DIR}/cli/env.c)
# The assembler reads a file of its own, which it does not find by the compiler's -I.
target_compile_definitions(unit_native_inline_test PRIVATE GL_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
set_source_files_properties(tests/unit/native_inline_test.c PROPERTIES OBJECT_DEPENDS ${PROJECT_SOURCE_DIR}/native/inline.s)
file(GLOB differential_tests CONFIGURE_DEPENDS tests/differential/*_test.c)
foreach(file ${differential_tests})
    if(file MATCHES "/mutation_test\\.c$")
        gl_test(differential ${file} libgoldilocks_mutants)
    else()
        gl_test(differential ${file} libgoldilocks)
    endif()
endforeach()
gl_test(spec tests/spec/traces_test.c gl_trace libgoldilocks)

# The rest runs what it builds, and many compilers: tests/aarch64/run does what an emulator can.
if(CMAKE_CROSSCOMPILING)
    return()
endif()

# ---- tests of the products as users meet them ---------------------------------------------------------------
# Scripts that end with 0 when all is well.  Those that keep both processors busy run alone.  --half: every second way
# to run a program, but all of them with GOLDILOCKS_CHECK=all in the environment (make check-all; tests/support/half.py).

# The scripts begin with `env python3`. Where that is a script itself, which looks for the interpreter (pyenv), it takes ten times as long as Python.
execute_process(COMMAND python3 -c "import os, sys; print(os.path.realpath(sys.executable))" OUTPUT_VARIABLE gl_python OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/tests/bin)
file(CREATE_LINK ${gl_python} ${CMAKE_BINARY_DIR}/tests/bin/python3 SYMBOLIC)

function(gl_script name label script)
    if(NOT EXISTS ${PROJECT_SOURCE_DIR}/${script})
        message(FATAL_ERROR "the test ${name} has no script: ${script} does not exist")
    endif()
    add_test(NAME ${name} COMMAND ${PROJECT_SOURCE_DIR}/${script} ${ARGN} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT 1200 ENVIRONMENT_MODIFICATION PATH=path_list_prepend:${CMAKE_BINARY_DIR}/tests/bin)
endfunction()

if(NOT GL_SANITIZE)
    gl_script(cli cli tests/cli/run --build-dir ${CMAKE_BINARY_DIR})
    gl_script(cli/stream cli tests/cli/stream --build-dir ${CMAKE_BINARY_DIR} --events 50000000)
    gl_script(programs programs tests/programs/run --half --build-dir ${CMAKE_BINARY_DIR})
    # Again without the fast paths of owned pages, whose slow twin is every cell's lock.
    gl_script(programs/locked programs tests/programs/run --half --build-dir ${CMAKE_BINARY_DIR} --cc gcc -O 2 --options page_owners=no)
    # Where there is no pass for gcc, other flags keep it from expanding calls of libc's functions.
    gl_script(programs/bare programs tests/programs/run --build-dir ${CMAKE_BINARY_DIR} --cc gcc -O 2 --without-passes builtin mem_ range_ cases_fort)
    # Linked with -static: what stacks, ends, blocks and libc's own calls need is found in another way there.
    gl_script(programs/static programs tests/programs/run --half --build-dir ${CMAKE_BINARY_DIR} --cc gcc -O 2 --flags=-static
              stack_ exit_ heap_ str_ thread_ cond_ sem_ signal_ fork_ cxx_)
    gl_script(native/ways ways tests/ways/run --build-dir ${CMAKE_BINARY_DIR})
    gl_script(native/languages ways tests/languages/run --build-dir ${CMAKE_BINARY_DIR})
    # With the filter in the program's own code: what accesses memory in many ways.
    gl_script(programs/inline programs tests/programs/run --half --build-dir ${CMAKE_BINARY_DIR} -O 2 --inline
              range_ struct byte size bit unaligned atomic_ signal_ fork_ cxx_)
    gl_script(exact/inline exact tests/exact/run --build-dir ${CMAKE_BINARY_DIR} --runs 3 --inline)
    # The distribution's clang, and one for which there is the pass that tells what loops access (native/llvm): 19 where there is one.
    execute_process(COMMAND clang -dumpversion OUTPUT_VARIABLE clang_version ERROR_QUIET)
    string(REGEX MATCH "^[0-9]+" clang_version "${clang_version}")
    set(rows_version)
    foreach(version ${pass_rows})
        find_program(GL_CLANG_${version} clang-${version})
        mark_as_advanced(GL_CLANG_${version})
        if(GL_CLANG_${version} AND NOT rows_version EQUAL 19)
            set(rows_version ${version})
        endif()
    endforeach()
    if(NOT TARGET complete_${clang_version} OR NOT pass_gccs)
        message(FATAL_ERROR "The passes for gcc and the distribution's clang are not built; install what is missing by tools/install-packages build check")
    endif()
    gl_script(complete exact tests/complete/run --build-dir ${CMAKE_BINARY_DIR} --programs 8)
    if(rows_version)
        set(rows_clang clang-${rows_version})
        gl_script(rows exact tests/rows/run --build-dir ${CMAKE_BINARY_DIR} --cc ${rows_clang} --programs 14)
        gl_script(programs/rows programs tests/programs/run --half --build-dir ${CMAKE_BINARY_DIR} --cc ${rows_clang} -O 2 --inline
                  array_ range_ struct_ byte_ bit unaligned signal_ heap_ loop_r)
        gl_script(exact/rows exact tests/exact/run --build-dir ${CMAKE_BINARY_DIR} --cc ${rows_clang} --runs 2 --inline)
    else() # Ubuntu 22.04 has none
        add_test(NAME rows COMMAND sh -c "echo 'no clang 16 or later with its headers (packages clang-19, llvm-19-dev)' && exit 77")
        set_tests_properties(rows PROPERTIES LABELS exact SKIP_RETURN_CODE 77)
    endif()
    gl_script(exact exact tests/exact/run --build-dir ${CMAKE_BINARY_DIR})
    gl_script(mixed exact tests/mixed/run --build-dir ${CMAKE_BINARY_DIR} --programs 24)
    gl_script(lockorder exact tests/lockorder/run --build-dir ${CMAKE_BINARY_DIR} --programs 40)
    if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
        gl_script(foreign exact tests/foreign/run --build-dir ${CMAKE_BINARY_DIR} --programs 12)
    endif()
    if(CMAKE_BUILD_TYPE STREQUAL "Release")
        gl_script(cost cost tests/cost/run --build-dir ${CMAKE_BINARY_DIR})
        set_tests_properties(cost PROPERTIES SKIP_RETURN_CODE 77)
    endif()
    # The core under the runtime that is made of it.
    gl_script(self exact tests/self/run --build-dir ${CMAKE_BINARY_DIR} --runs 10)
    gl_script(openmp openmp tests/openmp/run --build-dir ${CMAKE_BINARY_DIR})
    gl_script(exact/sample exact tests/exact/sample --build-dir ${CMAKE_BINARY_DIR})
    gl_script(record/programs record tests/record/run --half --build-dir ${CMAKE_BINARY_DIR})
    gl_script(record/ends record tests/record/ends --build-dir ${CMAKE_BINARY_DIR})
    # With its build, a minute on one processor.
    gl_script(fuzz/trace fuzz tests/fuzz/run --build-dir ${CMAKE_BINARY_DIR} --runs 12000)
    gl_script(fuzz/class fuzz tests/fuzz/run_class --build-dir ${CMAKE_BINARY_DIR} --runs 20000)
    if(TARGET go_runtime)
        gl_script(go go tests/go/run --build-dir ${CMAKE_BINARY_DIR})
        gl_script(go/random go tests/go/random --build-dir ${CMAKE_BINARY_DIR} --scenarios 40)
        set_tests_properties(go go/random PROPERTIES SKIP_RETURN_CODE 77 PROCESSORS 2)
    endif()
    if(NOT TARGET libgoldilocks_java)
        message(FATAL_ERROR "The Java agent is not built; install Debian's package openjdk-17-jdk-headless (tools/install-packages build)")
    else()
        gl_script(java/verify java tests/java/verify/run --build-dir ${CMAKE_BINARY_DIR})
        gl_script(java/runtime java tests/java/runtime/run ${CMAKE_BINARY_DIR})
        gl_script(java/record java tests/java/record/run --half --build-dir ${CMAKE_BINARY_DIR} --jobs 2)
        foreach(judge vc fasttrack eraser)
            gl_script(java/record/${judge} java tests/java/record/run --build-dir ${CMAKE_BINARY_DIR} --jobs 2 --judge ${judge} SyncB Volatile)
        endforeach()
        gl_script(java/programs/fasttrack java tests/java/run --build-dir ${CMAKE_BINARY_DIR} --jobs 2 --detector fasttrack Stop VirtualStart VirtualPublish)
        # What is kept of objects goes with them, whoever collects them; the other tests take the serial collector.
        foreach(collector G1 Parallel Z)
            gl_script(java/programs/${collector} java tests/java/run --build-dir ${CMAKE_BINARY_DIR} --jobs 2
                      --jvm=-XX:+Use${collector}GC Garbage FinalizerOrder CleanerOrder)
        endforeach()
        gl_script(java/start java tests/java/start/run --build-dir ${CMAKE_BINARY_DIR})
        gl_script(java/options java tests/java/options/run --build-dir ${CMAKE_BINARY_DIR})
        gl_script(java/bench java tests/java/bench/run ${CMAKE_BINARY_DIR})
        gl_script(java/natives java tests/java/natives/run --build-dir ${CMAKE_BINARY_DIR})
        gl_script(java/agents java tests/java/agents/run --build-dir ${CMAKE_BINARY_DIR})
        gl_script(java/classes java tests/java/classes/run --build-dir ${CMAKE_BINARY_DIR} --programs 60)
        gl_script(java/debugger java tests/java/debugger/run --build-dir ${CMAKE_BINARY_DIR})
        gl_script(java/jfr java tests/java/jfr/run --build-dir ${CMAKE_BINARY_DIR})
        gl_script(java/programs java tests/java/run --half --build-dir ${CMAKE_BINARY_DIR} --jobs 2)
    endif()
    foreach(test programs programs/locked programs/static programs/inline programs/rows exact exact/inline exact/rows mixed record/programs java/programs java/record)
        if(TEST ${test})
            set_tests_properties(${test} PROPERTIES RUN_SERIAL ON)
        endif()
    endforeach()
    # The others share the processors, the longest of them first: none is left alone at the end.
    set_tests_properties(fuzz/trace PROPERTIES COST 100)
    set_tests_properties(native/ways java/verify differential/differential openmp self java/runtime PROPERTIES COST 50)
    set_tests_properties(cli/stream java/record/vc java/record/fasttrack java/record/eraser java/programs/fasttrack java/programs/G1 java/programs/Parallel
                         java/programs/Z PROPERTIES PROCESSORS 2)
    # It takes the binaries of the other.
    set_tests_properties(programs/locked record/programs PROPERTIES DEPENDS programs)
endif()

# ---- tests of the build ----------------------------------------------------------------------------------

gl_script(build/includes build tools/check_includes)
gl_script(build/pairs build tools/check_pairs)
gl_script(build/exercised build tools/check_exercised)
gl_script(build/docs build tools/check_docs --command $<TARGET_FILE:goldilocks_command>)
gl_script(build/tools build tests/build/tools_test)
gl_script(build/headers build tests/build/headers_test)
gl_script(build/clang build tests/build/clang_test)
if(NOT GL_SANITIZE)
    gl_script(build/install build tests/build/install_test ${CMAKE_BINARY_DIR})
    set(detector_objects "$<FILTER:$<TARGET_OBJECTS:gl_detector_objects>,INCLUDE,/(core|peers|report)/>")
    add_test(NAME build/freestanding
        COMMAND ${PROJECT_SOURCE_DIR}/tests/build/freestanding_test ${CMAKE_C_COMPILER} ${detector_objects} COMMAND_EXPAND_LISTS)
    add_test(NAME build/symbols
        COMMAND ${PROJECT_SOURCE_DIR}/tools/check_symbols --inner ${rt_folder}/rt_inner.o --library $<TARGET_FILE:libtsan>
                --static $<TARGET_FILE:libgoldilocks_rt> $<$<BOOL:${go_folder}>:--go> $<$<BOOL:${go_folder}>:${go_folder}/race_linux_amd64.syso>
                $<TARGET_OBJECTS:rt_outer_objects> COMMAND_EXPAND_LISTS)
    set_tests_properties(build/freestanding build/symbols PROPERTIES LABELS build)
endif()
