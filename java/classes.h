/* SPDX-License-Identifier: Apache-2.0
 *
 * What is known of classes that were seen at load: their fields and kinds, by defining loader and name.
 *
 * A loader that has defined a class finds that class under its name for ever; so what is known of (loader, name) holds
 * for every other class of that loader.  Nothing is concluded for classes of other loaders.
 *
 * Any thread may call anything.  Entries live as long as the JVM.
 */
#ifndef GL_JAVA_CLASSES_H
#define GL_JAVA_CLASSES_H

#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "java/rewrite.h"

/* A number > 0 for the loader (NULL: the boot loader).  0: no memory. */
uint32_t gl_j_loader(jvmtiEnv *ti, JNIEnv *env, jobject loader);

/* Reads the class file and remembers it, if it was not read before; its number > 0, which is that of (loader, name) for ever.  0: malformed
 * or no memory.  `defined`: the class is there already, so that no members can be added to it, now and whenever it is transformed again. */
uint32_t gl_j_class_add(uint32_t loader, const uint8_t *bytes, size_t n, bool defined);

/* Was the class there when its file was read first? */
bool gl_j_class_is_late(uint32_t loader, const char *name);

/* Had its file, when it was read first, a method of the name by which class loaders are asked? */
bool gl_j_class_loads(uint32_t loader, const char *name);

/* The number of (loader, name), made when there is none yet; 0: no memory. */
uint32_t gl_j_class_id(uint32_t loader, const char *name);

/* The kind of a field that `owner` or one of its superclasses declares; UNKNOWN when one of them was not seen. */
enum gl_jkind gl_j_field_kind(uint32_t loader, const char *owner, const char *name, const char *desc, bool is_static);

/* Which class it is of which that is UNKNOWN, for it was not seen: `owner` or one of its superclasses.  A string that stays; NULL: all
 * were seen. */
const char *gl_j_class_unseen(uint32_t loader, const char *owner);

/* The position of the field among those of its class, and whether another one has its name: as gl_jshadow_name() wants.
 * false: the class or the field was not seen. */
bool gl_j_field_position(uint32_t loader, const char *owner, const char *name, const char *desc, unsigned *index, bool *twice);

/* The access flags of the field, when `owner` itself declares it; -1: it does not, or was not seen. */
int gl_j_field_access(uint32_t loader, const char *owner, const char *name, const char *desc);

/* May objects of the class have a finalizer: it declares one, or inherits it from a class of the same loader, or from an application
 * class that was not seen? */
bool gl_j_class_finalizes(uint32_t id);

/* Was its file read, and does it have no static initializer there? */
bool gl_j_class_lacks_initializer(uint32_t id);

/* Has its file this native method, which becomes two where the class is rewritten?  name NULL: has it any? */
bool gl_j_class_wraps_native(uint32_t id, const char *name, const char *desc);

/* Is the class an event of the flight recorder, as far as its superclasses are of the same loader?  The JVM adds fields to such a class when it is loaded, behind
 * our back. */
bool gl_j_class_is_event(uint32_t id);

/* Is it a Throwable, as far as names tell?  One of its superclasses is called "...Exception", "...Error" or "...Throwable"; the chain is followed as far as it was seen
 * when this was asked for the first time: a class that is transformed again gets the same members. */
bool gl_j_class_may_be_thrown(uint32_t id);

/* The number of the superclass, when the same loader has defined it; 0: not so, or not seen. */
uint32_t gl_j_class_super(uint32_t id);

#endif
