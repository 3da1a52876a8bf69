/* SPDX-License-Identifier: Apache-2.0
 *
 * Our binary format as a whole: what is written comes back, from the start, from a chunk and from a record.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "goldilocks/trace_format.h"
#include "tests/support/binary_trace.h"
#include "tests/support/generate.h"
#include "tests/unit/trace_env.h"
#include "trace/binary_block.h"
#include "trace/checksum.h"

enum { BATCH = 700 }; /* more than a step of the reader, and no multiple of it */

static struct gl_trace_reader *open_or_fail(const struct buffer *file)
{
    struct gl_trace_error error;
    struct gl_trace_reader *r = gl_trace_open(env, file->at, file->n, GL_TRACE_UNKNOWN, &error);
    if (!r)
        fail_msg("%s", error.text);
    return r;
}

/* The rest of the reader is events[from..to), in batches of `capacity`. */
static void expect_rest(struct gl_trace_reader *r, const struct gl_event *events, size_t from, size_t to,
                        size_t capacity)
{
    static struct gl_event got[BATCH];
    static uint64_t records[BATCH];
    struct gl_trace_batch batch = {got, records, capacity, 0};
    struct gl_trace_error error;
    int answer;
    while ((answer = gl_trace_read(r, &batch, &error)) > 0) {
        assert_in_range(batch.count, 1, capacity);
        for (size_t i = 0; i < batch.count; i++, from++) {
            assert_true(from < to);
            assert_int_equal(records[i], from + 1);
            if (!same_event(&got[i], &events[from]))
                fail_msg("event %zu came back as another one", from);
        }
    }
    if (answer < 0)
        fail_msg("%s", error.text);
    assert_int_equal(from, to);
}

static void expect_names(const struct gl_names *a, const struct gl_names *b)
{
    for (int k = 0; k < GL_NAME_KINDS; k++) {
        enum gl_name_kind kind = (enum gl_name_kind)k;
        assert_int_equal(gl_names_count(a, kind), gl_names_count(b, kind));
        for (uint32_t i = 0; i < gl_names_count(a, kind); i++)
            assert_string_equal(gl_name_of(a, kind, i), gl_name_of(b, kind, i));
    }
    assert_int_equal(gl_data_end(a), gl_data_end(b));
    for (uint64_t page = 0; page < gl_data_end(a) / GOLDILOCKS_TRACE_PAGE; page++) {
        uint64_t base_a, base_b;
        assert_int_equal(gl_data_page(a, page, &base_a), gl_data_page(b, page, &base_b));
        assert_int_equal(base_a, base_b);
    }
}

/* Writes the events, and reads them as a whole. */
static void expect_round_trip(const struct gl_event *events, size_t n, size_t capacity)
{
    struct buffer file = {0};
    struct gl_names *names = names_for(env, events, n);
    write_binary(env, names, events, n, &file);
    struct gl_trace_reader *r = open_or_fail(&file);
    assert_int_equal(gl_trace_format_of(r), GL_TRACE_BINARY);
    assert_true(gl_trace_is_complete(r));
    expect_rest(r, events, 0, n, capacity);
    expect_names(names, gl_trace_names(r));
    gl_trace_close(r);
    gl_names_destroy(names);
    free(file.at);
}

/* ---- what comes back ---- */

static void random_executions(void **state)
{
    (void)state;
    struct generator *g = generator_new();
    struct execution x;
    execution_init(&x, GENERATE_MAX);
    uint64_t seen = 0;
    for (size_t p = 0; p < n_profiles; p++) {
        for (uint64_t seed = 1; seed <= 20; seed++) {
            generate(g, &profiles[p], seed, &x);
            for (size_t i = 0; i < x.n; i++) /* objects with numbers near 2^24 would all need names */
                if (gl_op_class(x.event[i].op) != GL_CLASS_DATA && x.event[i].size == 0)
                    x.event[i].object %= 1024;
            expect_round_trip(x.event, x.n, 1 + seed * 31 % BATCH);
            for (size_t i = 0; i < x.n; i++)
                seen |= 1ull << x.event[i].op;
        }
    }
    assert_int_equal(seen, (1ull << GL_OP_COUNT) - 1); /* every op was there */
    execution_fini(&x);
    generator_delete(g);
}

