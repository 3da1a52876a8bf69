/* SPDX-License-Identifier: Apache-2.0
 *
 * A bar on stderr that shows how far a long job is: only on a terminal, only after a second.
 */
#ifndef GL_CLI_PROGRESS_H
#define GL_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct gl_progress {
    const char *what; /* shown before the bar; the caller's */
    uint64_t total;   /* events; 0: not known, then the bar is only a count */
    bool terminal;    /* stderr is one */
    bool shown;
    double started, last; /* seconds of the monotonic clock */
};

double gl_seconds(void); /* the monotonic clock */

void gl_progress_begin(struct gl_progress *p, const char *what, uint64_t total);
/* `done` events of the total are over.  Cheap, but not meant for every single one. */
void gl_progress_show(struct gl_progress *p, uint64_t done);
/* Removes the bar. */
void gl_progress_end(struct gl_progress *p);

/* One line of at most size - 1 characters, as it is shown: "what  [=====     ]  50 %  12.0 M events  40.0 M/s".
 * `fraction` < 0: not known. */
void gl_progress_text(char *text, unsigned size, const char *what, double fraction, uint64_t done,
                      double seconds);

#endif
