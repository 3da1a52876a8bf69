/* SPDX-License-Identifier: Apache-2.0
 *
 * "eraser": the detector that the papers compare with.  Imprecise; see eraser.c.
 */
#ifndef GL_PEERS_ERASER_H
#define GL_PEERS_ERASER_H

#include "core/detector.h"

extern const struct gl_detector gl_detector_eraser;

#endif
