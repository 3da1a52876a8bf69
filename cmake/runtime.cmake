# SPDX-License-Identifier: Apache-2.0
#
# The runtime of programs under test: lib/libtsan.so.2 (the name by which programs linked with
# `gcc -fsanitize=thread` ask for it) and lib/libgoldilocks_rt.a.  No function that is intercepted may be
# called from inside, so it is linked in two steps:
#
#   inner   all objects but native/intercept*.c, with libbacktrace, libiberty and what the recorder needs of libzstd, combined by `ld -r`; then
#           native/internal.syms renames what they want from libc to platform's own functions
#   outer   native/intercept*.c, which are the program's memcpy, malloc ...; linked with the renamed inner part
#
# The test build/symbols reads the result (tools/check_symbols).

gl_sources(native gl_native_sources)
set(rt_outer_sources ${gl_native_sources})
list(FILTER rt_outer_sources INCLUDE REGEX "/intercept[^/]*$")
set(rt_inner_sources ${gl_native_sources} ${gl_core_sources} ${gl_report_sources} ${gl_symbol_sources} ${gl_platform_sources})
# The recorder writes traces; nothing in here reads one.
foreach(file names text checksum record writer std_writer binary_writer binary_pack binary_shape)
    list(APPEND rt_inner_sources ${PROJECT_SOURCE_DIR}/trace/${file}.c)
endforeach()
# core/embed.c is the interface of the library that others embed; nobody in here calls it.
list(FILTER rt_inner_sources EXCLUDE REGEX "/native/intercept[^/]*$|/core/embed\\.c$")

add_library(rt_flags INTERFACE)
target_link_libraries(rt_flags INTERFACE gl_warnings)
target_include_directories(rt_flags INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
target_compile_options(rt_flags INTERFACE -fno-stack-protector -ftls-model=initial-exec -U_FORTIFY_SOURCE)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    target_compile_options(rt_flags INTERFACE -mcx16) # 16-byte atomics without libatomic
endif()

add_library(rt_inner_objects OBJECT ${rt_inner_sources})
target_link_libraries(rt_inner_objects PRIVATE rt_flags gl_backtrace gl_demangle)
target_include_directories(rt_inner_objects SYSTEM PRIVATE ${gl_zstd_include})
add_library(rt_outer_objects OBJECT ${rt_outer_sources})
target_link_libraries(rt_outer_objects PRIVATE rt_flags)
# An interceptor of memcpy must not be compiled into a call of memcpy.  Exceptions and cancellation of the
# program pass through.
# libc's headers must declare what is intercepted, not define it inline.
target_compile_definitions(rt_outer_objects PRIVATE __NO_INLINE__)
target_compile_options(rt_outer_objects PRIVATE -fno-builtin -fexceptions
    $<$<C_COMPILER_ID:GNU>:-fno-tree-loop-distribute-patterns>)

set(rt_folder ${CMAKE_BINARY_DIR}/runtime)
file(MAKE_DIRECTORY ${rt_folder})
add_custom_command(OUTPUT ${rt_folder}/rt_inner.o
    COMMAND ${GL_LD} -r -o ${rt_folder}/rt_combined.o $<TARGET_OBJECTS:rt_inner_objects> ${GL_LIBBACKTRACE} ${GL_LIBIBERTY} ${GL_LIBZSTD}
    COMMAND ${GL_OBJCOPY} --redefine-syms=${PROJECT_SOURCE_DIR}/native/internal.syms ${rt_folder}/rt_combined.o ${rt_folder}/rt_renamed.o
    # objcopy leaves a renamed reference beside the definition; a second pass makes them one symbol.
    COMMAND ${GL_LD} -r -o ${rt_folder}/rt_inner.o ${rt_folder}/rt_renamed.o
    DEPENDS rt_inner_objects $<TARGET_OBJECTS:rt_inner_objects> native/internal.syms ${GL_LIBBACKTRACE} ${GL_LIBIBERTY} ${GL_LIBZSTD}
    BYPRODUCTS ${rt_folder}/rt_combined.o ${rt_folder}/rt_renamed.o
    COMMENT "Linking the inner part of the runtime" VERBATIM COMMAND_EXPAND_LISTS)

add_library(libtsan SHARED ${rt_folder}/rt_inner.o $<TARGET_OBJECTS:rt_outer_objects>)
set_target_properties(libtsan PROPERTIES OUTPUT_NAME tsan SOVERSION 2 LINKER_LANGUAGE C
    LINK_DEPENDS ${PROJECT_SOURCE_DIR}/native/exports.map)
set_source_files_properties(${rt_folder}/rt_inner.o PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
target_link_options(libtsan PRIVATE -Wl,-z,defs -Wl,-z,now -Wl,-z,nodelete -Wl,--build-id=sha1
    -Wl,--version-script=${PROJECT_SOURCE_DIR}/native/exports.map)
add_custom_command(TARGET libtsan POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E create_symlink libtsan.so.2 libgoldilocks_rt.so
    COMMAND ${CMAKE_COMMAND} -E create_symlink libtsan.so.2 libtsan.so.0 # programs of gcc 11 and older load that
    WORKING_DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY} VERBATIM)

# What `goldilocks cc --inline` puts in front of each source file, and of what gcc gives to the assembler.
foreach(file inline.h inline.s)
    configure_file(${PROJECT_SOURCE_DIR}/native/${file} ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${file} COPYONLY)
endforeach()

# And the headers for programs, for `goldilocks cc`.
file(MAKE_DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/include)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/include/goldilocks ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/include/goldilocks SYMBOLIC)

