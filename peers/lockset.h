/* SPDX-License-Identifier: Apache-2.0
 *
 * The two naive locksets that the papers begin with.  Imprecise; see lockset.c.
 */
#ifndef GL_PEERS_LOCKSET_H
#define GL_PEERS_LOCKSET_H

#include "core/detector.h"

extern const struct gl_detector gl_detector_lockset_fixed;   /* one set of locks for ever */
extern const struct gl_detector gl_detector_lockset_dynamic; /* the locks of the last access */

#endif
