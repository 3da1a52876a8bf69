// SPDX-License-Identifier: Apache-2.0
// The file of who is logged in: entries that are given are read, an entry that is found is in libc's memory and written.
// peer-skip: libtsan does not know all of these
#include "tests/programs/cases.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <utmp.h>
#include <utmpx.h>

#define USER {.ut_type = USER_PROCESS, .ut_line = "pts/9", .ut_id = "9", .ut_user = "someone"}
static struct utmp entry[2] = {USER}, by_id[2] = {USER}, by_line[2] = {USER};
static struct utmpx entry_x[2] = {USER}, by_id_x[2] = {USER}, by_line_x[2] = {USER};
static char file[32] = "/tmp/logins.XXXXXX";

static void cases(enum runs who) {
    struct utmp *u = NULL;
    DOES(int fd = mkstemp(file); MUST(fd >= 0 && close(fd) == 0 && utmpname(file) == 0); setutent());
    READS(pututline(&entry[0]) != NULL, &entry[0].ut_user, &entry[1]); //@case reads
    READS(pututxline(&entry_x[0]) != NULL, &entry_x[0].ut_user, &entry_x[1]); //@case reads
    DOES(setutent());
    WRITES((u = getutent()) != NULL, &u->ut_user, NULL); //@case writes
    DOES(setutxent(); MUST(getutxent() != NULL); setutent());
    READS(getutid(&by_id[0]) != NULL, &by_id[0].ut_id, &by_id[1]); //@case reads
    DOES(setutent());
    READS(getutline(&by_line[0]) != NULL, &by_line[0].ut_line, &by_line[1]); //@case reads
    DOES(setutent());
    READS(getutxid(&by_id_x[0]) != NULL, &by_id_x[0].ut_id, &by_id_x[1]); //@case reads
    DOES(setutent());
    READS(getutxline(&by_line_x[0]) != NULL, &by_line_x[0].ut_line, &by_line_x[1]); //@case reads
    DOES(endutent(); unlink(file));
}

CASES_MAIN
