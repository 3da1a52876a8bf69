/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the text printer share (text.c, text_fault.c).
 */
#ifndef GL_REPORT_PRINTER_H
#define GL_REPORT_PRINTER_H

#include "report/fmt.h"
#include "report/text.h"

struct gl_printer {
    struct gl_fmt o;
    const struct gl_text *t;
};

enum gl_printer_colour { GL_DEFAULT, GL_WARNING, GL_ACCESS, GL_PLACE, GL_CREATION, GL_REASON };

void gl_print_colour(struct gl_printer *p, enum gl_printer_colour c);
void gl_print_thread(struct gl_printer *p, uint32_t number); /* "main thread", "thread T3" */

static inline bool gl_print_is_tsan(const struct gl_printer *p)
{
    return p->t->style == GL_STYLE_TSAN;
}

/* ---- signals that end the program (text_fault.c) ---- */

const char *gl_print_signal_name(const struct gl_printer *p, const struct gl_report *r);
void gl_print_fault(struct gl_printer *p, const struct gl_report *r); /* the line before the stack, in our words */
/* ThreadSanitizer has a layout of its own for such reports: what comes before the stack, between it and the summary, and last. */
void gl_print_fault_begin(struct gl_printer *p, const struct gl_report *r);
void gl_print_fault_middle(struct gl_printer *p, const struct gl_report *r);
void gl_print_fault_end(struct gl_printer *p, const struct gl_report *r);

#endif
