/* SPDX-License-Identifier: Apache-2.0
 *
 * All detectors, by name.  A new one is a file in peers/ and a line in registry.c.
 */
#ifndef GL_PEERS_REGISTRY_H
#define GL_PEERS_REGISTRY_H

#include "core/detector.h"

extern const struct gl_detector *const gl_detectors[]; /* the engine first; ends with NULL */

const struct gl_detector *gl_detector_by_name(const char *name); /* NULL: there is none */

#endif
