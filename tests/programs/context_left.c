// SPDX-License-Identifier: Apache-2.0
// A context may be left by longjmp, to the thread's own stack, of which its own may be a part, or to another context, and a thread may end inside of one: stacks are right after it, and memory
// that is not ours is left alone. Racy: two of those that came back write the same.
// output: 0 bytes lost
#include "tests/programs/invisible.h"
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { SIZE = 1 << 20, STACK = 65536, ROUNDS = 4 };

struct coroutine {
    ucontext_t context;
    jmp_buf inside, outside;
    char *stack;
    int rounds;
};
static char *data[4];
int x, y, z;

static void make(struct coroutine *c, void (*function)(void), char *stack) {
    MUST(getcontext(&c->context) == 0);
    c->context.uc_stack.ss_sp = c->stack = stack;
    c->context.uc_stack.ss_size = STACK;
    c->context.uc_link = NULL;
    makecontext(&c->context, function, 0);
}

static char *filled(void) {
    char *p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MUST(p != MAP_FAILED);
    return memset(p, 1, SIZE);
}

static struct coroutine one, leaves, local;

static NOINLINE void in_coroutine(void) {
    x = one.rounds; //@race B1 write 4 in in_coroutine<run_one
}

static void run_one(void) {
    for (;;) {
        one.rounds++;
        in_coroutine();
        if (_setjmp(one.inside) == 0)
            _longjmp(one.outside, 1);
    }
}

static NOINLINE void resume(struct coroutine *c) {
    if (_setjmp(c->outside) == 0) {
        if (c->rounds == 0)
            setcontext(&c->context);
        _longjmp(c->inside, 1);
    }
}

static NOINLINE void write_y(int value) {
    y = value; //@race A1 write 4 in write_y<first; A2 write 4 in write_y<second
}

THREAD(first) {
    data[0] = filled();
    make(&one, run_one, malloc(STACK));
    for (int i = 0; i < ROUNDS; i++)
        resume(&one);
    MUST(one.rounds == ROUNDS);
    data[1] = filled();
    if (racy)
        write_y(1);
    turn_pass();
    turn_wait(2);
    return NULL;
}

static void end(void) {
    pthread_exit(NULL);
}

THREAD(second) {
    turn_wait(1);
    if (racy) {
        write_y(2);
        USE(x); //@race B2 read 4
    }
    data[2] = filled();
    make(&leaves, end, malloc(STACK));
    turn_pass();
    setcontext(&leaves.context);
    return NULL;
}

static NOINLINE void jump(jmp_buf to) {
    _longjmp(to, 1);
}

static NOINLINE void jumps_inside(void) {
    if (_setjmp(local.inside) == 0)
        jump(local.inside);
    z = 1; //@race C1 write 4 in jumps_inside<run_local
}

static void run_local(void) {
    jumps_inside();
    _longjmp(local.outside, 1);
}

THREAD(third) {
    char stack[STACK];
    turn_wait(2);
    data[3] = filled();
    make(&local, run_local, stack);
    resume(&local);
    turn_pass();
    return NULL;
}

THREAD(fourth) {
    turn_wait(3);
    if (racy)
        USE(z); //@race C2 read 4
    return NULL;
}

int main(void) {
    int lost = 0;
    RUN(first, second, third, fourth);
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < SIZE; i++)
            lost += data[k][i] != 1;
    printf("%d bytes lost\n", lost);
    return 0;
}
