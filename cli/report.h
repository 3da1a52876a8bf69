/* SPDX-License-Identifier: Apache-2.0
 *
 * What `goldilocks report` makes of saved reports.
 */
#ifndef GL_CLI_REPORT_H
#define GL_CLI_REPORT_H

#include <stdio.h>

#include "cli/saved.h"

/* SARIF 2.1.0.  False: no memory. */
bool gl_report_sarif(const struct gl_saved *reports, size_t n, FILE *to);
/* A page that needs nothing else: no script, no font, no picture from anywhere. */
void gl_report_html(const struct gl_saved *reports, size_t n, FILE *to);

#endif
