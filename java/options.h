/* SPDX-License-Identifier: Apache-2.0
 *
 * The agent's options as a struct.  They are read from the text after the agent's path, where ',' separates them, and
 * before that from GOLDILOCKS_JAVA_OPTIONS.
 */
#ifndef GL_JAVA_OPTIONS_H
#define GL_JAVA_OPTIONS_H

#include "platform/option_text.h"

/* The order is that of the `values` column in options.def. */
enum gl_j_on_race { GL_J_REPORT, GL_J_THROW, GL_J_HALT, GL_J_LOG };
enum gl_j_stop { GL_J_STOP_NOTHING, GL_J_STOP_VARIABLE, GL_J_STOP_FIELD, GL_J_STOP_ALL };
/* As their names in peers/registry.h. */
enum gl_j_detector { GL_J_GOLDILOCKS, GL_J_VC, GL_J_FASTTRACK, GL_J_ERASER };
enum gl_j_history { GL_J_SITE, GL_J_STACK };
enum gl_j_format { GL_J_TEXT, GL_J_JSON };

struct gl_j_options {
#define OPTION(type, name, deflt, values, alias, sentence) GL_OPTION_FIELD(type, name)
#include "java/options.def"
#undef OPTION
};

extern const struct gl_option_set gl_j_option_set;

/* The defaults, then what `environment` says, then what `own` says; both may be NULL.  false: `error` holds one sentence. */
bool gl_j_options_parse(const char *environment, const char *own, struct gl_j_options *out, char *error, size_t cap);

#endif
