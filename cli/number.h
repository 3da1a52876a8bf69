/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers on the command line and in its output.
 */
#ifndef GL_CLI_NUMBER_H
#define GL_CLI_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A whole decimal number, 0 .. max; k, M or G after it mean thousands, millions, milliards.  False: it is none. */
bool gl_number_parse(const char *text, uint64_t max, uint64_t *out);

/* For people: 1234567 as "1,234,567".  Returns text, which has room for 27 characters. */
char *gl_number_text(char text[27], uint64_t n);

#endif
