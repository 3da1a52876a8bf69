# SPDX-License-Identifier: Apache-2.0
#
# What `make install` puts where, and how others find it: find_package(goldilocks) gives the target
# goldilocks::goldilocks, pkg-config knows goldilocks.

include(CMakePackageConfigHelpers)
set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/goldilocks)

install(TARGETS goldilocks_command RUNTIME)
install(TARGETS libgoldilocks libgoldilocks_shared EXPORT goldilocksTargets)
install(DIRECTORY include/goldilocks DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
# Not in the library folder itself: the linker must never find this libtsan by accident.  The command looks
# for it here, relative to itself.
install(TARGETS libtsan libgoldilocks_rt DESTINATION lib/goldilocks)
install(FILES native/inline.h native/inline.s DESTINATION lib/goldilocks)
install(CODE "file(CREATE_LINK libtsan.so.2 \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/goldilocks/libgoldilocks_rt.so SYMBOLIC)")
install(DIRECTORY ${rt_static_folder} DESTINATION lib/goldilocks)
install(FILES README.md CHANGELOG.md LICENSE TYPE DOC OPTIONAL)
install(DIRECTORY docs/ TYPE DOC FILES_MATCHING PATTERN "*.md")

install(EXPORT goldilocksTargets NAMESPACE goldilocks:: DESTINATION ${config_folder})
file(WRITE ${CMAKE_BINARY_DIR}/goldilocksConfig.cmake "include(\${CMAKE_CURRENT_LIST_DIR}/goldilocksTargets.cmake)\n")
write_basic_package_version_file(${CMAKE_BINARY_DIR}/goldilocksConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/goldilocksConfig.cmake ${CMAKE_BINARY_DIR}/goldilocksConfigVersion.cmake
        DESTINATION ${config_folder})

# pkg-config's folders are relative to the file itself, so that an installation can be moved.
file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/goldilocks.pc.in goldilocks.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/goldilocks.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
