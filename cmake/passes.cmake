# SPDX-License-Identifier: Apache-2.0
#
# The passes that `goldilocks cc` loads into compilers, one for each version whose headers are installed, since a pass fits no other version:
#   lib/complete-N.so      clang 14 or later (Debian's llvm-N-dev), native/llvm/complete.cpp
#   lib/complete-gcc-N.so  gcc 11 or later (gcc-N-plugin-dev), native/gcc/complete.cpp
#   lib/rows-N.so          clang 16 or later, since older ones instrument what is marked "nosanitize"; with --inline, native/llvm/rows.cpp
# Not for a machine that is cross-built for: compilers of that one would load them.
# Tested with clang 14, 15, 18, 19, 21 and 22 and gcc 11 to 14 and 16; built with LLVM 16, too.

if(CMAKE_CROSSCOMPILING)
    return()
endif()
file(GLOB pass_llvms /usr/lib/llvm-*/include/llvm/Passes/PassPlugin.h /usr/lib/llvm-*/include/llvm/Plugins/PassPlugin.h)
file(GLOB pass_gccs /usr/lib/gcc/${CMAKE_SYSTEM_PROCESSOR}-linux-gnu/*/plugin/include/gcc-plugin.h)
include(CheckLanguage)
if(pass_llvms OR pass_gccs)
    check_language(CXX)
endif()
set(pass_files)
set(pass_rows) # versions of clang with rows

function(gl_pass target output source include)
    add_library(${target} MODULE ${source})
    target_include_directories(${target} SYSTEM PRIVATE ${include})
    target_compile_features(${target} PRIVATE cxx_std_17)
    # As the compilers themselves: their classes have no type information that ours could be derived from.
    target_compile_options(${target} PRIVATE -O2 -fno-rtti -fno-exceptions -Wall -Wextra $<$<BOOL:${GL_WERROR}>:-Werror>)
    set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME ${output} CXX_VISIBILITY_PRESET hidden)
    set(pass_files ${pass_files} $<TARGET_FILE:${target}> PARENT_SCOPE)
endfunction()

if(CMAKE_CXX_COMPILER)
    enable_language(CXX)
    foreach(header ${pass_llvms})
        string(REGEX MATCH "^/usr/lib/llvm-([0-9]+)/include" pass_include ${header})
        set(pass_version ${CMAKE_MATCH_1})
        if(pass_version GREATER_EQUAL 14)
            gl_pass(complete_${pass_version} complete-${pass_version} native/llvm/complete.cpp ${pass_include})
        endif()
        if(pass_version GREATER_EQUAL 16)
            gl_pass(rows_${pass_version} rows-${pass_version} native/llvm/rows.cpp ${pass_include})
            list(APPEND pass_rows ${pass_version})
        endif()
    endforeach()
    foreach(header ${pass_gccs})
        string(REGEX MATCH "^(.*/([0-9]+)/plugin/include)/" pass_include ${header})
        set(pass_version ${CMAKE_MATCH_2})
        set(pass_include ${CMAKE_MATCH_1})
        if(pass_version GREATER_EQUAL 11)
            gl_pass(complete_gcc_${pass_version} complete-gcc-${pass_version} native/gcc/complete.cpp ${pass_include})
        endif()
    endforeach()
endif()
if(NOT pass_llvms)
    message(STATUS "No LLVM with its headers: clang leaves some accesses out (package llvm-14-dev, llvm-19-dev ...)")
endif()
if(NOT pass_gccs)
    message(STATUS "No headers for gcc's plugins: gcc leaves some accesses out (package gcc-12-plugin-dev ...)")
endif()
