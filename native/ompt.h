/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface between an OpenMP library and a tool (OMPT), as far as omp_tool.c uses it.  Numbers and signatures are those of
 * chapter 19 of the OpenMP specification 5.2; the header that libraries bring, <omp-tools.h>, is not needed to build.
 */
#ifndef GL_NATIVE_OMPT_H
#define GL_NATIVE_OMPT_H

#include <stdint.h>

/* What a library keeps for the tool: of a region, a task, a thread. */
union ompt_data {
    uint64_t value;
    void *ptr;
};

enum ompt_endpoint { OMPT_BEGIN = 1, OMPT_END = 2, OMPT_BEGINEND = 3 };

enum ompt_callback {
    OMPT_PARALLEL_BEGIN = 3,
    OMPT_PARALLEL_END = 4,
    OMPT_TASK_CREATE = 5,
    OMPT_TASK_SCHEDULE = 6,
    OMPT_IMPLICIT_TASK = 7,
    OMPT_SYNC_REGION_WAIT = 16,
    OMPT_MUTEX_RELEASED = 17,
    OMPT_DEPENDENCES = 18,
    OMPT_WORK = 20,
    OMPT_SYNC_REGION = 23,
    OMPT_LOCK_INIT = 24,
    OMPT_LOCK_DESTROY = 25,
    OMPT_MUTEX_ACQUIRED = 27,
    OMPT_FLUSH = 29,
    OMPT_REDUCTION = 31
};

enum ompt_sync_region {
    OMPT_BARRIER = 1,
    OMPT_BARRIER_IMPLICIT = 2,
    OMPT_BARRIER_EXPLICIT = 3,
    OMPT_BARRIER_IMPLEMENTATION = 4,
    OMPT_TASKWAIT = 5,
    OMPT_TASKGROUP = 6,
    OMPT_SYNC_REDUCTION = 7,
    OMPT_BARRIER_WORKSHARE = 8,
    OMPT_BARRIER_PARALLEL = 9,
    OMPT_BARRIER_TEAMS = 10
};

enum ompt_work { OMPT_WORK_LOOP = 1, OMPT_WORK_LOOP_STATIC = 10, OMPT_WORK_LOOP_OTHER = 13 }; /* 10..13: since 5.2 */

enum ompt_mutex { OMPT_MUTEX_ORDERED = 7 };

enum ompt_task_flag { OMPT_TASK_EXPLICIT = 4, OMPT_TASK_TARGET = 8, OMPT_TASK_TASKWAIT = 0x10, OMPT_TASK_UNTIED = 0x10000000 };

enum ompt_status {
    OMPT_COMPLETE = 1,
    OMPT_YIELD = 2,
    OMPT_CANCEL = 3,
    OMPT_DETACH = 4,
    OMPT_EARLY_FULFILL = 5,
    OMPT_LATE_FULFILL = 6,
    OMPT_SWITCH = 7,
    OMPT_TASKWAIT_COMPLETE = 8
};

enum ompt_dependence {
    OMPT_IN = 1,
    OMPT_OUT = 2,
    OMPT_INOUT = 3,
    OMPT_MUTEXINOUTSET = 4,
    OMPT_SOURCE = 5,
    OMPT_SINK = 6,
    OMPT_INOUTSET = 7,
    OMPT_OUT_ALL_MEMORY = 34,
    OMPT_INOUT_ALL_MEMORY = 35
};

struct ompt_dependence_item {
    union ompt_data variable; /* an address; of source and sink an iteration number */
    int type;
};

typedef void (*ompt_function)(void);
typedef ompt_function (*ompt_lookup)(const char *name);

struct ompt_start_tool_result {
    int (*initialize)(ompt_lookup lookup, int device, union ompt_data *tool); /* 0: the tool is not there */
    void (*finalize)(union ompt_data *tool);
    union ompt_data tool;
};

#endif
