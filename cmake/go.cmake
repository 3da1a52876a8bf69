# SPDX-License-Identifier: Apache-2.0
#
# The runtime of Go programs, lib/go/race_linux_amd64.syso: the inner part of the other one (cmake/runtime.cmake) and go/*.c as one object, whose only global
# names are those that Go's runtime calls. `goldilocks go` puts it where Go has its own.

if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    return()
endif()
gl_sources(go gl_go_sources)
add_library(go_objects OBJECT ${gl_go_sources})
target_link_libraries(go_objects PRIVATE rt_flags)

set(go_folder ${CMAKE_BINARY_DIR}/lib/go)
file(MAKE_DIRECTORY ${go_folder})
add_custom_command(OUTPUT ${go_folder}/race_linux_amd64.syso
    COMMAND ${GL_LD} -r -o ${rt_folder}/go_all.o ${rt_folder}/rt_inner.o $<TARGET_OBJECTS:go_objects>
    COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/go_names ${CMAKE_NM} ${GL_OBJCOPY} ${rt_folder}/go_all.o ${go_folder}/race_linux_amd64.syso
    DEPENDS libtsan ${rt_folder}/rt_inner.o go_objects $<TARGET_OBJECTS:go_objects> cmake/go_names
    BYPRODUCTS ${rt_folder}/go_all.o
    COMMENT "Linking the runtime of Go programs" VERBATIM COMMAND_EXPAND_LISTS)
add_custom_target(go_runtime ALL DEPENDS ${go_folder}/race_linux_amd64.syso)
install(FILES ${go_folder}/race_linux_amd64.syso DESTINATION lib/goldilocks/go)