static void nothing(void **state)
{
    (void)state;
    expect_round_trip(NULL, 0, BATCH);
}

/* More kinds of events than a chunk can tell apart, allocations of any size, numbers of any width. */
static void every_shape(void **state)
{
    (void)state;
    enum { N = 5000 };
    static struct gl_event events[N];
    struct rng rng = rng_seed(7);
    for (size_t i = 0; i < N; i++) {
        struct gl_event *e = &events[i];
        static const enum gl_op ops[] = {GL_OP_READ, GL_OP_WRITE, GL_OP_FREE, GL_OP_ALLOC,
                                         GL_OP_LOAD, GL_OP_STORE, GL_OP_RMW};
        *e = (struct gl_event){.op = ops[rng_below(&rng, 7)],
                               .object = rng_below(&rng, 1u << (i % 20 + 1)) * 16};
        bool atomic = gl_op_class(e->op) == GL_CLASS_ATOMIC;
        e->order = atomic ? (enum gl_order)rng_below(&rng, GL_SC + 1) : GL_RLX;
        e->size = e->op == GL_OP_ALLOC ? rng_below(&rng, 3000) : 1 + rng_below(&rng, atomic ? 16 : 64);
        e->thread = rng_below(&rng, 1u << (i % 17 + 1));
        e->site = rng_below(&rng, 1u << (i % 18 + 1));
    }
    expect_round_trip(events, N, BATCH);
}

static void commits(void **state)
{
    (void)state;
    enum { LONG = 200000 }; /* more operands than a chunk usually has */
    uint64_t *list = check_alloc(LONG * sizeof *list);
    for (size_t i = 0; i < LONG; i++)
        list[i] = i * 2654435761u % 1000000;
    struct gl_event events[] = {
        {.op = GL_OP_COMMIT},
        {.op = GL_OP_COMMIT, .n_reads = 3, .reads = list},
        {.op = GL_OP_ALLOC, .object = 8, .size = 0},
        {.op = GL_OP_COMMIT, .thread = 1, .site = 2, .n_writes = 2, .writes = list + 7},
        {.op = GL_OP_ALLOC, .object = 16, .size = 70000},
        {.op = GL_OP_COMMIT, .n_reads = LONG, .reads = list, .n_writes = 5, .writes = list},
        {.op = GL_OP_COMMIT, .n_reads = 1, .reads = list, .n_writes = 1, .writes = list},
    };
    expect_round_trip(events, sizeof events / sizeof events[0], BATCH);
    expect_round_trip(events, sizeof events / sizeof events[0], 1);
    free(list);
}

/* Names, pages of names and pages of addresses in any order, with words that only appear later in the file. */
static void names_and_pages(void **state)
{
    (void)state;
    struct gl_names *names = gl_names_create(env);
    struct buffer file = {0};
    struct gl_trace_writer *w = gl_trace_writer_open(env, GL_TRACE_BINARY, names, buffer_put, &file);
    assert_non_null(w);
    static struct gl_event events[200000];
    size_t n = 0;
    for (; n < 200000; n++) {
        char name[40];
        int length = snprintf(name, sizeof name, "thread %zu", n / 1000);
        events[n] = (struct gl_event){.op = GL_OP_WRITE, .size = 4};
        events[n].thread = gl_name_number(names, GL_NAME_THREAD, name, (size_t)length);
        length = snprintf(name, sizeof name, "variable \xc3\xa4 %zu", n / 10);
        if (n % 3)
            events[n].object =
                gl_data_of_name(names, gl_name_number(names, GL_NAME_DATA, name, (size_t)length));
        else
            events[n].object = gl_data_of_address(names, 0x7fff00000000u + n * 77777 / 4 * 4);
        if (events[n].object % 4096 > 4092)
            events[n].object -= 3;
        length = snprintf(name, sizeof name, "file.c:%zu", n / 7);
        events[n].site = n % 5 ? gl_name_number(names, GL_NAME_LOCATION, name, (size_t)length) : 0;
        assert_true(gl_trace_write(w, &events[n], 1));
    }
    assert_true(gl_trace_writer_close(w));
    struct gl_trace_reader *r = open_or_fail(&file);
    assert_int_equal(gl_names_count(gl_trace_names(r), GL_NAME_THREAD), 0); /* names come with their events */
    expect_rest(r, events, 0, n, BATCH);
    expect_names(names, gl_trace_names(r));
    assert_true(gl_trace_chunks(r) > 1);
    gl_trace_close(r);
    gl_names_destroy(names);
    free(file.at);
}

