/* SPDX-License-Identifier: Apache-2.0
 *
 * The version of Goldilocks, said once: the build reads it from here.
 */
#ifndef GOLDILOCKS_VERSION_H
#define GOLDILOCKS_VERSION_H

#define GOLDILOCKS_VERSION_MAJOR 0
#define GOLDILOCKS_VERSION_MINOR 1
#define GOLDILOCKS_VERSION_PATCH 0
#define GOLDILOCKS_VERSION_STRING "0.1.0"

#endif
