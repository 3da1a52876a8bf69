// SPDX-License-Identifier: Apache-2.0
// Order as a virtual machine tells it: monitors, read locks, waits, releases, and finalizers, which come after everything that any thread
// did. Racy: each is left out, or is another object's.
#include "tests/programs/invisible.h"
#include <stdbool.h>

typedef unsigned long jptr;
void __tsan_java_init(jptr heap, jptr size);
void __tsan_java_alloc(jptr p, jptr size);
void __tsan_java_finalize(void);
void __tsan_java_mutex_lock(jptr p);
void __tsan_java_mutex_unlock(jptr p);
void __tsan_java_mutex_read_lock(jptr p);
void __tsan_java_mutex_read_unlock(jptr p);
void __tsan_java_mutex_lock_rec(jptr p, int times);
int __tsan_java_mutex_unlock_rec(jptr p);
void __tsan_java_acquire(jptr p);
void __tsan_java_release(jptr p);
void __tsan_java_release_store(jptr p);

_Alignas(4096) static long heap[512];
#define OBJECT(i) ((jptr)(heap + 8 * (i)))
_Alignas(8) int a;
_Alignas(8) int b;
_Alignas(8) int c;
_Alignas(8) int d;
_Alignas(8) int e;
_Alignas(8) int f;
_Alignas(8) int g;

THREAD(gone) {
    g = 1; //@race G1 write 4
    turn_pass();
    return NULL;
}

THREAD(first) {
    turn_wait(1);
    __tsan_java_mutex_lock(OBJECT(0));
    a = 1; //@race A1 write 4
    __tsan_java_mutex_unlock(OBJECT(0));
    __tsan_java_mutex_read_lock(OBJECT(1));
    USE(b); //@race B1 read 4
    __tsan_java_mutex_read_unlock(OBJECT(1));
    __tsan_java_mutex_lock(OBJECT(2));
    __tsan_java_mutex_lock(OBJECT(2));
    c = 1; //@race C1 write 4
    MUST(__tsan_java_mutex_unlock_rec(OBJECT(2)) == 2); // waits
    d = 1; //@race D1 write 4
    __tsan_java_release(OBJECT(3));
    e = 1; //@race E1 write 4
    __tsan_java_release(OBJECT(4));
    f = 1; //@race F1 write 4
    turn_pass();
    turn_wait(4); // it lives on, and there is no lock that it would wait for
    __tsan_java_mutex_lock_rec(OBJECT(2), 2);
    __tsan_java_mutex_unlock(OBJECT(2));
    __tsan_java_mutex_unlock(OBJECT(2));
    return NULL;
}

THREAD(second) {
    turn_wait(2);
    if (racy) // what the store replaces orders nobody
        __tsan_java_release_store(OBJECT(4));
    turn_pass();
    return NULL;
}

THREAD(third) {
    turn_wait(3);
    __tsan_java_mutex_lock(OBJECT(racy ? 10 : 0));
    a = 2; //@race A2 write 4
    __tsan_java_mutex_unlock(OBJECT(racy ? 10 : 0));
    __tsan_java_mutex_lock(OBJECT(racy ? 11 : 1));
    b = 2; //@race B2 write 4
    __tsan_java_mutex_unlock(OBJECT(racy ? 11 : 1));
    if (!racy)
        __tsan_java_mutex_lock(OBJECT(2));
    c = 2; //@race C2 write 4
    if (!racy)
        __tsan_java_mutex_unlock(OBJECT(2));
    __tsan_java_acquire(OBJECT(racy ? 13 : 3));
    d = 2; //@race D2 write 4
    __tsan_java_acquire(OBJECT(4));
    e = 2; //@race E2 write 4
    if (!racy)
        __tsan_java_finalize();
    f = 2; //@race F2 write 4
    g = 2; //@race G2 write 4
    turn_pass();
    return NULL;
}

int main(void) {
    pthread_t t;
    __tsan_java_init((jptr)heap, sizeof heap);
    for (int i = 0; i < 16; i++)
        __tsan_java_alloc(OBJECT(i), 64);
    MUST(pthread_create(&t, NULL, gone, NULL) == 0 && pthread_detach(t) == 0);
    RUN(first, second, third);
    return 0;
}
