/* SPDX-License-Identifier: Apache-2.0
 *
 * What is remembered of bytes: spans, pieces that are split and cleared, and the verdict made of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "peers/words.h"
#include "tests/support/fake_env.h"

struct mine {
    struct gl_piece piece;
    int value;
};

static struct fake_env env;
static struct gl_pool pool;

static struct gl_words begin(void)
{
    fake_env_init(&env);
    gl_pool_init(&pool, &env.env);
    return (struct gl_words){.pool = &pool, .piece_bytes = sizeof(struct mine)};
}

static void end(void)
{
    gl_pool_end(&pool);
    assert_true(fake_env_is_clean(&env));
}

static void spans(void **state)
{
    (void)state;
    struct gl_span s;
    uint32_t done = 0;
    assert_true(gl_span_next(0x1003, 6, &done, &s)); /* 1003 | 1004..1007 | 1008 */
    assert_int_equal(s.word, 0x1000);
    assert_int_equal(s.mask, 8);
    assert_int_equal(s.index + 3, 0);
    assert_true(gl_span_next(0x1003, 6, &done, &s));
    assert_int_equal(s.word, 0x1004);
    assert_int_equal(s.mask, 15);
    assert_int_equal(s.index, 1);
    assert_true(gl_span_next(0x1003, 6, &done, &s));
    assert_int_equal(s.word, 0x1008);
    assert_int_equal(s.mask, 1);
    assert_int_equal(s.index, 5);
    assert_false(gl_span_next(0x1003, 6, &done, &s));
    s = gl_span_of_byte(0x2002, 9);
    assert_int_equal(s.word, 0x2000);
    assert_int_equal(s.mask, 4);
    assert_int_equal(s.index + 2, 9);
}

static void split(void **state)
{
    (void)state;
    struct gl_words w = begin();
    struct gl_piece *p[4];
    assert_int_equal(gl_words_split(&w, 0x1000, 15, p), 1);
    ((struct mine *)p[0])->value = 7;
    assert_int_equal(gl_words_split(&w, 0x1000, 6, p), 1);
    assert_true(p[0]->copied && p[0]->bytes == 6 && ((struct mine *)p[0])->value == 7);
    p[0]->copied = false;
    ((struct mine *)p[0])->value = 8;
    assert_int_equal(gl_words_split(&w, 0x1000, 15, p), 2); /* both as a whole: nothing is split */
    unsigned bytes = 0;
    for (int i = 0; i < 2; i++) {
        assert_false(p[i]->copied);
        assert_int_equal(((struct mine *)p[i])->value, p[i]->bytes == 6 ? 8 : 7);
        bytes |= p[i]->bytes;
    }
    assert_int_equal(bytes, 15);
    /* no memory: nothing changes */
    env.fail_at = atomic_load(&env.maps) + 1;
    env.fail_from = true;
    while (gl_pool_take(&pool, sizeof(struct mine)))
        ;
    assert_int_equal(gl_words_split(&w, 0x1000, 2, p), 0);
    assert_int_equal(gl_words_split(&w, 0x1000, 15, p), 2);
    assert_int_equal(gl_words_split(&w, 0x5000, 15, p), 0);
    end();
}

static void count(void *ctx, struct gl_piece *p)
{
    (void)p;
    ++*(unsigned *)ctx;
}

static void clear(void **state)
{
    (void)state;
    struct gl_words w = begin();
    struct gl_piece *p[4];
    static const uint64_t words[] = {0, 0x1000, 0x1004, 0x10fc, 0x1100, 0x90000, UINT64_MAX - 3};
    enum { WORDS = sizeof words / sizeof *words };
    for (unsigned i = 0; i < WORDS; i++)
        gl_words_split(&w, words[i], 15, p);
    unsigned gone = 0;
    gl_words_clear(&w, 0x1002, 4, count, &gone); /* halves of two words */
    assert_int_equal(gone, 0);
    assert_int_equal((*gl_words_at(&w, 0x1000))->bytes, 3);
    assert_int_equal((*gl_words_at(&w, 0x1004))->bytes, 12);
    gl_words_clear(&w, 0x1000, 0, count, &gone);
    gl_words_clear(&w, 0x1000, 0x101, count, &gone); /* over a page, and one byte of the next */
    assert_int_equal(gone, 3);
    assert_null(*gl_words_at(&w, 0x1000));
    assert_int_equal((*gl_words_at(&w, 0x1100))->bytes, 14);
    gl_words_clear(&w, 0x1100, 0xffffffff, count, &gone); /* wider than what there is */
    assert_int_equal(gone, 5);
    assert_non_null(*gl_words_at(&w, 0));
    gl_words_clear(&w, UINT64_MAX - 3, 8, count, &gone); /* around the end of memory */
    assert_int_equal(gone, 7);
    end();
}

/* The race names what raced with the lowest byte, in whatever order pieces come. */
static void verdict(void **state)
{
    (void)state;
    const struct gl_event e = {.op = GL_OP_WRITE, .object = 0x1002, .size = 8};
    struct gl_span low = {0x1000, 12, (unsigned)-2}, high = {0x1004, 15, 2};
    struct gl_verdict v = {0};
    struct gl_race race = {0};
    assert_int_equal(gl_verdict_status(&v, &race), GL_OK);
    const struct gl_race_access now = {1, 5, true, false};
    gl_verdict_note(&v, &e, &high, 4, now, (struct gl_race_access){2, 6, true, false}, 4);
    gl_verdict_note(&v, &e, &low, 8, now, (struct gl_race_access){3, 7, false, true}, 12);
    gl_verdict_note(&v, &e, &high, 8, now, (struct gl_race_access){4, 8, true, false}, 8);
    v.nomem = true;
    assert_int_equal(gl_verdict_status(&v, NULL), GL_RACE);
    assert_int_equal(gl_verdict_status(&v, &race), GL_RACE);
    assert_int_equal(race.object, 0x1002);
    assert_int_equal(race.bytes, 1 << 1 | 1 << 4 | 1 << 5);
    assert_int_equal(race.then.thread, 3);
    assert_int_equal(race.then_bytes, 12);
    assert_true(race.then.atomic && !race.then.write);
    v = (struct gl_verdict){.nomem = true};
    assert_int_equal(gl_verdict_status(&v, &race), GL_NOMEM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(spans), cmocka_unit_test(split), cmocka_unit_test(clear),
                                       cmocka_unit_test(verdict)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
