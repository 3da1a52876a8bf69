/* SPDX-License-Identifier: Apache-2.0
 *
 * "vc": a read clock and a write clock per variable.  See vc.c.
 */
#ifndef GL_PEERS_VC_H
#define GL_PEERS_VC_H

#include "core/detector.h"

extern const struct gl_detector gl_detector_vc;

#endif
