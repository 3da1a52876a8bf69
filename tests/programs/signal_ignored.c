// SPDX-License-Identifier: Apache-2.0
// What the program wants ignored for a while is not what a signal handler does that comes meanwhile: its order counts, and its accesses.
// Racy: the handler publishes without a release.
#include "tests/programs/invisible.h"
#include <signal.h>
#include <stdatomic.h>

void AnnotateIgnoreSyncBegin(const char *file, int line);
void AnnotateIgnoreSyncEnd(const char *file, int line);
void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);
void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);

static atomic_int ready;
int x, after;

static void handler(int sig) {
    x = sig; //@race A1 write 4
    atomic_store_explicit(&ready, 1, racy ? memory_order_relaxed : memory_order_release);
}

THREAD(first) {
    AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    raise(SIGUSR1);
    after = 1; // ignored, as before the signal
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
    AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    MUST(atomic_load_explicit(&ready, memory_order_acquire) == 1);
    USE(x); //@race A2 read 4
    after = 2;
    return NULL;
}

int main(void) {
    MUST(signal(SIGUSR1, handler) != SIG_ERR);
    RUN(first, second);
    return 0;
}
