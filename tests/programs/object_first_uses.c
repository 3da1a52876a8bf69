// SPDX-License-Identifier: Apache-2.0
// First uses of locks that nothing orders after their making, which are less simple than object_made.c: by the second of two threads that
// only read, since the first of them passes nothing on to it; of a mutex that was made by an assignment, whose first user of all it is; and
// of one that is taken, and later destroyed, while another is held.
// reports: 4
// report: ^  Read of size 1 at 0x[0-9a-f]+ by thread T3 in pthread_rwlock_rdlock:$
// report: ^  Previous write of size 1 at 0x[0-9a-f]+ by thread T1 in pthread_rwlock_init:$
#include "tests/programs/invisible.h"

struct node {
    pthread_mutex_t lock;
    int value;
};

static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER, outer = PTHREAD_MUTEX_INITIALIZER, inner;
static pthread_rwlock_t l;
static struct node n;
int x;

THREAD(maker)
{
    pthread_rwlock_init(&l, NULL);                       //@race A1 write 1
    pthread_mutex_init(&inner, NULL);                    //@race C1 write 1
    n.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; //@race B1 write *
    pthread_mutex_lock(&order);
    pthread_mutex_unlock(&order);
    turn_pass();
    turn_wait(3);
    if (!racy) {
        pthread_mutex_lock(&inner);
        pthread_mutex_unlock(&inner);
    }
    pthread_mutex_destroy(&inner); //@race D2 write 1
    return NULL;
}

static void read_lock(void)
{
    pthread_rwlock_rdlock(&l); //@race A2 read 1
    pthread_rwlock_unlock(&l);
}

THREAD(reader)
{
    turn_wait(1);
    pthread_mutex_lock(&order);
    pthread_mutex_unlock(&order);
    read_lock();
    turn_pass();
    return NULL;
}

THREAD(second)
{
    turn_wait(2);
    if (!racy) {
        pthread_mutex_lock(&order);
        pthread_mutex_unlock(&order);
    }
    read_lock();
    pthread_mutex_lock(&n.lock); //@race B2 read 1
    n.value++;
    pthread_mutex_unlock(&n.lock);
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner); //@race C2 read 1
    x++;
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    pthread_mutex_lock(&inner); //@race D1 read 1
    x++;
    pthread_mutex_unlock(&inner);
    turn_pass();
    return NULL;
}

int main(void)
{
    RUN(maker, reader, second);
    return 0;
}
