/* SPDX-License-Identifier: Apache-2.0
 *
 * `goldilocks detectors`: what can judge a trace, and what each promises.
 */
#include "cli/detectors.h"

#include <stdio.h>
#include <string.h>

#include "platform/option_text.h"
#include "peers/registry.h"

enum { DETECTORS_MAX = 64 };

const struct gl_detector *gl_detector_asked(const struct gl_command *cmd, const char *name)
{
    const struct gl_detector *found = gl_detector_by_name(name);
    if (found)
        return found;
    const char *names[DETECTORS_MAX];
    size_t n = 0;
    for (; gl_detectors[n] && n < DETECTORS_MAX; n++)
        names[n] = gl_detectors[n]->name;
    const char *near = gl_nearest_name(name, strlen(name), names, n);
    gl_complain(cmd, "there is no detector '%s'%s%s%s; 'goldilocks detectors' lists them all", name,
                near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
    return NULL;
}

static int run_detectors(const struct gl_command *cmd, int argc, char **argv)
{
    int status = gl_no_flags(cmd, argc, argv, 0);
    if (status >= 0)
        return status;
    int width = 8;
    for (size_t i = 0; gl_detectors[i]; i++)
        if ((int)strlen(gl_detectors[i]->name) > width)
            width = (int)strlen(gl_detectors[i]->name);
    printf("%-*s  precise  what it is\n", width, "detector");
    for (size_t i = 0; gl_detectors[i]; i++) {
        const struct gl_detector *d = gl_detectors[i];
        printf("%-*s  %-7s  %s\n", width, d->name, d->can & GL_CAN_PRECISE ? "yes" : "no", d->sentence);
        for (const struct gl_switch *s = d->switches; s && s->name; s++)
            printf("%-*s           --set %s=%s: %s\n", width, "", s->name, s->usual ? "on" : "off",
                   s->sentence);
    }
    return GL_EXIT_OK;
}

const struct gl_command gl_command_detectors = {
    .name = "detectors",
    .arguments = "",
    .summary = "list the detectors that can judge a trace",
    .text = "Lists the detectors for 'goldilocks analyze' and 'goldilocks compare'. A precise detector finds the first race\n"
            "of each variable exactly: it misses none and invents none. The others are steps on the way to it, described\n"
            "in papers; their line says what they lack. Below a detector stand its switches for 'goldilocks analyze --set',\n"
            "with their default settings.\n",
    .run = run_detectors,
};
