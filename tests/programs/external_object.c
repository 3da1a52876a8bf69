// SPDX-License-Identifier: Apache-2.0
// A library tells of accesses to an object of its own; they race at the place of its caller. Racy: the
// callers do not agree on a lock.
// peer-skip: libtsan gives the report the object's title
#include "tests/programs/invisible.h"
#include <sanitizer/tsan_interface.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *tag;
char object[8];

THREAD(first) {
    pthread_mutex_lock(&m);
    __tsan_external_write(object, NULL, tag); //@race 1 write 1
    pthread_mutex_unlock(&m);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (!racy)
        pthread_mutex_lock(&m);
    __tsan_external_read(object, NULL, tag); //@race 2 read 1
    if (!racy)
        pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    tag = __tsan_external_register_tag("Object");
    __tsan_external_register_header(tag, "race on an Object");
    __tsan_external_assign_tag(object, tag);
    RUN(first, second);
    return 0;
}
