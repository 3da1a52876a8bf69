/* SPDX-License-Identifier: Apache-2.0
 *
 * The reference detector, "goldilocks-eager": precise, slow, written to be read.  It judges the
 * others.  See eager.c.
 */
#ifndef GL_PEERS_EAGER_H
#define GL_PEERS_EAGER_H

#include "core/detector.h"

extern const struct gl_detector gl_detector_eager;

#endif
