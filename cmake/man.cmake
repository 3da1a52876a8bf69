# SPDX-License-Identifier: Apache-2.0
#
# The manual pages of the command, man/man1/*.1, made of docs/man (cmake/man_page).  Without lowdown there are none.

find_program(GL_LOWDOWN lowdown)
if(NOT GL_LOWDOWN)
    message(NOTICE "lowdown was not found: the manual pages are left out (install Debian's package lowdown)")
    return()
endif()
set(man_folder ${CMAKE_BINARY_DIR}/man/man1)
file(MAKE_DIRECTORY ${man_folder})
file(GLOB man_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/man/*.md)
set(man_pages "")
foreach(source ${man_sources})
    cmake_path(GET source STEM page)
    add_custom_command(OUTPUT ${man_folder}/${page}.1
        COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/man_page ${GL_LOWDOWN} ${PROJECT_VERSION} ${source} ${man_folder}/${page}.1
        DEPENDS ${source} cmake/man_page
        COMMENT "" VERBATIM)
    list(APPEND man_pages ${man_folder}/${page}.1)
endforeach()
# One page has two names.
file(WRITE ${man_folder}/goldilocks-c++.1 ".so man1/goldilocks-cc.1\n")
add_custom_target(man ALL DEPENDS ${man_pages})
install(FILES ${man_pages} ${man_folder}/goldilocks-c++.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
