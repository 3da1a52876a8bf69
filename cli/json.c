/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *gl_json_text(const char *text)
{
    json_t *made = text ? json_string(text) : json_null();
    if (made)
        return made;
    char *plain = strdup(text);
    for (char *c = plain; c && *c; c++)
        if ((unsigned char)*c >= 128)
            *c = '?';
    made = plain ? json_string(plain) : NULL;
    free(plain);
    return made;
}

json_t *gl_json_number(uint64_t n) { return json_integer(n > INT64_MAX ? INT64_MAX : (json_int_t)n); }

bool gl_json_print(json_t *value)
{
    /* A full disk shows in ferror(stdout), which main() asks. */
    bool fine = value && (json_dumpf(value, stdout, JSON_COMPACT) == 0 || ferror(stdout));
    if (fine)
        putchar('\n');
    json_decref(value);
    return fine;
}
