/* SPDX-License-Identifier: Apache-2.0
 *
 * What is sampled, see sample.h.
 */
#include "native/sample.h"
#include "native/state.h"

#include <time.h>

struct rt_sample rt_sample;

void rt_sample_init(void)
{
    uint32_t percent = (uint32_t)rt.options.sample;
    if (percent == 100)
        return;
    rt_sample.seed = (uint32_t)rt.options.sample_seed;
    if (!rt_sample.seed) { /* another choice in each run */
        struct timespec now;
        gl_os_time_in(&now, 0);
        rt_sample.seed =
            ((uint32_t)now.tv_nsec ^ (uint32_t)now.tv_sec << 20 ^ gl_os_pid() << 8) * 0x9E3779B1u & INT32_MAX;
        rt_sample.seed += !rt_sample.seed; /* 0 cannot be asked for again */
    }
    rt_sample.limit = (uint32_t)((1ull << 32) * percent / 100);
}

void rt_sample_closing(void)
{
    if (!rt_sample.limit || rt.options.format == RT_FORMAT_JSON)
        return;
    char line[160];
    int n = gl_format(line, sizeof line,
                      "Goldilocks: %d of 100 lines of memory were checked (sample=%d:sample_seed=%u)\n",
                      rt.options.sample, rt.options.sample, (unsigned)rt_sample.seed);
    rt_print(line, (size_t)n);
}
