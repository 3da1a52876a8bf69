/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of the agent's options, and the two texts they are read from.
 */
#include "java/options.h"

static const struct gl_option table[] = {
#define OPTION(type, name, deflt, values, alias, sentence) \
    GL_OPTION_ROW(struct gl_j_options, type, name, deflt, values, alias, sentence)
#include "java/options.def"
#undef OPTION
};

const struct gl_option_set gl_j_option_set = {table, sizeof table / sizeof table[0], sizeof(struct gl_j_options), ",",
                                              "goldilocks java --options"};

bool gl_j_options_parse(const char *environment, const char *own, struct gl_j_options *out, char *error, size_t cap)
{
    return gl_options_defaults(&gl_j_option_set, out, error, cap) &&
           gl_options_text(&gl_j_option_set, "GOLDILOCKS_JAVA_OPTIONS", false, environment, out, error, cap) &&
           gl_options_text(&gl_j_option_set, "the agent's options", false, own, out, error, cap);
}
