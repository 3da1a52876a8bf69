// SPDX-License-Identifier: Apache-2.0
// A block with a lock in it is freed by who has taken that lock last, or comes after who did. Racy: another has taken it since.
#include "tests/programs/invisible.h"
#include <stdlib.h>

struct node {
    long value;
    pthread_mutex_t lock;
};
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static struct node *node;
int y;

THREAD(first) {
    struct node *n = malloc(sizeof *n);
    MUST(n && pthread_mutex_init(&n->lock, NULL) == 0);
    pthread_mutex_lock(&guard);
    node = n;
    pthread_mutex_unlock(&guard);
    pthread_mutex_lock(&n->lock);
    n->value = 1;
    pthread_mutex_unlock(&n->lock);
    turn_pass();
    turn_wait(2);
    pthread_mutex_lock(&n->lock); //@race 1 read 1
    y++;
    pthread_mutex_unlock(&n->lock);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    pthread_mutex_lock(&guard);
    struct node *n = node;
    pthread_mutex_unlock(&guard);
    pthread_mutex_lock(&n->lock);
    n->value++;
    pthread_mutex_unlock(&n->lock);
    turn_pass();
    turn_wait(3);
    if (!racy) {
        pthread_mutex_lock(&n->lock);
        pthread_mutex_unlock(&n->lock);
    }
    free(n); //@race 2 write|free *
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
