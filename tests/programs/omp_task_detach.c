// SPDX-License-Identifier: Apache-2.0
// A task with an event is complete when that is fulfilled: what comes before that comes before all that waits for the task.
// flags: -fopenmp
// exercises: GOMP_taskgroup_end GOMP_taskgroup_start
#include "tests/programs/invisible.h"
#include <omp.h>

int x;
long handle;

int main(void) {
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp taskgroup
            {
                omp_event_handle_t event;
#pragma omp task detach(event)
                {
                    hidden_put(&handle, (long)event);
                    turn_pass();
                }
            }
            turn_wait(2);
            USE(x); //@race 2 read 4
        } else {
            turn_wait(1);
            if (!racy)
                x = 1;
            omp_fulfill_event((omp_event_handle_t)hidden_get(&handle));
            if (racy)
                x = 1; //@race 1 write 4
            turn_pass();
        }
    }
    return 0;
}
