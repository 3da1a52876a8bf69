// SPDX-License-Identifier: Apache-2.0
// A thread gives back the memory into which its handle was written, before its maker has come back from making it. Racy: it writes without order.
// library: late_create
#include "tests/programs/invisible.h"
#include <sys/mman.h>

extern long late_create_waits;
static pthread_t *id;
int x;

THREAD(gives_back) {
    pthread_detach(pthread_self());
    MUST(mprotect(id, 4096, PROT_NONE) == 0); // rather than munmap: nothing else comes to lie there
    x = 1; //@race 1 write 4
    turn_pass();
    hidden_put(&late_create_waits, 0);
    return NULL;
}

int main(void) {
    id = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MUST(id != MAP_FAILED);
    hidden_put(&late_create_waits, 1);
    MUST(pthread_create(id, NULL, gives_back, NULL) == 0);
    turn_wait(1);
    if (racy)
        x = 2; //@race 2 write 4
    return 0;
}
