// SPDX-License-Identifier: Apache-2.0
// The text of omp_task_detach.c and omp_task_detach_fortran.c, which say by what an event is fulfilled: FULFIL.
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
            FULFIL((omp_event_handle_t)hidden_get(&handle));
            if (racy)
                x = 1; //@race 1 write 4
            turn_pass();
        }
    }
    return 0;
}