# The static form: one object whose only global names are those that libtsan.so.2 exports.
set(rt_inside_folder ${CMAKE_BINARY_DIR}/lib/inside) # where gcc finds it with -static-libtsan
file(MAKE_DIRECTORY ${rt_inside_folder})
file(CREATE_LINK ../libgoldilocks_rt.a ${rt_inside_folder}/libtsan.a SYMBOLIC)
add_custom_command(OUTPUT ${rt_folder}/goldilocks_rt.o ${rt_inside_folder}/exports.list
    # What is common to all objects (DW.ref.*) becomes ours alone: a group of that name in another archive stays whole.
    COMMAND ${GL_LD} -r --force-group-allocation -o ${rt_folder}/rt_all.o ${rt_folder}/rt_inner.o $<TARGET_OBJECTS:rt_outer_objects>
    COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/localize ${CMAKE_NM} ${GL_OBJCOPY} $<TARGET_FILE:libtsan>
            ${rt_folder}/rt_all.o ${rt_folder}/goldilocks_rt.o ${rt_inside_folder}/exports.list
    DEPENDS libtsan ${rt_folder}/rt_inner.o rt_outer_objects $<TARGET_OBJECTS:rt_outer_objects> cmake/localize
    BYPRODUCTS ${rt_folder}/rt_all.o
    COMMENT "Linking the static runtime" VERBATIM COMMAND_EXPAND_LISTS)
add_library(libgoldilocks_rt STATIC ${rt_folder}/goldilocks_rt.o)
set_source_files_properties(${rt_folder}/goldilocks_rt.o PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
set_target_properties(libgoldilocks_rt PROPERTIES OUTPUT_NAME goldilocks_rt LINKER_LANGUAGE C)

# For programs that have the C++ library inside.
set(rt_cxx_inside_folder ${CMAKE_BINARY_DIR}/lib/cxx_inside)
add_custom_command(OUTPUT ${rt_cxx_inside_folder}/libtsan.so.2 ${rt_cxx_inside_folder}/libtsan.a
    COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/cxx_inside ${CMAKE_C_COMPILER} ${GL_OBJCOPY} ${CMAKE_AR} ${PROJECT_SOURCE_DIR}/native/cxx_inside.syms
            ${PROJECT_SOURCE_DIR}/native/exports.map ${rt_folder}/goldilocks_rt.o ${rt_cxx_inside_folder}
    DEPENDS ${rt_folder}/goldilocks_rt.o cmake/cxx_inside native/cxx_inside.syms native/exports.map
    COMMENT "Making the libraries of programs with the C++ library inside" VERBATIM)
add_custom_target(libgoldilocks_cxx_inside ALL DEPENDS ${rt_cxx_inside_folder}/libtsan.so.2)
add_dependencies(libgoldilocks_cxx_inside libgoldilocks_rt)

# For programs that are linked with -static: the C library under names that leave ours free (cmake/static_libraries).
set(rt_static_folder ${CMAKE_BINARY_DIR}/lib/static)
add_custom_command(OUTPUT ${rt_static_folder}/libgoldilocks_static.a
    COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/static_libraries ${CMAKE_NM} ${GL_OBJCOPY} ${CMAKE_AR} ${CMAKE_C_COMPILER}
            ${rt_folder}/goldilocks_rt.o ${rt_static_folder}
    DEPENDS ${rt_folder}/goldilocks_rt.o cmake/static_libraries
    COMMENT "Making the libraries of static programs" VERBATIM)
add_custom_target(libgoldilocks_static ALL DEPENDS ${rt_static_folder}/libgoldilocks_static.a)
add_dependencies(libgoldilocks_static libgoldilocks_rt)
