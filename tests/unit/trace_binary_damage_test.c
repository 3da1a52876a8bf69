/* SPDX-License-Identifier: Apache-2.0
 *
 * Binary traces that were cut, damaged or made to do harm: one sentence, or the events that are there, never more.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include <sys/mman.h>

#include "goldilocks/trace_format.h"
#include "tests/support/binary_trace.h"
#include "tests/support/check.h"
#include "tests/support/fake_env.h"
#include "trace/checksum.h"

enum {
    N = 40,
    HEAD = sizeof(struct goldilocks_trace_head),
    SECTION = sizeof(struct goldilocks_trace_section)
};

static struct fake_env fake;
static const struct gl_env *env;
static struct gl_event events[N];
static uint64_t list[] = {8, 5000, 16};
static struct buffer file; /* the events, in two chunks of 20 that are files of their own joined together */

/* A section with the right sums. */
static void put_section(struct buffer *to, uint32_t type, uint32_t flags, uint64_t first, const void *payload,
                        size_t n)
{
    struct goldilocks_trace_section head = {.type = type, .flags = flags, .size = n, .first = first};
    head.payload_sum = gl_xxh64(payload, n);
    head.head_sum = gl_xxh64(&head, offsetof(struct goldilocks_trace_section, head_sum));
    buffer_put(to, &head, sizeof head);
    buffer_put(to, payload, n);
}

static void put_head(struct buffer *to)
{
    struct goldilocks_trace_head head = {.version = GOLDILOCKS_TRACE_VERSION};
    memcpy(head.magic, GOLDILOCKS_TRACE_MAGIC, 8);
    buffer_put(to, &head, sizeof head);
}

static struct goldilocks_trace_section section_at(const struct buffer *b, size_t offset)
{
    struct goldilocks_trace_section head;
    memcpy(&head, b->at + offset, sizeof head);
    return head;
}

/* The last `from` of all sections of this type. */
static size_t find_section(const struct buffer *b, uint32_t type)
{
    for (size_t at = HEAD; at + SECTION <= b->n; at += SECTION + section_at(b, at).size)
        if (section_at(b, at).type == type)
            return at;
    check(false, "the file has no such section");
    return 0;
}

static int setup(void **state)
{
    (void)state;
    fake_env_init(&fake);
    env = &fake.env;
    for (size_t i = 0; i < N; i++) {
        events[i] = (struct gl_event){.op = i % 2 ? GL_OP_READ : GL_OP_WRITE,
                                      .object = i * 300 % 8000,
                                      .size = 4,
                                      .thread = (uint32_t)i % 3,
                                      .site = (uint32_t)i % 4};
        if (i % 10 == 5)
            events[i] = (struct gl_event){
                .op = GL_OP_COMMIT, .n_reads = 1, .n_writes = 2, .reads = list, .writes = list + 1};
        if (i % 10 == 6)
            events[i] = (struct gl_event){.op = GL_OP_ALLOC, .object = 64, .size = 100 + (uint32_t)i};
        if (i % 10 == 7)
            events[i] =
                (struct gl_event){.op = GL_OP_RMW, .order = GL_AR, .object = 8, .size = 8, .thread = 1};
        if (i % 10 == 8)
            events[i] = (struct gl_event){.op = GL_OP_ACQ, .object = i / 10};
    }
    /* Two chunks: those of two files, put behind one another. */
    struct gl_names *names = names_for(env, events, N);
    struct buffer half = {0};
    write_binary(env, names, events, N / 2, &file);
    write_binary(env, names, events + N / 2, N / 2, &half);
    gl_names_destroy(names);
    file.n = find_section(&file, GOLDILOCKS_TRACE_INDEX);
    size_t second = find_section(&half, GOLDILOCKS_TRACE_EVENTS);
    size_t first = find_section(&file, GOLDILOCKS_TRACE_EVENTS), middle = file.n;
    put_section(&file, GOLDILOCKS_TRACE_EVENTS, 0, N / 2 + 1, half.at + second + SECTION,
                section_at(&half, second).size);
    free(half.at);
    struct goldilocks_trace_index_entry entry[8];
    unsigned n = 0;
    for (size_t at = HEAD; at < file.n; at += SECTION + section_at(&file, at).size) {
        struct goldilocks_trace_section s = section_at(&file, at);
        bool is_events = at == first || at == middle;
        entry[n++] = (struct goldilocks_trace_index_entry){
            .offset = at, .first = s.first, .type = s.type, .events = is_events ? N / 2 : 0};
    }
    struct goldilocks_trace_tail tail = {.index = file.n};
    memcpy(tail.magic, GOLDILOCKS_TRACE_END_MAGIC, 8);
    put_section(&file, GOLDILOCKS_TRACE_INDEX, 0, N, entry, n * sizeof entry[0]);
    buffer_put(&file, &tail, sizeof tail);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    free(file.at);
    file = (struct buffer){0};
    return fake_env_is_clean(&fake) ? 0 : -1;
}

