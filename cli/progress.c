/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 24 };
static const double patience = 1.0, interval = 0.1; /* seconds */

double gl_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void gl_progress_begin(struct gl_progress *p, const char *what, uint64_t total)
{
    double now = gl_seconds();
    *p = (struct gl_progress){
        .what = what, .total = total, .terminal = isatty(STDERR_FILENO), .started = now, .last = now};
}

void gl_progress_text(char *text, unsigned size, const char *what, double fraction, uint64_t done,
                      double seconds)
{
    char bar[64] = "";
    if (fraction >= 0) {
        int full = fraction >= 1 ? WIDTH : (int)(fraction * WIDTH);
        snprintf(bar, sizeof bar, "  [%.*s%*s] %3d %%", full, "========================", WIDTH - full, "",
                 fraction >= 1 ? 100 : (int)(fraction * 100));
    }
    snprintf(text, size, "%.30s%s  %.1f M events  %.1f M/s", what, bar, (double)done / 1e6,
             seconds > 0 ? (double)done / 1e6 / seconds : 0.0);
}

void gl_progress_show(struct gl_progress *p, uint64_t done)
{
    if (!p->terminal)
        return;
    double now = gl_seconds();
    if (now - p->started < patience || now - p->last < interval)
        return;
    char text[160];
    gl_progress_text(text, sizeof text, p->what, p->total ? (double)done / (double)p->total : -1.0, done,
                     now - p->started);
    fprintf(stderr, "\r%s\033[K", text);
    p->last = now;
    p->shown = true;
}

void gl_progress_end(struct gl_progress *p)
{
    if (p->shown)
        fputs("\r\033[K", stderr);
    p->shown = false;
}
