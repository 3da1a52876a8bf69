# SPDX-License-Identifier: Apache-2.0
#
# For cross-building on a Debian machine of another kind (preset `aarch64`; tests/aarch64/run): Debian's cross-compiler and its C library, the other
# libraries from where tools/foreign-packages has put them, and qemu, which runs the tests.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(GL_LD aarch64-linux-gnu-ld.bfd)
set(GL_FOREIGN ${CMAKE_BINARY_DIR}/foreign CACHE PATH "Where tools/foreign-packages has put Debian's arm64 packages")
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES GL_FOREIGN)
set(CMAKE_FIND_ROOT_PATH ${GL_FOREIGN} /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64;-L;/usr/aarch64-linux-gnu)
