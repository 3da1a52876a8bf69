# SPDX-License-Identifier: Apache-2.0
#
# What `make install` puts where, and how others find it: find_package(goldilocks) gives the target
# goldilocks::goldilocks, pkg-config knows goldilocks.

include(CMakePackageConfigHelpers)
set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/goldilocks)

install(TARGETS goldilocks_command RUNTIME)
install(FILES ${CMAKE_BINARY_DIR}/goldilocks-cc ${CMAKE_BINARY_DIR}/goldilocks-c++ TYPE BIN) # links to it
install(TARGETS libgoldilocks libgoldilocks_shared EXPORT goldilocksTargets)
install(DIRECTORY include/goldilocks DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
# Not in the library folder itself: the linker must never find this libtsan by accident.  The command looks
# for it here, relative to itself.
install(TARGETS libtsan libgoldilocks_rt DESTINATION lib/goldilocks)
install(FILES native/inline.h native/inline.s ${pass_files} DESTINATION lib/goldilocks)
install(FILES native/suppressions/rust-std.supp native/suppressions/d-runtime.supp DESTINATION ${CMAKE_INSTALL_DATADIR}/goldilocks)
install(FILES ${CMAKE_BINARY_DIR}/lib/libgoldilocks_rt.so ${CMAKE_BINARY_DIR}/lib/libtsan.so.0 DESTINATION lib/goldilocks) # links to the first
install(DIRECTORY ${rt_static_folder} ${rt_inside_folder} ${rt_cxx_inside_folder} DESTINATION lib/goldilocks)
# The pages lie as they do here, with what they lead to, so that their links hold.
install(FILES README.md ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md LICENSE TYPE DOC OPTIONAL)
install(DIRECTORY docs examples TYPE DOC USE_SOURCE_PERMISSIONS)
foreach(folder native tests)
  install(FILES ${folder}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder})
endforeach()
# For the pages' links, and beside the runtime for `goldilocks cc`.
foreach(folder ${CMAKE_INSTALL_DOCDIR} lib/goldilocks)
  if(IS_ABSOLUTE ${CMAKE_INSTALL_INCLUDEDIR})
    set(headers ${CMAKE_INSTALL_INCLUDEDIR}/goldilocks)
  else()
    file(RELATIVE_PATH headers /${folder}/include /${CMAKE_INSTALL_INCLUDEDIR}/goldilocks)
  endif()
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/links/${folder})
  file(CREATE_LINK ${headers} ${CMAKE_BINARY_DIR}/links/${folder}/goldilocks SYMBOLIC)
  install(FILES ${CMAKE_BINARY_DIR}/links/${folder}/goldilocks DESTINATION ${folder}/include)
endforeach()

install(EXPORT goldilocksTargets NAMESPACE goldilocks:: DESTINATION ${config_folder})
file(WRITE ${CMAKE_BINARY_DIR}/goldilocksConfig.cmake "include(\${CMAKE_CURRENT_LIST_DIR}/goldilocksTargets.cmake)\n")
write_basic_package_version_file(${CMAKE_BINARY_DIR}/goldilocksConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/goldilocksConfig.cmake ${CMAKE_BINARY_DIR}/goldilocksConfigVersion.cmake
        DESTINATION ${config_folder})

# pkg-config's folders are relative to the file itself, so that an installation can be moved.
file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/goldilocks.pc.in goldilocks.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/goldilocks.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# `make package`: the same as one archive, to be unpacked anywhere, and as a package of Debian's where there are the tools for it.
find_program(dpkg_shlibdeps dpkg-shlibdeps)
mark_as_advanced(dpkg_shlibdeps)
set(CPACK_GENERATOR TGZ)
if(dpkg_shlibdeps)
  list(APPEND CPACK_GENERATOR DEB)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER Goldilocks)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS OFF)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS gcc)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, clang, default-jre-headless, golang-go")
set(CPACK_PACKAGE_NAME goldilocks)
string(TOLOWER ${CMAKE_SYSTEM_NAME} system)
set(CPACK_PACKAGE_FILE_NAME goldilocks-${PROJECT_VERSION}-${system}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR})
set(CPACK_VERBATIM_VARIABLES TRUE)
include(CPack)
