// SPDX-License-Identifier: Apache-2.0
// Fortran fulfils an event by a name of its own: a task with an event is complete when that is fulfilled: what comes before that comes before all that waits for the task.
// flags: -fopenmp
// only: gcc (libomp takes the event by reference, or has no such name)
// exercises: omp_fulfill_event_
#include <omp.h>
void fulfill_of_fortran(omp_event_handle_t event) __asm__("omp_fulfill_event_");
#define FULFIL fulfill_of_fortran
#include "tests/programs/omp_task_detach.h"
