/* SPDX-License-Identifier: Apache-2.0
 *
 * System V: queues, semaphores, shared memory.
 */
#include "native/intercept_fd.h" /* first: it says which names of libc are visible */

#include <limits.h>
#include <stdarg.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

#define BY_NAME(edge, kind, id) RT_RECORD(t, edge(t, rt_named(kind, (uint64_t)(id), 0), RT_USER, pc))

CALLS(ssize_t, msgrcv, (int id, void *p, size_t n, long type, int flags), (id, p, n, type, flags), r >= 0,
      BY_NAME(rt_acquire, RT_NAMED_MSG, id);
      W(p, sizeof(long) + (size_t)r))

INTERCEPT(int, msgsnd, (int id, const void *p, size_t n, int flags))
{
    uintptr_t pc = RT_CALLER();
    if (n <= INT_MAX) /* more is an error */
        RT_RECORD(t, rt_bytes_go(t, p, sizeof(long) + n, pc)); /* before it can be received */
    BY_NAME(rt_release, RT_NAMED_MSG, id);
    return REAL(msgsnd)(id, p, n, flags);
}

/* Who is told that a message is there comes after who sent it. */
CALLS(int, msgctl, (int id, int command, struct msqid_ds *to), (id, command, to), r >= 0 && command == IPC_STAT,
      WHOLE(to);
      if (to->msg_qnum > 0) BY_NAME(rt_acquire, RT_NAMED_MSG, id))

#define OPERATIONS_MOST 500u /* more are an error: SEMOPM of the kernel */

/* An operation that adds lets others go on, one that takes or waits goes on because of others. */
#define SEMAPHORES(name, params, args)                                                                       \
    INTERCEPT(int, name, params)                                                                             \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        if (n <= OPERATIONS_MOST)                                                                            \
            R(op, n * sizeof *op);                                                                           \
        BY_NAME(rt_release, RT_NAMED_SEM, id);                                                               \
        int r = REAL(name) args;                                                                             \
        bool waits = false;                                                                                  \
        for (size_t i = 0; r == 0 && i < n; i++)                                                             \
            waits |= op[i].sem_op <= 0;                                                                      \
        if (waits)                                                                                           \
            BY_NAME(rt_acquire, RT_NAMED_SEM, id);                                                           \
        return r;                                                                                            \
    }

SEMAPHORES(semop, (int id, struct sembuf *op, size_t n), (id, op, n))
SEMAPHORES(semtimedop, (int id, struct sembuf *op, size_t n, const struct timespec *d), (id, op, n, d))

/* Who sets a value lets others go on; who is told one may find that others have let it go on. */
INTERCEPT(int, semctl, (int id, int number, int command, ...))
{
    uintptr_t pc = RT_CALLER();
    va_list ap;
    va_start(ap, command);
    void *arg = va_arg(ap, void *); /* a union: as the largest of it */
    va_end(ap);
    bool all = command == SETALL || command == GETALL;
    struct semid_ds state;
    size_t values = all && REAL(semctl)(id, 0, IPC_STAT, &state) == 0 ? state.sem_nsems * sizeof(unsigned short) : 0;
    if (command == SETALL)
        R(arg, values);
    if (command == SETVAL || command == SETALL)
        BY_NAME(rt_release, RT_NAMED_SEM, id);
    int r = REAL(semctl)(id, number, command, arg);
    if (r >= 0 && (command == GETVAL || command == GETALL))
        BY_NAME(rt_acquire, RT_NAMED_SEM, id);
    if (r >= 0 && command == GETALL)
        W(arg, values);
    if (r >= 0 && command == IPC_STAT)
        W(arg, sizeof state);
    return r;
}

CALLS(int, shmctl, (int id, int command, struct shmid_ds *to), (id, command, to),
      r >= 0 && command == IPC_STAT, WHOLE(to))

INTERCEPT(void *, shmat, (int id, const void *at, int flags))
{
    void *r = REAL(shmat)(id, at, flags);
    struct shmid_ds state;
    if (r != (void *)-1 && REAL(shmctl)(id, IPC_STAT, &state) == 0)
        RT_RECORD(t, rt_memory_fresh(t, (uintptr_t)r, (state.shm_segsz + 4095) & ~4095ul));
    return r;
}
