/* SPDX-License-Identifier: Apache-2.0
 *
 * A library that nothing instruments, and that closes descriptors: what orders it with others is not seen.
 */
#include <unistd.h>

int library_close(int fd);
int library_close(int fd) {
    return close(fd);
}