/* ---- entering in the middle ---- */

enum { MANY = 300000 };
static struct gl_event many[MANY];
static struct buffer many_file;

/* Several chunks with commits, allocations, and names all along. */
static int make_many(void **state)
{
    setup(state);
    static uint64_t list[4] = {4, 100, 5000, 12};
    struct rng rng = rng_seed(3);
    for (size_t i = 0; i < MANY; i++) {
        many[i] = (struct gl_event){.op = rng_chance(&rng, 50) ? GL_OP_READ : GL_OP_WRITE,
                                    .size = 4,
                                    .thread = (uint32_t)(i / 5000),
                                    .object = rng_below(&rng, 10000) * 4,
                                    .site = (uint32_t)(i / 100)};
        if (rng_chance(&rng, 2))
            many[i] = (struct gl_event){.op = GL_OP_COMMIT,
                                        .n_reads = rng_below(&rng, 4),
                                        .reads = list,
                                        .n_writes = rng_below(&rng, 4),
                                        .writes = list};
        else if (rng_chance(&rng, 2))
            many[i].op = GL_OP_ALLOC, many[i].size = rng_below(&rng, 5000);
    }
    struct gl_names *names = names_for(env, many, MANY);
    write_binary(env, names, many, MANY, &many_file);
    gl_names_destroy(names);
    return 0;
}

static int free_many(void **state)
{
    free(many_file.at);
    many_file = (struct buffer){0};
    return teardown(state);
}

static void chunk_ranges(void **state)
{
    (void)state;
    struct gl_trace_error error;
    struct gl_trace_reader *r = open_or_fail(&many_file);
    uint64_t chunks = gl_trace_chunks(r);
    gl_trace_close(r);
    assert_true(chunks >= 4);
    size_t at = 0;
    for (uint64_t first = 0; first < chunks; first++) {
        struct gl_event event;
        uint64_t record;
        struct gl_trace_batch batch = {&event, &record, 1, 0};
        r = gl_trace_open_chunks(env, many_file.at, many_file.n, first, 1, &error);
        assert_non_null(r);
        assert_int_equal(gl_trace_read(r, &batch, &error), 1);
        assert_int_equal(record, at + 1); /* each range begins where the one before ended */
        size_t n = 1;
        while (gl_trace_read(r, &batch, &error) > 0) {
            assert_true(same_event(&event, &many[at + n]));
            n++;
        }
        at += n;
        gl_trace_close(r);
    }
    assert_int_equal(at, MANY);
    r = gl_trace_open_chunks(env, many_file.at, many_file.n, chunks - 2, 100,
                             &error); /* fewer than asked for */
    assert_non_null(r);
    assert_false(gl_trace_seek(r, 1, &error)); /* not among ours */
    assert_true(gl_trace_seek(r, MANY - 1, &error));
    expect_rest(r, many, MANY - 2, MANY, BATCH);
    gl_trace_close(r);
    assert_null(gl_trace_open_chunks(env, many_file.at, many_file.n, chunks, 1, &error));
    assert_non_null(strstr(error.text, "no such chunk"));
}

