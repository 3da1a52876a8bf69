/* SPDX-License-Identifier: Apache-2.0
 *
 * A report as text, in the layout of ThreadSanitizer, which people and scripts know.
 *
 *     struct gl_text t = {.style = GL_STYLE_OWN, .write = to_stderr};
 *     gl_text_report(&report, &t);
 *
 * GL_STYLE_TSAN is that layout to the letter.  GL_STYLE_OWN says Goldilocks where that says
 * ThreadSanitizer, names a free a free, names an intercepted function beside the access and not as a frame, and adds why nothing orders the accesses and how often, and where the
 * locks of a cycle were made.
 *
 * Thread-safe and without state; a report comes in several pieces, so whoever wants reports whole holds
 * a lock around the call.  Allocates nothing; uses about 3 KiB of stack.
 */
#ifndef GL_REPORT_TEXT_H
#define GL_REPORT_TEXT_H

#include "report/report.h"

enum gl_style { GL_STYLE_OWN, GL_STYLE_TSAN };

struct gl_text {
    enum gl_style style;
    bool goroutines;          /* threads are goroutines, the first of them the main one; an access is told by its first byte only */
    bool colour;              /* ANSI colours: the caller knows whether a terminal listens */
    const char *strip_prefix; /* file names lose everything up to and with this; NULL or "": nothing */
    void (*write)(void *ctx, const char *text, size_t n); /* text is not terminated */
    void *write_ctx;
    /* The frames of one program counter, innermost inlined one first: how many of at most `max`, 0: none.
     * Strings must live until gl_text_report() returns.  NULL: program counters are printed as numbers. */
    int (*symbolize)(void *ctx, uintptr_t pc, struct gl_report_frame *out, int max);
    void *symbolize_ctx;
};

void gl_text_report(const struct gl_report *r, const struct gl_text *t);

/* The closing line of a program in which so many races and other mistakes were reported; nothing for none. */
void gl_text_closing(uint64_t races, uint64_t others, const struct gl_text *t);

/* ---- what other printers take as well ---- */

enum { GL_TEXT_INLINED = 16 }; /* frames at one program counter; the outermost are cut */
/* The frames at pc, at least one; out has room for GL_TEXT_INLINED. */
int gl_text_frames(const struct gl_text *t, uintptr_t pc, struct gl_report_frame *out);
/* The name of the function of the runtime that the stack's innermost frame called, and its frame; NULL: there is none, or it is not known. */
const char *gl_text_called(const struct gl_text *t, const struct gl_report_stack *s, struct gl_report_frame *out);
/* What follows the first `prefix` in `path` (and a "./" after it), as ThreadSanitizer strips. */
const char *gl_text_strip(const char *path, const char *prefix);
/* The stack whose innermost frame the report is about; NULL: none. */
const struct gl_report_stack *gl_text_main_stack(const struct gl_report *r);

#endif
