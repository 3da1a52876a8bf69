# SPDX-License-Identifier: Apache-2.0
#
# Finds the libraries that we build on: libbacktrace, which is a part of gcc, and libiberty go into the runtime;
# libzstd and jansson into the command.  docs/dependencies.md says what for and why these.

# Objects are joined and their names changed by GNU's tools, which come with every gcc; beside clang CMake would choose LLVM's.
find_program(GL_LD NAMES ld.bfd REQUIRED DOC "GNU ld")
find_program(GL_OBJCOPY NAMES ${CMAKE_LIBRARY_ARCHITECTURE}-objcopy objcopy REQUIRED DOC "GNU objcopy")

# libbacktrace lies in gcc's own folders, where only gcc looks.
find_program(GL_GCC NAMES gcc gcc-12 DOC "A gcc, for its libbacktrace")
function(gl_file_of_compiler name out)
    foreach(compiler ${CMAKE_C_COMPILER} ${GL_GCC})
        execute_process(COMMAND ${compiler} -print-file-name=${name} OUTPUT_VARIABLE path
                        OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        if(IS_ABSOLUTE "${path}" AND EXISTS "${path}")
            set(${out} ${path} PARENT_SCOPE)
            return()
        endif()
    endforeach()
    message(FATAL_ERROR "${name} of gcc was not found; it comes with Debian's package gcc")
endfunction()
gl_file_of_compiler(libbacktrace.a libbacktrace)
gl_file_of_compiler(include/backtrace.h backtrace_header)
# A copy, since gcc's folder holds its stdatomic.h and the like too, which clang would take for its own.
file(COPY ${backtrace_header} DESTINATION ${CMAKE_BINARY_DIR}/backtrace)
# And a copy that asks symbol/lines.c which objects are loaded (that gives one at a time, and the others are not read), and
# whose reader of DWARF has symbol/units.c sort.
set(GL_LIBBACKTRACE ${CMAKE_BINARY_DIR}/backtrace/libbacktrace.a)
execute_process(COMMAND ${GL_OBJCOPY} --redefine-sym dl_iterate_phdr=gl_backtrace_objects ${libbacktrace} ${GL_LIBBACKTRACE}
                COMMAND_ERROR_IS_FATAL ANY)
foreach(step "${CMAKE_AR};x;libbacktrace.a;dwarf.o" "${GL_OBJCOPY};--redefine-sym;backtrace_qsort=gl_backtrace_sort;dwarf.o"
        "${CMAKE_AR};r;libbacktrace.a;dwarf.o")
    execute_process(COMMAND ${step} WORKING_DIRECTORY ${CMAKE_BINARY_DIR}/backtrace COMMAND_ERROR_IS_FATAL ANY)
endforeach()

add_library(gl_backtrace INTERFACE)
target_include_directories(gl_backtrace SYSTEM INTERFACE ${CMAKE_BINARY_DIR}/backtrace)
target_compile_definitions(gl_backtrace INTERFACE GL_LIBBACKTRACE="${GL_LIBBACKTRACE}")
target_link_libraries(gl_backtrace INTERFACE ${GL_LIBBACKTRACE})

find_library(GL_LIBIBERTY NAMES libiberty.a)
find_path(GL_LIBIBERTY_INCLUDE NAMES libiberty/demangle.h)
if(NOT GL_LIBIBERTY OR NOT GL_LIBIBERTY_INCLUDE)
    message(FATAL_ERROR "libiberty was not found; install Debian's package libiberty-dev (tools/install-packages build)")
endif()
add_library(gl_demangle INTERFACE)
target_include_directories(gl_demangle SYSTEM INTERFACE ${GL_LIBIBERTY_INCLUDE})
target_link_libraries(gl_demangle INTERFACE ${GL_LIBIBERTY})

# ---- of the command only ----

# gl_library(TARGET NAME HEADER PACKAGE): a library of the distribution.
function(gl_library target name header package)
    find_library(${target}_file NAMES ${name})
    find_path(${target}_include NAMES ${header})
    if(NOT ${target}_file OR NOT ${target}_include)
        message(FATAL_ERROR "${name} was not found; install Debian's package ${package} (tools/install-packages build)")
    endif()
    add_library(${target} INTERFACE)
    target_include_directories(${target} SYSTEM INTERFACE ${${target}_include})
    target_link_libraries(${target} INTERFACE ${${target}_file})
endfunction()
gl_library(gl_zstd zstd zstd.h libzstd-dev)
gl_library(gl_json jansson jansson.h libjansson-dev)

# The static libzstd goes into the runtime too; Debian's is compiled so that it can be in a shared library.
find_library(GL_LIBZSTD NAMES libzstd.a)
if(NOT GL_LIBZSTD)
    message(FATAL_ERROR "libzstd.a was not found; install Debian's package libzstd-dev (tools/install-packages build)")
endif()
