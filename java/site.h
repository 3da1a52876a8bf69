/* SPDX-License-Identifier: Apache-2.0
 *
 * Sites: the places in the program whose numbers the probes carry and the cells remember.
 *
 * Any thread may add and look up.  Sites and their strings live as long as the JVM.
 */
#ifndef GL_JAVA_SITE_H
#define GL_JAVA_SITE_H

#include <stdbool.h>
#include <stdint.h>

enum gl_j_op { GL_J_FIELD, GL_J_STATIC, GL_J_ARRAY, GL_J_CLASS /* no access: the use of a class */ };

struct gl_j_site {
    const char *class_name;  /* of the method, "a/b/C" */
    const char *method;
    const char *method_desc;
    const char *file;        /* NULL: unknown */
    const char *owner;       /* FIELD, STATIC, CLASS, or a call: the class that the instruction names */
    const char *field;       /* FIELD, STATIC */
    const char *field_desc;  /* FIELD, STATIC; ARRAY: "[I" ..., NULL: any */
    uint32_t line;           /* 0: unknown */
    uint16_t bci;            /* of the instruction in the class file as it came */
    uint8_t op;              /* enum gl_j_op */
    bool write;
};

/* A copy of the site gets a number > 0; equal strings are kept once.  0: no memory, or the table is full (16 million). */
uint32_t gl_j_site_add(const struct gl_j_site *site);
/* NULL: no such number. */
const struct gl_j_site *gl_j_site(uint32_t number);
/* The place itself, however often its class was defined or transformed: of the numbers whose sites say the same, the one that was asked
 * for first.  Without memory the number itself. */
uint32_t gl_j_site_place(uint32_t number);
uint32_t gl_j_sites(void); /* how many there are */
bool gl_j_sites_lacking(void); /* gl_j_site_add() has said 0 */

/* The text once for all.  NULL: no memory. */
const char *gl_j_intern(const char *text);

#endif
