// SPDX-License-Identifier: Apache-2.0
// A virtual machine's heap, told by __tsan_java_*: what an object remembers moves along with it, also when the places overlap, and goes
// when it is freed. Racy: nothing orders the two threads' accesses.
// report: ^  (Location is h|H)eap block of size 64 
// peer-skip: libtsan misses one of the races
#include "tests/programs/invisible.h"
#include <sys/mman.h>

typedef unsigned long jptr;
void __tsan_java_init(jptr heap, jptr size);
int __tsan_java_fini(void);
void __tsan_java_alloc(jptr p, jptr size);
void __tsan_java_free(jptr p, jptr size);
void __tsan_java_move(jptr from, jptr to, jptr size);
jptr __tsan_java_find(jptr *from, jptr to);
void __tsan_java_mutex_lock(jptr p);
void __tsan_java_mutex_unlock(jptr p);

// Objects of 64 bytes: each has a monitor at its beginning and data behind it.
enum { OBJECT = 64, OBJECTS = 6, HEAP = 65536 };
static long *heap;
static long *at[OBJECTS];

static jptr place(int object) {
    return (jptr)hidden_get((long *)&at[object]);
}

static void put(int object, long *p) {
    hidden_put((long *)&at[object], (long)p);
}

#define DATA(object, i) (((int *)place(object))[2 + (i)])

THREAD(first) {
    __tsan_java_mutex_lock(place(0));
    DATA(0, 0) = 1; //@race A1 write 4
    __tsan_java_mutex_unlock(place(0));
    ((char *)place(1))[17] = 1; //@race B1 write 1
    for (int i = 0; i < 4; i++)
        DATA(2, i) = 1; //@race C1 write 4
    USE(DATA(2, 5)); //@race D1 read 4
    DATA(3, 0) = 1; //@race E1 write 4
    DATA(4, 0) = 1; // freed: nobody can race with it
    turn_pass();
    return NULL;
}

// The collector, while the world stands still: objects go up by 24 bytes, so that their places overlap, and further.
static void collect(void) {
    jptr found = (jptr)heap, end = (jptr)heap + OBJECTS * OBJECT;
    MUST(__tsan_java_find(&found, end) == OBJECT && found == (jptr)heap);
    found += 8;
    MUST(__tsan_java_find(&found, end) == OBJECT && found == (jptr)heap + OBJECT);
    __tsan_java_free(place(4), OBJECT);
    __tsan_java_move((jptr)heap, (jptr)heap + 24, 4 * OBJECT);
    __tsan_java_move((jptr)heap + 24, (jptr)heap + 8192, 4 * OBJECT);
    __tsan_java_move((jptr)heap + 8192, (jptr)heap + 8192 - 16, 4 * OBJECT);
    for (int i = 0; i < 4; i++)
        put(i, heap + (8192 - 16 + i * OBJECT) / (int)sizeof(long));
    found = (jptr)heap;
    MUST(__tsan_java_find(&found, (jptr)heap + 8192 - 16) == 0);
    MUST(__tsan_java_find(&found, (jptr)heap + HEAP) == OBJECT && found == place(0));
    __tsan_java_alloc((jptr)heap, OBJECT); // where nothing is remembered any more
    put(5, heap);
}

THREAD(second) {
    turn_wait(1);
    collect();
    if (!racy) {
        __tsan_java_mutex_lock(place(0));
        DATA(0, 0) = 2;
        __tsan_java_mutex_unlock(place(0));
    } else {
        DATA(0, 0) = 2; //@race A2 write 4
        USE(((char *)place(1))[17]); //@race B2 read 1
        USE(DATA(2, 3)); //@race C2 read 4
        DATA(2, 5) = 2; //@race D2 write 4
        DATA(3, 0) = 2; //@race E2 write 4
    }
    USE(((char *)place(1))[18]); // its neighbour
    for (int i = 0; i < 14; i++)
        DATA(5, i) = 3;
    DATA(4, 0) = 3; // the memory of a freed object
    return NULL;
}

int main(void) {
    heap = mmap(NULL, HEAP, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MUST(heap != MAP_FAILED);
    __tsan_java_init((jptr)heap, HEAP);
    for (int i = 0; i < 5; i++) {
        put(i, heap + i * OBJECT / (int)sizeof(long));
        __tsan_java_alloc(place(i), OBJECT);
    }
    RUN(first, second);
    return __tsan_java_fini(); // 66 if there was a report
}
