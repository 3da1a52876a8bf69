/* SPDX-License-Identifier: Apache-2.0
 *
 * "fasttrack" and "treeclock": one last write and, mostly, one last read per variable, as epochs.  See fasttrack.c.
 */
#ifndef GL_PEERS_FASTTRACK_H
#define GL_PEERS_FASTTRACK_H

#include "core/detector.h"

extern const struct gl_detector gl_detector_fasttrack;
extern const struct gl_detector gl_detector_treeclock;

#endif
