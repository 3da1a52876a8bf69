/* SPDX-License-Identifier: Apache-2.0
 *
 * What the build embeds.
 */
#ifndef GL_JAVA_RUNTIME_CLASSES_H
#define GL_JAVA_RUNTIME_CLASSES_H

struct gl_j_embedded {
    const char *name; /* "goldilocks/rt/R" */
    const unsigned char *begin, *end;
};

extern const struct gl_j_embedded gl_j_embedded[]; /* ends with a NULL name */

/* The same as one jar. */
extern const unsigned char gl_j_embedded_jar[], gl_j_embedded_jar_end[];

#endif
