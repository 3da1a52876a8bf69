# SPDX-License-Identifier: Apache-2.0
#
# lib/rows-N.so, the pass for clang N that `goldilocks cc --inline` loads (native/llvm/rows.cpp): one for each LLVM, 16 or later, whose headers
# are installed (Debian's llvm-N-dev).  Older ones instrument what is marked "nosanitize".  Tested with 19.

file(GLOB rows_headers /usr/lib/llvm-*/include/llvm/Passes/PassPlugin.h)
include(CheckLanguage)
if(rows_headers)
    check_language(CXX)
endif()
set(rows_files)
if(CMAKE_CXX_COMPILER)
    enable_language(CXX)
    foreach(header ${rows_headers})
        string(REGEX MATCH "^/usr/lib/llvm-([0-9]+)/include" rows_include ${header})
        set(rows_version ${CMAKE_MATCH_1})
        if(rows_version LESS 16)
            continue()
        endif()
        add_library(rows_${rows_version} MODULE native/llvm/rows.cpp)
        target_include_directories(rows_${rows_version} SYSTEM PRIVATE ${rows_include})
        target_compile_features(rows_${rows_version} PRIVATE cxx_std_17)
        # As LLVM itself: its classes have no type information that ours could be derived from.
        target_compile_options(rows_${rows_version} PRIVATE -O2 -fno-rtti -fno-exceptions -Wall -Wextra $<$<BOOL:${GL_WERROR}>:-Werror>)
        set_target_properties(rows_${rows_version} PROPERTIES PREFIX "" OUTPUT_NAME rows-${rows_version} CXX_VISIBILITY_PRESET hidden)
        list(APPEND rows_files $<TARGET_FILE:rows_${rows_version}>)
    endforeach()
endif()
if(NOT rows_files)
    message(STATUS "No LLVM 16 or later with its headers: `goldilocks cc --inline` does without rows (package llvm-19-dev)")
endif()
