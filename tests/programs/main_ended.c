// SPDX-License-Identifier: Apache-2.0
// The main thread ends by pthread_exit() before the race is found: names and lines are there all the same. Racy: both threads write; in the
// twin to a variable each.
// skip emulated: now and then nothing is found there (the main thread of a process under qemu ends in another way)
#include "tests/programs/invisible.h"

int shared, other;
pthread_t main_thread;

THREAD(first) {
    shared = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    pthread_join(main_thread, NULL);
    turn_wait(1);
    if (racy)
        shared = 2; //@race 2 write 4
    else
        other = 2;
    return NULL;
}

int main(void) {
    pthread_t t[2];
    main_thread = pthread_self();
    if (pthread_create(&t[0], NULL, first, NULL) || pthread_create(&t[1], NULL, second, NULL))
        return 1;
    pthread_detach(t[0]);
    pthread_detach(t[1]);
    pthread_exit(NULL);
}
