/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/number.h"

#include <stdio.h>
#include <string.h>

bool gl_number_parse(const char *text, uint64_t max, uint64_t *out)
{
    uint64_t n = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9'; at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        if (n > (UINT64_MAX - digit) / 10)
            return false;
        n = n * 10 + digit;
    }
    if (at == text)
        return false;
    uint64_t unit = *at == 'k' ? 1000 : *at == 'M' ? 1000000 : *at == 'G' ? 1000000000 : 1;
    at += unit > 1;
    if (*at || n > max / unit)
        return false;
    *out = n * unit;
    return true;
}

char *gl_number_text(char text[27], uint64_t n)
{
    char digits[21];
    int count = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n), at = 0;
    for (int i = 0; i < count; i++) {
        if (i && (count - i) % 3 == 0)
            text[at++] = ',';
        text[at++] = digits[i];
    }
    text[at] = 0;
    return text;
}
