/* SPDX-License-Identifier: Apache-2.0 */
#include "peers/registry.h"


#include "peers/eager.h"

const struct gl_detector *const gl_detectors[] = {
    &gl_detector_goldilocks,
    &gl_detector_eager,
    NULL,
};

const struct gl_detector *gl_detector_by_name(const char *name)
{
    for (const struct gl_detector *const *d = gl_detectors; *d; d++) {
        const char *a = (*d)->name, *b = name; /* strcmp is not among what a freestanding library may need */
        while (*a && *a == *b)
            a++, b++;
        if (*a == *b)
            return *d;
    }
    return NULL;
}
