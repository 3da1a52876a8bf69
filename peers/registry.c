/* SPDX-License-Identifier: Apache-2.0 */
#include "peers/registry.h"

#include "peers/eager.h"
#include "peers/eraser.h"
#include "peers/fasttrack.h"
#include "peers/goldilocks_2006.h"
#include "peers/lockset.h"
#include "peers/vc.h"

const struct gl_detector *const gl_detectors[] = {
    &gl_detector_goldilocks,
    &gl_detector_eager,
    &gl_detector_goldilocks_2006,
    &gl_detector_goldilocks_2006_fixed,
    &gl_detector_vc,
    &gl_detector_fasttrack,
    &gl_detector_treeclock,
    &gl_detector_eraser,
    &gl_detector_lockset_fixed,
    &gl_detector_lockset_dynamic,
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
