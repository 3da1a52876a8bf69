// SPDX-License-Identifier: Apache-2.0
// A task with an event is complete when that is fulfilled: what comes before that comes before all that waits for the task.
// flags: -fopenmp
// exercises: GOMP_taskgroup_end GOMP_taskgroup_start
#define FULFIL omp_fulfill_event
#include "tests/programs/omp_task_detach.h"