/* What came of reading. */
struct outcome {
    int answer; /* the last of gl_trace_read(); -1: open failed or an error */
    size_t n;   /* events before that */
    bool same;  /* and all of them are those of events[] */
    bool complete;
    struct gl_trace_error error;
};

/* Is the event within what the names allow?  So that no detector meets a wild number. */
static bool is_sound(const struct gl_event *e, const struct gl_names *names)
{
    enum gl_class class = gl_op_class(e->op);
    bool data = class == GL_CLASS_DATA || (class == GL_CLASS_ATOMIC && e->size > 0);
    enum gl_name_kind kind = gl_name_kind_of_class(class);
    for (uint32_t i = 0; i < e->n_reads; i++)
        if (e->reads[i] >= gl_data_end(names))
            return false;
    for (uint32_t i = 0; i < e->n_writes; i++)
        if (e->writes[i] >= gl_data_end(names))
            return false;
    return e->op < GL_OP_COUNT && e->order <= GL_SC && e->thread < gl_names_count(names, GL_NAME_THREAD) &&
           e->site < gl_names_count(names, GL_NAME_LOCATION) &&
           (!data || (e->object < gl_data_end(names) && e->size <= gl_data_end(names) - e->object)) &&
           (data || kind == GL_NAME_KINDS || e->object < gl_names_count(names, kind));
}

