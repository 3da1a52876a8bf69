// SPDX-License-Identifier: Apache-2.0
// The 2006 report's task queue (appendix A): a task belongs to its maker, then to the queue, then to the worker that
// takes it out, then to the lock of its subtasks, and at last to the worker again. Racy: the subtasks add up without
// the lock.
#include "tests/programs/invisible.h"
#include <stdlib.h>

enum { SUBTASKS = 2 };
struct task {
    int input[SUBTASKS];
    _Alignas(8) int out;
};
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t task_lock = PTHREAD_MUTEX_INITIALIZER;
static struct task *queue;
static struct task *current;

static void perform(int number) {
    int result = current->input[number] * 2;
    if (!racy)
        pthread_mutex_lock(&task_lock);
    int sum = current->out; //@race A2 read 4
    USE(sum);
    current->out = sum + result; //@race A1 write 4; ?B1 write 4; ?B2 write 4
    if (!racy)
        pthread_mutex_unlock(&task_lock);
}

THREAD(subtask_0) {
    perform(0);
    turn_pass();
    return NULL;
}

THREAD(subtask_1) {
    turn_wait(2);
    perform(1);
    return NULL;
}

THREAD(maker) {
    struct task *made = malloc(sizeof *made);
    MUST(made);
    made->input[0] = 10;
    made->input[1] = 11;
    made->out = 0;
    pthread_mutex_lock(&queue_lock);
    queue = made;
    pthread_mutex_unlock(&queue_lock);
    turn_pass();
    return NULL;
}

THREAD(worker) {
    turn_wait(1);
    pthread_mutex_lock(&queue_lock);
    current = queue;
    queue = NULL;
    pthread_mutex_unlock(&queue_lock);
    RUN(subtask_0, subtask_1);
    MUST(current->out == 42);
    free(current);
    return NULL;
}

int main(void) {
    RUN(maker, worker);
    return 0;
}
