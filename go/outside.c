/* SPDX-License-Identifier: Apache-2.0
 *
 * What the runtime has from native/intercept*.c elsewhere: Go programs call the system themselves, and nothing is intercepted.
 */
#include "go/go.h"
#include "native/intercept.h"
#include "native/record.h"

bool rt_comes_first(void) { return true; }
bool rt_is_second(void) { return false; }
void *rt_real_find(const char *name)
{
    (void)name;
    return NULL;
}
bool rt_real_thread(void *(*run)(void *))
{
    (void)run;
    return false;
}
bool rt_can_record(void) { return false; } /* docs/go.md: nobody tells the recorder of goroutines */
void rt_threads_default_stack(void) {}
bool rt_exit_note(uintptr_t pc)
{
    (void)pc;
    return false;
}
int __tsan_on_finalize(int failed) { return failed; }

/* Signals are Go's own business: its handlers call nothing of ours. */
void rt_signal_left(void) {}
void rt_cancel_hold(void) {}
void rt_cancel_release(void) {}
void rt_deliver_pending(void)
{
    if (__atomic_fetch_and(&rt_tls.pending, ~(uint32_t)RT_PENDING_SWEEP, __ATOMIC_RELAXED) & RT_PENDING_SWEEP)
        rt_sweep();
}

/* No library is searched for atomic instructions, and no code is copied near the program. */
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) { return "foreign_atomics=:near_code=no"; }