static void seeks(void **state)
{
    (void)state;
    struct gl_trace_error error;
    static struct gl_event got[BATCH];
    static uint64_t records[BATCH];
    struct gl_trace_batch batch = {got, records, BATCH, 0};
    struct gl_trace_reader *r = open_or_fail(&many_file);
    struct rng rng = rng_seed(11);
    for (int i = 0; i < 200; i++) {
        uint64_t record = i == 0 ? MANY : 1 + rng_below(&rng, MANY);
        assert_true(gl_trace_seek(r, record, &error));
        for (int b = 0; b < 3 && gl_trace_read(r, &batch, &error) > 0; b++) {
            for (size_t k = 0; k < batch.count; k++, record++) {
                assert_int_equal(records[k], record);
                assert_true(same_event(&got[k], &many[record - 1]));
            }
        }
        assert_false(gl_trace_seek(r, i % 2 ? 0 : MANY + 1, &error));
        assert_non_null(strstr(error.text, "no such record"));
    }
    assert_true(gl_trace_seek(r, 1, &error));
    expect_rest(r, many, 0, MANY, BATCH);
    assert_true(gl_trace_seek(r, MANY - 9, &error)); /* after the end too */
    expect_rest(r, many, MANY - 10, MANY, BATCH);
    gl_trace_close(r);
}

/* ---- what cannot be written ---- */

static void impossible_events(void **state)
{
    (void)state;
    const struct gl_event good[] = {{.op = GL_OP_WRITE, .object = 4, .size = 4, .thread = 1},
                                    {.op = GL_OP_ACQ, .object = 1}};
    static const uint64_t beyond = 4096;
    static const struct gl_event bad[] = {
        {.op = GL_OP_COUNT},
        {.op = GL_OP_FENCE, .order = (enum gl_order)(GL_SC + 1)},
        {.op = GL_OP_READ, .object = 4, .size = 0},
        {.op = GL_OP_READ, .object = 4, .size = 65},
        {.op = GL_OP_LOAD, .object = 4, .size = 17},
        {.op = GL_OP_ACQ, .object = 0, .size = 4},
        {.op = GL_OP_ACQ, .object = 2},
        {.op = GL_OP_REL, .object = 0, .thread = 2},
        {.op = GL_OP_BEGIN, .site = 1},
        {.op = GL_OP_FORK, .object = 2},
        {.op = GL_OP_READ, .object = 4093, .size = 4},
        {.op = GL_OP_ALLOC, .object = 4, .size = 4093},
        {.op = GL_OP_ALLOC, .object = 4097, .size = 0},
        {.op = GL_OP_COMMIT, .n_reads = 1u << 21, .reads = NULL},
        {.op = GL_OP_COMMIT, .n_reads = 1, .reads = &beyond},
        {.op = GL_OP_COMMIT, .n_writes = 1, .writes = &beyond},
    };
    struct gl_names *names = names_for(env, good, 2);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct buffer file = {0};
        struct gl_trace_writer *w = gl_trace_writer_open(env, GL_TRACE_BINARY, names, buffer_put, &file);
        bool written = gl_trace_write(w, good, 2) && gl_trace_write(w, &bad[i], 1);
        if (gl_trace_writer_close(w) && written)
            fail_msg("event %zu was written", i);
        free(file.at);
    }
    gl_names_destroy(names);
}

static bool put_fails(void *left, const void *bytes, size_t n)
{
    (void)bytes;
    size_t *l = left;
    if (n > *l)
        return false;
    *l -= n;
    return true;
}

/* Whatever write fails, the writer says so. */
static void full_disk(void **state)
{
    (void)state;
    const struct gl_event event = {.op = GL_OP_WRITE, .object = 4, .size = 4};
    struct gl_names *names = names_for(env, &event, 1);
    struct buffer whole = {0};
    write_binary(env, names, &event, 1, &whole);
    for (size_t room = 0; room < whole.n; room++) {
        size_t left = room;
        struct gl_trace_writer *w = gl_trace_writer_open(env, GL_TRACE_BINARY, names, put_fails, &left);
        if (!w)
            continue;
        (void)gl_trace_write(w, &event, 1);
        assert_false(gl_trace_writer_close(w));
    }
    free(whole.at);
    gl_names_destroy(names);
}

/* ---- the checksum ---- */

