/* SPDX-License-Identifier: Apache-2.0
 *
 * The runtime of Go programs that are built with `go build -race`.
 */
#ifndef GL_GO_GO_H
#define GL_GO_GO_H

#include "native/state.h"

/* The record of the calling thread of the system, of whom goroutines know nothing; made when it calls first. */
struct rt_thread *go_home(void);

void go_run_as(struct rt_thread *t);
/* Makes the calling thread run as this goroutine, which nobody else runs; NULL: as its home. */
static inline __attribute__((always_inline)) struct rt_thread *go_on(void *goroutine)
{
    struct rt_thread *t = goroutine ? goroutine : go_home();
    if (RT_UNLIKELY(__atomic_load_n(&rt_tls.self, __ATOMIC_RELAXED) != t)) /* relaxed: nobody but us makes it t */
        go_run_as(t);
    return t;
}

#endif
