// SPDX-License-Identifier: Apache-2.0
// Calls on descriptors that fill what the caller gives for something else, too: what is left of a time, whose lock it is, what lies in a pipe.
// peer-skip: libtsan does not know these
#include "tests/programs/cases.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/uio.h>
#include <unistd.h>

#define WHOLE_FILE {.l_type = F_WRLCK, .l_whence = SEEK_SET}
static struct flock range[4][2] = {{WHOLE_FILE}, {WHOLE_FILE}, {WHOLE_FILE}, {WHOLE_FILE}};
static struct timeval time_left[2] = {{.tv_sec = 1000}};
static char bytes[2][8];

static void cases(enum runs who) {
    fd_set set;
    int file = -1, pass[2] = {-1, -1};
    DOES(MUST((file = memfd_create("cases_descriptors", 0)) >= 0 && pipe(pass) == 0 && write(pass[1], "01234567", 8) == 8));

    READS(fcntl(file, F_SETLK, &range[0][0]) == 0, &range[0][0].l_type, &range[0][1]); //@case reads
    WRITES(fcntl(file, F_GETLK, &range[1][0]) == 0, &range[1][0].l_type, &range[1][1]); //@case writes
    DOES(MUST(fcntl(file, F_SETLK, &(struct flock){.l_type = F_UNLCK, .l_whence = SEEK_SET}) == 0));
    READS(fcntl(file, F_OFD_SETLK, &range[2][0]) == 0, &range[2][0].l_type, &range[2][1]); //@case reads
    WRITES(fcntl(file, F_OFD_GETLK, &range[3][0]) == 0, &range[3][0].l_type, &range[3][1]); //@case writes
    DOES(FD_ZERO(&set); FD_SET(pass[0], &set));
    WRITES(select(pass[0] + 1, &set, NULL, NULL, &time_left[0]) == 1, &time_left[0], &time_left[1]); //@case writes
    WRITES(vmsplice(pass[0], &(struct iovec){bytes[0], 4}, 1, 0) == 4, &bytes[0][3], &bytes[0][4]); //@case writes
}

CASES_MAIN