/* From the specification's own test program: the bytes of its generator, seed 0. */
static void checksum(void **state)
{
    (void)state;
    assert_true(gl_xxh64("", 0) == 0xEF46DB3751D8E999u);
    assert_true(gl_xxh64("a", 1) == 0xD24EC4F1A98C6E5Bu);
    assert_true(gl_xxh64("abc", 3) == 0x44BC2CF5AD770999u);
    assert_true(gl_xxh64("Nobody inspects the spammish repetition", 39) == 0xFBCEA83C8A378BF1u);
}

/* The largest block, and what is beyond it; how many bytes each coding takes. */
static void blocks(void **state)
{
    (void)state;
    enum { STORED = GOLDILOCKS_TRACE_STORED, CONSTANT = GOLDILOCKS_TRACE_CONSTANT, ZSTD = GOLDILOCKS_TRACE_ZSTD, FOUR = GOLDILOCKS_TRACE_FOUR };
    static const struct {
        struct goldilocks_trace_block head;
        uint64_t left;
        bool valid;
    } cases[] = {
        {{CONSTANT, 1 << 24, 1}, 1, true},  {{CONSTANT, (1 << 24) + 1, 1}, 1, false}, {{CONSTANT, 5, 1}, 0, false},
        {{CONSTANT, 5, 2}, 2, false},       {{STORED, 1 << 24, 1 << 24}, 1 << 24, true}, {{STORED, 5, 5}, 4, false},
        {{STORED, 5, 4}, 5, false},         {{ZSTD, 1 << 24, 9}, 9, true},            {{ZSTD, 5, 9}, 8, false},
        {{ZSTD, 5, 0}, 8, false},           {{FOUR, 5, 6}, 6, true},                      {{FOUR, 4, 5}, 5, true},
        {{FOUR, 5, 5}, 6, false},           {{FOUR, 5, 6}, 5, false},                     {{FOUR, 0, 4}, 4, true},
        {{FOUR + 1, 5, 5}, 5, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(gl_block_is_valid(&cases[i].head, cases[i].left), cases[i].valid);
}

/* What is packed comes back, whatever the number of values and bytes; with up to four values in two bits each, if zstd is not far better. */
static void values(void **state)
{
    (void)state;
    struct gl_codec packer, unpacker;
    static unsigned char bytes[5000], packed[8192], got[5000];
    unsigned of[4] = {0};
    uint64_t seed = 7;
    assert_true(gl_packer_init(&packer, env) && gl_unpacker_init(&unpacker, env) && gl_pack_bound(sizeof bytes) <= sizeof packed);
    for (unsigned values = 1; values <= 6; values++)
        for (size_t n = values; n < sizeof bytes; n += n < 70 ? 1 : n / 3) {
            for (size_t i = 0; i < n; i++) {
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                bytes[i] = (unsigned char)(251 - 50 * (i < values ? i : (seed >> 33) % values));
            }
            struct goldilocks_trace_block head = gl_pack(&packer, bytes, n, packed);
            assert_true(gl_block_is_valid(&head, head.packed));
            memset(got, 1, sizeof got);
            assert_true(gl_unpack(&unpacker, &head, packed, got));
            assert_memory_equal(got, bytes, n);
            assert_true(n == sizeof bytes || got[n] == 1);
            assert_true(values <= 4 || head.coding != GOLDILOCKS_TRACE_FOUR);
            of[head.coding]++;
        }
    for (unsigned i = 0; i < 4; i++)
        assert_true(of[i] > 0); /* each coding was met */
    gl_codec_fini(&packer);
    gl_codec_fini(&unpacker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(random_executions, setup, teardown),
        cmocka_unit_test_setup_teardown(nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(every_shape, setup, teardown),
        cmocka_unit_test_setup_teardown(commits, setup, teardown),
        cmocka_unit_test_setup_teardown(names_and_pages, setup, teardown),
        cmocka_unit_test_setup_teardown(chunk_ranges, make_many, free_many),
        cmocka_unit_test_setup_teardown(seeks, make_many, free_many),
        cmocka_unit_test_setup_teardown(impossible_events, setup, teardown),
        cmocka_unit_test_setup_teardown(full_disk, setup, teardown),
        cmocka_unit_test_setup_teardown(checksum, setup, teardown),
        cmocka_unit_test(blocks),
        cmocka_unit_test_setup_teardown(values, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
