/* SPDX-License-Identifier: Apache-2.0
 *
 * What every --json output shares.
 */
#ifndef GL_CLI_JSON_H
#define GL_CLI_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* A new string; bytes that are not UTF-8 come as `?`.  NULL text: null. */
json_t *gl_json_text(const char *text);
/* A new number; numbers end at 2^63 - 1. */
json_t *gl_json_number(uint64_t n);
/* Prints it on one line of standard output, and gives it back.  False: it is NULL, or memory ran out. */
bool gl_json_print(json_t *value);

#endif
