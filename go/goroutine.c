/* SPDX-License-Identifier: Apache-2.0
 *
 * Goroutines are fibers (native/fiber.c) of which nobody says when they begin and stop to run on a thread of the system: each call names the one that
 * makes it, and Go's scheduler sees to it that only one thread runs it.  What a thread does between goroutines it does as its own record, its home.
 */
#include "go/go.h"

#include <pthread.h>

static __thread struct rt_thread *home __attribute__((tls_model("initial-exec")));

/* The thread of the system ends; whoever it ran last may go on elsewhere. */
static void thread_ends(void *of)
{
    struct rt_thread *mine = of;
    rt_enter_always();
    rt_thread_run_as(mine, mine);
    mine->detached = mine->joined = true; /* nobody waits for it */
    rt_thread_aside_end(mine);            /* when it steps out: until its record has ended a sweep waits for us */
    rt_thread_step_out(mine);
    home = NULL;
    rt_leave();
}

static struct rt_thread *home_begin(void)
{
    static pthread_key_t at_end; /* made by the first thread, when it is alone */
    static bool is_made;
    rt_init();
    if (!rt_tls.self && !rt_thread_start_main())
        rt_die("no memory for a thread; lift the memory limit of the process");
    home = rt_tls.self;
    if (!is_made)
        is_made = pthread_key_create(&at_end, thread_ends) == 0;
    else
        (void)pthread_setspecific(at_end, home); /* not the first one's: the process ends with it */
    return home;
}

struct rt_thread *go_home(void) { return RT_LIKELY(home != NULL) ? home : home_begin(); }

void go_run_as(struct rt_thread *t)
{
    struct rt_thread *mine = go_home();
    rt_enter_always();
    rt_thread_run_as(t, mine);
    rt_leave();
}
