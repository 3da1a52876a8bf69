/* SPDX-License-Identifier: Apache-2.0
 *
 * What a printer writes, gathered as one text.
 */
#ifndef GL_TESTS_SUPPORT_PAGE_H
#define GL_TESTS_SUPPORT_PAGE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct page {
    char text[16384];
    size_t n;
};

/* ctx: the page.  What a printer takes as its `write`. */
static inline void page_append(void *ctx, const char *text, size_t n)
{
    struct page *p = (struct page *)ctx;
    assert_true(p->n + n < sizeof p->text);
    memcpy(p->text + p->n, text, n);
    p->n += n;
    p->text[p->n] = 0;
}

#endif
