/* SPDX-License-Identifier: Apache-2.0
 *
 * A report as one line of JSON (RFC 8259, UTF-8), for tools.  docs/report-json.md is the specification.
 */
#ifndef GL_REPORT_JSON_H
#define GL_REPORT_JSON_H

#include "report/text.h"

/* One object and a newline.  Of *t only write, strip_prefix and symbolize count. */
void gl_json_report(const struct gl_report *r, const struct gl_text *t);

#endif