static struct outcome read_all(const unsigned char *bytes, size_t size)
{
    struct outcome o = {.answer = -1, .same = true};
    struct gl_event got[7];
    uint64_t records[7];
    struct gl_trace_batch batch = {got, records, 7, 0};
    /* A copy that ends where memory ends: what is read past the end is a signal. */
    size_t room = (size + 4095) / 4096 * 4096;
    unsigned char *space = mmap(NULL, room + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(space != MAP_FAILED && mprotect(space + room, 4096, PROT_NONE) == 0);
    unsigned char *copy = space + room - size;
    if (size > 0)
        memcpy(copy, bytes, size);
    struct gl_trace_reader *r = gl_trace_open(env, copy, size, GL_TRACE_BINARY, &o.error);
    while (r && (o.answer = gl_trace_read(r, &batch, &o.error)) > 0) {
        for (size_t i = 0; i < batch.count; i++, o.n++) {
            assert_true(is_sound(&got[i], gl_trace_names(r)));
            o.same = o.same && o.n < N && same_event(&got[i], &events[o.n]) && records[i] == o.n + 1;
        }
    }
    o.complete = r && gl_trace_is_complete(r);
    gl_trace_close(r);
    munmap(space, room + 4096);
    if (o.answer < 0)
        assert_true(o.error.text[0] != 0 && o.error.line == 0 && o.error.offset <= size);
    return o;
}

/* ---- damage as it happens ---- */

static void whole(void **state)
{
    (void)state;
    struct outcome o = read_all(file.at, file.n);
    assert_int_equal(o.answer, 0);
    assert_int_equal(o.n, N);
    assert_true(o.same && o.complete);
}

/* Every full chunk can be read, and the reader knows that the end is missing. */
static void cut_anywhere(void **state)
{
    (void)state;
    size_t index = find_section(&file, GOLDILOCKS_TRACE_INDEX),
           first = find_section(&file, GOLDILOCKS_TRACE_EVENTS);
    size_t first_end = first + SECTION + section_at(&file, first).size;
    size_t index_end = index + SECTION + section_at(&file, index).size;
    for (size_t size = 0; size < file.n; size++) {
        struct outcome o = read_all(file.at, size);
        assert_int_equal(o.answer, size < HEAD ? -1 : 0);
        assert_int_equal(o.n, size < first_end ? 0 : size < index ? N / 2 : N);
        assert_true(o.same);
        assert_int_equal(o.complete, size >= index_end);
    }
}

/* The place for more was there, but nothing had been written to it. */
static void zeroes_behind(void **state)
{
    (void)state;
    static const unsigned char zeroes[100];
    file.n = find_section(&file, GOLDILOCKS_TRACE_INDEX);
    buffer_put(&file, zeroes, sizeof zeroes);
    struct outcome o = read_all(file.at, file.n);
    assert_int_equal(o.answer, 0);
    assert_int_equal(o.n, N);
    assert_true(o.same && !o.complete);
}

static void any_bit(void **state)
{
    (void)state;
    size_t index = find_section(&file, GOLDILOCKS_TRACE_INDEX), noticed = 0;
    for (size_t bit = 0; bit < file.n * 8; bit++) {
        file.at[bit / 8] ^= (unsigned char)(1 << bit % 8);
        struct outcome o = read_all(file.at, file.n);
        file.at[bit / 8] ^= (unsigned char)(1 << bit % 8);
        assert_true(o.same);
        if (bit / 8 < index)
            assert_int_equal(o.answer, -1);
        else
            assert_true(o.answer < 0 || o.n == N);
        noticed += o.answer < 0;
    }
    assert_true(noticed >= index * 8);
}

/* What stands before the damage is given, then an error that says where. */
static void second_chunk_damaged(void **state)
{
    (void)state;
    size_t first = find_section(&file, GOLDILOCKS_TRACE_EVENTS),
           second = first + SECTION + section_at(&file, first).size;
    file.at[second + SECTION + 3] ^= 4;
    struct outcome o = read_all(file.at, file.n);
    assert_int_equal(o.answer, -1);
    assert_int_equal(o.n, N / 2);
    assert_int_equal(o.error.offset, second);
    assert_non_null(strstr(o.error.text, "checksum"));
}

/* ---- files made to do harm ---- */

/* Sums everywhere are made right again, so that what is behind them is met. */
static void seal(struct buffer *b)
{
    for (size_t at = HEAD; at + SECTION <= b->n;) {
        struct goldilocks_trace_section s = section_at(b, at);
        if (s.size > b->n - at - SECTION)
            return;
        s.payload_sum = gl_xxh64(b->at + at + SECTION, s.size);
        s.head_sum = gl_xxh64(&s, offsetof(struct goldilocks_trace_section, head_sum));
        memcpy(b->at + at, &s, sizeof s);
        at += SECTION + s.size;
    }
}

static void sealed_mutations(void **state)
{
    (void)state;
    struct rng rng = rng_seed(env_number("GL_SEED", 1));
    size_t refused = 0, rounds = env_number("GL_ROUNDS", 5000);
    struct buffer b = {0};
    for (size_t round = 0; round < rounds; round++) {
        b.n = 0;
        buffer_put(&b, file.at, file.n);
        for (uint32_t changes = 1 + rng_below(&rng, 3); changes > 0; changes--) {
            size_t at = HEAD + rng_below(&rng, (uint32_t)(b.n - HEAD));
            static const unsigned char values[] = {0, 1, 2, 0x7f, 0x80, 0xff};
            b.at[at] =
                rng_chance(&rng, 50) ? (unsigned char)rng_next(&rng) : values[rng_below(&rng, sizeof values)];
        }
        if (rng_chance(&rng, 90))
            seal(&b);
        struct outcome o = read_all(b.at, b.n); /* itself asserts that events are sound */
        refused += o.answer < 0;
    }
    assert_true(refused > rounds / 4 && refused < rounds);
    free(b.at);
}

/* A file of the whole of file, with one section more in front of its first chunk. */
static struct outcome with_section(uint32_t type, uint32_t flags, uint64_t first, const void *payload,
                                   size_t n)
{
    struct buffer b = {0};
    size_t at = find_section(&file, GOLDILOCKS_TRACE_EVENTS),
           index = find_section(&file, GOLDILOCKS_TRACE_INDEX);
    buffer_put(&b, file.at, at);
    put_section(&b, type, flags, first, payload, n);
    buffer_put(&b, file.at + at, index - at);
    struct outcome o = read_all(b.at, b.n);
    free(b.at);
    return o;
}

static void expect_refused(struct outcome o, const char *why)
{
    assert_int_equal(o.answer, -1);
    if (!strstr(o.error.text, why))
        fail_msg("'%s' does not say '%s'", o.error.text, why);
}

static void other_sections(void **state)
{
    (void)state;
    struct outcome o = with_section(GOLDILOCKS_TRACE_FOUR('N', 'E', 'W', '1'), 0, 0, "whatever", 8);
    assert_int_equal(o.answer, 0);
    assert_int_equal(o.n, N);
    assert_true(o.same);
    o = with_section(GOLDILOCKS_TRACE_STACKS, GOLDILOCKS_TRACE_REQUIRED, 0, "\0\0\0\0\0\0\0\0\0\0\0", 12); /* an empty block */
    assert_int_equal(o.answer, 0);
    expect_refused(
        with_section(GOLDILOCKS_TRACE_FOUR('N', 'E', 'W', '1'), GOLDILOCKS_TRACE_REQUIRED, 0, "", 0),
        "required");
}

static struct outcome with_block(uint32_t type, uint32_t coding, uint32_t unpacked, const void *bytes,
                                 uint32_t n)
{
    struct goldilocks_trace_block head = {.coding = coding, .unpacked = unpacked, .packed = n};
    struct buffer payload = {0};
    buffer_put(&payload, &head, sizeof head);
    buffer_put(&payload, bytes, n);
    struct outcome o = with_section(type, 0, 0, payload.at, payload.n);
    free(payload.at);
    return o;
}

/* One run of names of a kind, stored. */
static struct outcome with_names(uint32_t kind, uint32_t first, uint32_t count, const char *names, uint32_t n)
{
    struct goldilocks_trace_name_run run = {kind, first, count, n};
    struct buffer block = {0};
    buffer_put(&block, &run, sizeof run);
    buffer_put(&block, names, n);
    struct outcome o = with_block(GOLDILOCKS_TRACE_NAMES, GOLDILOCKS_TRACE_STORED, (uint32_t)block.n,
                                  block.at, (uint32_t)block.n);
    free(block.at);
    return o;
}

static void names_that_lie(void **state)
{
    (void)state;
    assert_int_equal(with_names(GOLDILOCKS_TRACE_NAME_MUTEX, 4, 1, "mine", 5).answer, 0);
    assert_int_equal(with_names(GOLDILOCKS_TRACE_NAME_STRING, 0, 1, "main", 5).answer, 0);
    assert_int_equal(with_names(12345, 7, 1, "what", 5).answer, 0); /* a kind of the future */
    expect_refused(with_names(GOLDILOCKS_TRACE_NAME_MUTEX, 5, 1, "mine", 5), "one after the other");
    expect_refused(with_names(GOLDILOCKS_TRACE_NAME_MUTEX, 4, 1, "m1", 3), "twice");
    expect_refused(with_names(GOLDILOCKS_TRACE_NAME_MUTEX, 4, 2, "mine", 5), "no end");
    expect_refused(with_names(GOLDILOCKS_TRACE_NAME_MUTEX, 4, 1, "mine", 4), "no end");
    expect_refused(with_names(GOLDILOCKS_TRACE_NAME_MUTEX, 4, 1, "mine\0x", 7), "longer than its names");
    expect_refused(with_names(GOLDILOCKS_TRACE_NAME_LOCATION, 4, 1, "", 1), "twice");
    struct goldilocks_trace_name_run run = {
        .kind = GOLDILOCKS_TRACE_NAME_MUTEX, .first = 4, .count = 1, .bytes = 99};
    expect_refused(with_block(GOLDILOCKS_TRACE_NAMES, GOLDILOCKS_TRACE_STORED, sizeof run, &run, sizeof run),
                   "longer than its section");
    expect_refused(with_block(GOLDILOCKS_TRACE_NAMES, GOLDILOCKS_TRACE_STORED, 5, &run, 5),
                   "within its head");
}

static struct outcome with_page(uint64_t entry)
{
    return with_block(GOLDILOCKS_TRACE_PAGES, GOLDILOCKS_TRACE_STORED, sizeof entry, &entry, sizeof entry);
}

static void pages_that_lie(void **state)
{
    (void)state;
    assert_int_equal(with_page(0x7ffff000).answer, 0);
    expect_refused(with_page(4096), "twice");
    expect_refused(with_page(0x7ffff002), "neither");
    expect_refused(with_page(GOLDILOCKS_TRACE_PAGE_OF_NAMES), "neither"); /* no variable is named */
    expect_refused(with_page(UINT64_MAX - 4094), "neither");
    expect_refused(with_block(GOLDILOCKS_TRACE_PAGES, GOLDILOCKS_TRACE_STORED, 7, "1234567", 7),
                   "ends within");
}

static void blocks_that_lie(void **state)
{
    (void)state;
    expect_refused(with_block(GOLDILOCKS_TRACE_PAGES, 3, 8, "12345678", 8), "impossible");
    expect_refused(with_block(GOLDILOCKS_TRACE_PAGES, GOLDILOCKS_TRACE_STORED, 16, "12345678", 8),
                   "impossible");
    expect_refused(with_block(GOLDILOCKS_TRACE_PAGES, GOLDILOCKS_TRACE_CONSTANT, 8, "12", 2), "impossible");
    expect_refused(with_block(GOLDILOCKS_TRACE_PAGES, GOLDILOCKS_TRACE_CONSTANT, (1 << 24) + 8, "1", 1),
                   "impossible");
    expect_refused(with_block(GOLDILOCKS_TRACE_PAGES, GOLDILOCKS_TRACE_ZSTD, 8, "12345678", 8), "unpacked");
    expect_refused(with_section(GOLDILOCKS_TRACE_NAMES, 0, 0, "12345678", 8), "within its head");
}

/* Many sections that unpack to much: memory stays in proportion. */
static void out_of_proportion(void **state)
{
    (void)state;
    struct buffer b = {0};
    struct {
        struct goldilocks_trace_block head;
        unsigned char byte;
    } __attribute__((packed)) payload = {{GOLDILOCKS_TRACE_CONSTANT, 1 << 23, 1}, 0};
    put_head(&b);
    for (int i = 0; i < 2; i++) /* zeroes are runs of no names, so that only the size can be wrong */
        put_section(&b, GOLDILOCKS_TRACE_NAMES, 0, 0, &payload, sizeof payload);
    assert_int_equal(read_all(b.at, b.n).answer, 0);
    put_section(&b, GOLDILOCKS_TRACE_NAMES, 0, 0, &payload, sizeof payload);
    expect_refused(read_all(b.at, b.n), "out of proportion");
    free(b.at);
}

static void other_versions(void **state)
{
    (void)state;
    file.at[8] = 2;
    expect_refused(read_all(file.at, file.n), "version");
    file.at[0] = 'x';
    expect_refused(read_all(file.at, file.n), "magic");
}

/* ---- chunks that lie ---- */

/* A file with one thread, 4 KiB of data and one chunk of 3 events, after `change` has been at the chunk. */
struct chunk {
    struct goldilocks_trace_events head;
    struct goldilocks_trace_shape shape[2];
    struct goldilocks_trace_block block[3];
    unsigned char kind[3], object[3];
    uint64_t operand[4];
} __attribute__((packed));

static struct chunk good_chunk(void)
{
    return (struct chunk){
        .head = {.events = 3, .operands = 4, .shapes = 2, .object_bytes = 1},
        .shape = {{.op = GL_OP_WRITE, .size = 4}, {.op = GL_OP_COMMIT}},
        .block = {{GOLDILOCKS_TRACE_STORED, 3, 3},
                  {GOLDILOCKS_TRACE_STORED, 3, 3},
                  {GOLDILOCKS_TRACE_STORED, 32, 32}},
        .kind = {0, 1, 0},
        .object = {4, 0, 8},
        .operand = {1, 1, 12, 4095},
    };
}

static struct outcome read_chunk(const struct chunk *c, size_t size)
{
    struct goldilocks_trace_name_run run = {.kind = GOLDILOCKS_TRACE_NAME_THREAD, .count = 1, .bytes = 3};
    struct goldilocks_trace_block block = {GOLDILOCKS_TRACE_STORED, sizeof run + 3, sizeof run + 3};
    struct buffer b = {0}, payload = {0};
    uint64_t page = 0;
    put_head(&b);
    buffer_put(&payload, &block, sizeof block);
    buffer_put(&payload, &run, sizeof run);
    buffer_put(&payload, "T0", 3);
    put_section(&b, GOLDILOCKS_TRACE_NAMES, 0, 0, payload.at, payload.n);
    payload.n = 0;
    block = (struct goldilocks_trace_block){GOLDILOCKS_TRACE_STORED, sizeof page, sizeof page};
    buffer_put(&payload, &block, sizeof block);
    buffer_put(&payload, &page, sizeof page);
    put_section(&b, GOLDILOCKS_TRACE_PAGES, 0, 0, payload.at, payload.n);
    put_section(&b, GOLDILOCKS_TRACE_EVENTS, 0, 1, c, size);
    struct outcome o = read_all(b.at, b.n);
    free(payload.at);
    free(b.at);
    return o;
}

#define REFUSED(change, why)                                                                                 \
    do {                                                                                                     \
        struct chunk c = good_chunk();                                                                       \
        change;                                                                                              \
        expect_refused(read_chunk(&c, sizeof c), why);                                                       \
    } while (0)

static void chunks_that_lie(void **state)
{
    (void)state;
    struct chunk good = good_chunk();
    struct outcome o = read_chunk(&good, sizeof good);
    assert_int_equal(o.answer, 0);
    assert_int_equal(o.n, 3);
    REFUSED(c.head.events = 0, "damaged"); /* found while the sections are counted */
    REFUSED(c.head.events = (1 << 20) + 1, "damaged");
    REFUSED(c.head.operands = (1 << 21) + 1, "impossible");
    REFUSED(c.head.shapes = 0, "impossible");
    REFUSED(c.head.shapes = 257, "impossible");
    REFUSED(c.head.shapes = 250, "within its head");
    REFUSED(c.head.thread_bytes = 5, "impossible");
    REFUSED(c.head.object_bytes = 9, "impossible");
    REFUSED(c.head.site_bytes = 5, "impossible");
    REFUSED(c.head.reserved[2] = 1, "impossible");
    REFUSED(c.shape[0].op = GL_OP_COUNT, "does not exist");
    REFUSED(c.shape[0].order = 1, "does not exist");
    REFUSED(c.shape[0].size = 65, "does not exist");
    REFUSED(c.shape[0].flags = 2, "does not exist");
    REFUSED(c.shape[0].flags = 1, "does not exist"); /* only ALLOC has its size elsewhere */
    REFUSED(c.kind[1] = 2, "does not name");
    REFUSED(c.shape[0].op = GL_OP_ACQ; c.shape[0].size = 0, "does not name");
    REFUSED(c.object[1] = 1, "does not name");
    REFUSED(c.block[0].unpacked = 2, "column");
    REFUSED(c.block[0].packed = 99, "column");
    REFUSED(c.block[2].unpacked = 24, "column");
    REFUSED(c.head.events = 4, "column");
    REFUSED(c.head.operands = 3, "column");
    REFUSED(c.block[2].coding = GOLDILOCKS_TRACE_ZSTD, "column");
    REFUSED(c.block[2].coding = GOLDILOCKS_TRACE_FOUR, "column");
    REFUSED(c.operand[0] = 0, "operands");
    REFUSED(c.operand[0] = 3, "operands");
    REFUSED(c.operand[0] = (1ull << 32) + 1, "operands");
    REFUSED(c.operand[1] = UINT64_MAX, "operands");
    REFUSED(c.operand[3] = 4096, "operands");
    REFUSED(c.kind[1] = 0, "operands"); /* nobody takes them */
    REFUSED(c.kind[0] = 1; c.object[0] = 0, "operands");
    good.shape[1] =
        (struct goldilocks_trace_shape){.op = GL_OP_ALLOC, .flags = GOLDILOCKS_TRACE_SIZE_IN_OPERANDS};
    good.kind[0] = good.kind[2] = 1;
    expect_refused(read_chunk(&good, sizeof good), "operands"); /* three sizes, four operands */
    for (size_t size = 0; size < sizeof good; size++)
        assert_int_equal(read_chunk(&good, size).answer, -1);
}

/* ---- no memory ---- */

static void no_memory(void **state)
{
    (void)state;
    unsigned long calls = 0;
    for (unsigned long i = 1;; i++) {
        fake.maps = 0;
        fake.fail_at = i;
        struct outcome o = read_all(file.at, file.n);
        fake.fail_at = 0;
        if (o.answer == 0)
            break;
        assert_int_equal(o.answer, -1);
        assert_true(o.same);
        calls++;
    }
    assert_true(calls > 5);
    for (unsigned long i = 1, failed = 1; failed; i++) {
        struct gl_names *names = names_for(env, events, N);
        struct buffer b = {0};
        fake.maps = 0;
        fake.fail_at = i;
        struct gl_trace_writer *w = gl_trace_writer_open(env, GL_TRACE_BINARY, names, buffer_put, &b);
        bool written = w && gl_trace_write(w, events, N);
        written = w && gl_trace_writer_close(w) && written;
        failed = fake.maps >= i;
        fake.fail_at = 0;
        assert_int_equal(written, !failed);
        gl_names_destroy(names);
        free(b.at);
    }
}

/* A damaged head that says that more comes than there is is not believed. */
static void damaged_head_at_the_end(void **state)
{
    (void)state;
    struct goldilocks_trace_section head = {.type = GOLDILOCKS_TRACE_EVENTS, .size = 1000, .first = 1, .head_sum = 1};
    struct buffer b = {0};
    put_head(&b);
    buffer_put(&b, &head, sizeof head);
    struct outcome o = read_all(b.at, b.n);
    assert_int_equal(o.answer, -1);
    assert_int_equal(o.error.offset, HEAD);
    free(b.at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(whole, setup, teardown),
        cmocka_unit_test_setup_teardown(cut_anywhere, setup, teardown),
        cmocka_unit_test_setup_teardown(zeroes_behind, setup, teardown),
        cmocka_unit_test_setup_teardown(any_bit, setup, teardown),
        cmocka_unit_test_setup_teardown(damaged_head_at_the_end, setup, teardown),
        cmocka_unit_test_setup_teardown(second_chunk_damaged, setup, teardown),
        cmocka_unit_test_setup_teardown(sealed_mutations, setup, teardown),
        cmocka_unit_test_setup_teardown(other_sections, setup, teardown),
        cmocka_unit_test_setup_teardown(names_that_lie, setup, teardown),
        cmocka_unit_test_setup_teardown(pages_that_lie, setup, teardown),
        cmocka_unit_test_setup_teardown(blocks_that_lie, setup, teardown),
        cmocka_unit_test_setup_teardown(out_of_proportion, setup, teardown),
        cmocka_unit_test_setup_teardown(other_versions, setup, teardown),
        cmocka_unit_test_setup_teardown(chunks_that_lie, setup, teardown),
        cmocka_unit_test_setup_teardown(no_memory, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
