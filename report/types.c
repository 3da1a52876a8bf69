/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of the kinds of report, and of the signals that they tell of.
 */
#include "report/report.h"

const char *gl_report_title(enum gl_report_type type)
{
    static const char *const title[] = {
#define TYPE(name, title, word, suppressed) title,
#include "report/types.def"
#undef TYPE
    };
    return title[type];
}

const char *gl_report_word(enum gl_report_type type)
{
    static const char *const words[] = {
#define TYPE(name, title, word, suppressed) word,
#include "report/types.def"
#undef TYPE
    };
    return words[type];
}

const char *gl_report_signal(uint32_t signal)
{
    static const char *const name[] = {[4] = "SIGILL", [7] = "SIGBUS", [8] = "SIGFPE", [11] = "SIGSEGV"}; /* Linux's numbers */
    return signal < sizeof name / sizeof *name ? name[signal] : NULL;
}
