/* SPDX-License-Identifier: Apache-2.0
 *
 * Names that come from a trace, printed for people: somebody else's trace must not be able to colour the terminal or to forge lines.
 */
#ifndef GL_CLI_PLAIN_H
#define GL_CLI_PLAIN_H

#include <stdio.h>

/* Replaces each byte of a control character (of ASCII, and the C1 set in UTF-8) by `?`, in place; returns text, which may be NULL. */
char *gl_plain(char *text);

/* Prints text so; NULL prints nothing. */
void gl_put_plain(const char *text, FILE *to);

#endif
