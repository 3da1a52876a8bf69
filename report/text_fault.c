/* SPDX-License-Identifier: Apache-2.0
 *
 * The lines of a report of a signal that ends the program, but for the stacks and the summary, which all reports have.
 */
#include "report/printer.h"

enum { ZERO_PAGE = 4096 };

/* ThreadSanitizer's have no SIG in front. */
const char *gl_print_signal_name(const struct gl_printer *p, const struct gl_report *r)
{
    bool tsan = gl_print_is_tsan(p);
    if (r->fault.stack_full)
        return tsan ? "stack-overflow" : "stack overflow";
    const char *name = gl_report_signal(r->signal);
    if (!name)
        return "a signal";
    return tsan ? name + sizeof "SIG" - 1 : name;
}

void gl_print_fault(struct gl_printer *p, const struct gl_report *r)
{
    static const char *const access[] = {"an access", "a read", "a write", "a call or jump"};
    const struct gl_report_fault *f = &r->fault;
    const char *name = gl_report_signal(r->signal);
    gl_print_colour(p, GL_ACCESS);
    gl_fmt_text(&p->o, "  ");
    gl_fmt_text(&p->o, name ? name : "a signal");
    if (f->sent) {
        gl_fmt_text(&p->o, " sent by process ");
        gl_fmt_dec(&p->o, f->sender);
        gl_fmt_text(&p->o, " to ");
    } else if (f->addressed) {
        gl_fmt_text(&p->o, " at ");
        gl_fmt_text(&p->o, access[f->access]);
        gl_fmt_text(&p->o, f->access == GL_FAULT_EXECUTE ? " to address " : " of address ");
        gl_fmt_address(&p->o, f->address);
        gl_fmt_text(&p->o, f->stack_full ? ", past the end of the stack, by " : " by ");
    } else {
        gl_fmt_text(&p->o, " in ");
    }
    gl_print_thread(p, f->thread);
    gl_fmt_char(&p->o, ':');
    gl_print_colour(p, GL_DEFAULT);
    gl_fmt_char(&p->o, '\n');
}

/* ---- ThreadSanitizer's ---- */

/* Each line begins so. */
static void process(struct gl_printer *p, const struct gl_report *r)
{
    gl_fmt_text(&p->o, "==");
    gl_fmt_dec(&p->o, r->pid);
    gl_fmt_text(&p->o, "==");
}

static void named_address(struct gl_printer *p, const char *before, uintptr_t value)
{
    gl_fmt_text(&p->o, before);
    gl_fmt_address(&p->o, value);
}

void gl_print_fault_begin(struct gl_printer *p, const struct gl_report *r)
{
    static const char *const access[] = {"UNKNOWN", "READ", "WRITE", "UNKNOWN"};
    const struct gl_report_fault *f = &r->fault;
    gl_fmt_text(&p->o, "ThreadSanitizer:DEADLYSIGNAL\n");
    gl_print_colour(p, GL_WARNING);
    process(p, r);
    gl_fmt_text(&p->o, "ERROR: ThreadSanitizer: ");
    gl_fmt_text(&p->o, gl_print_signal_name(p, r));
    named_address(p, f->stack_full ? " on address " : " on unknown address ", f->address);
    named_address(p, " (pc ", f->pc);
    named_address(p, " bp ", f->bp);
    named_address(p, " sp ", f->sp);
    gl_fmt_text(&p->o, " T");
    gl_fmt_dec(&p->o, f->thread);
    gl_fmt_char(&p->o, ')');
    gl_print_colour(p, GL_DEFAULT);
    gl_fmt_char(&p->o, '\n');
    if (!f->addressed || f->stack_full)
        return;
    process(p, r);
    gl_fmt_text(&p->o, "The signal is caused by a ");
    gl_fmt_text(&p->o, access[f->access]);
    gl_fmt_text(&p->o, " memory access.\n");
    if (f->address < ZERO_PAGE) {
        process(p, r);
        gl_fmt_text(&p->o, "Hint: address points to the zero page.\n");
    }
}

void gl_print_fault_middle(struct gl_printer *p, const struct gl_report *r)
{
    if (!r->fault.stack_full)
        gl_fmt_text(&p->o, "ThreadSanitizer can not provide additional info.\n");
}

void gl_print_fault_end(struct gl_printer *p, const struct gl_report *r)
{
    process(p, r);
    gl_fmt_text(&p->o, "ABORTING\n");
}
