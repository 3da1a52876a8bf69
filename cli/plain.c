/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/plain.h"

/* Bytes of the control character that begins at c; 0: none begins there. */
static unsigned control(const char *c)
{
    unsigned char a = (unsigned char)c[0], b = a ? (unsigned char)c[1] : 0;
    if (a == 0xc2 && b >= 0x80 && b < 0xa0)
        return 2;
    return a && (a < ' ' || a == 0x7f);
}

char *gl_plain(char *text)
{
    for (char *c = text; c && *c; c++)
        for (unsigned n = control(c); n; n--)
            c[n - 1] = '?';
    return text;
}

void gl_put_plain(const char *text, FILE *to)
{
    unsigned left = 0; /* bytes of the present control character */
    for (const char *c = text; c && *c; c++) {
        if (!left)
            left = control(c);
        putc(left ? '?' : *c, to);
        left -= left > 0;
    }
}
