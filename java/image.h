/* SPDX-License-Identifier: Apache-2.0
 *
 * The class files of the JDK as they are in its image, lib/modules, read through the JDK's own library for it (libjimage).
 *
 * gl_j_image_open() once, at VMInit; then any thread may ask.
 */
#ifndef GL_JAVA_IMAGE_H
#define GL_JAVA_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

/* Opens it for good.  Where there is no image (a JDK as its build leaves it), its library is not one that we know, or classes are patched
 * (--patch-module), so that the image does not tell what they are, no class is found afterwards. */
void gl_j_image_open(void);

/* The class file of "java/util/HashMap", from malloc; the caller frees it.  NULL: it is not there, or no memory. */
unsigned char *gl_j_image_class(const char *name, size_t *n);

/* Is it one of the JDK's packages that the class is in?  Asked of the image, since other libraries have packages of such names (com.sun.jna, javax.inject); without one
 * the name says it. */
bool gl_j_of_jdk(const char *name);

#endif
