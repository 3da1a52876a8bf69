# SPDX-License-Identifier: Apache-2.0
#
# The passes for clang N that `goldilocks cc` loads, one of each for each LLVM whose headers are installed (Debian's llvm-N-dev), since a pass fits no
# other version: lib/complete-N.so (native/llvm/complete.cpp, LLVM 14 or later) always, and lib/rows-N.so (native/llvm/rows.cpp, 16 or later, since
# older ones instrument what is marked "nosanitize") with --inline.  Tested with 14 (complete) and 19 (both).

file(GLOB pass_headers /usr/lib/llvm-*/include/llvm/Passes/PassPlugin.h /usr/lib/llvm-*/include/llvm/Plugins/PassPlugin.h)
include(CheckLanguage)
if(pass_headers)
    check_language(CXX)
endif()
set(pass_files)

function(gl_pass name version oldest include)
    if(version LESS oldest)
        return()
    endif()
    set(target ${name}_${version})
    add_library(${target} MODULE native/llvm/${name}.cpp)
    target_include_directories(${target} SYSTEM PRIVATE ${include})
    target_compile_features(${target} PRIVATE cxx_std_17)
    # As LLVM itself: its classes have no type information that ours could be derived from.
    target_compile_options(${target} PRIVATE -O2 -fno-rtti -fno-exceptions -Wall -Wextra $<$<BOOL:${GL_WERROR}>:-Werror>)
    set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME ${name}-${version} CXX_VISIBILITY_PRESET hidden)
    set(pass_files ${pass_files} $<TARGET_FILE:${target}> PARENT_SCOPE)
endfunction()

if(CMAKE_CXX_COMPILER)
    enable_language(CXX)
    foreach(header ${pass_headers})
        string(REGEX MATCH "^/usr/lib/llvm-([0-9]+)/include" pass_include ${header})
        set(pass_version ${CMAKE_MATCH_1})
        gl_pass(complete ${pass_version} 14 ${pass_include})
        gl_pass(rows ${pass_version} 16 ${pass_include})
    endforeach()
endif()
if(NOT pass_files)
    message(STATUS "No LLVM 14 or later with its headers: clang leaves some accesses out (package llvm-14-dev, llvm-19-dev ...)")
endif()
