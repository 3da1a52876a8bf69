/* SPDX-License-Identifier: Apache-2.0
 *
 * The lazy implementation of the technical report, MSR-TR-2006-163, as printed and repaired.
 */
#ifndef GL_PEERS_GOLDILOCKS_2006_H
#define GL_PEERS_GOLDILOCKS_2006_H

#include "core/detector.h"

extern const struct gl_detector gl_detector_goldilocks_2006;       /* Fig. 3 to the letter: imprecise */
extern const struct gl_detector gl_detector_goldilocks_2006_fixed; /* its smallest repair: precise */

#endif
