/* SPDX-License-Identifier: Apache-2.0
 *
 * The STD text: every operation read and written back, the easy and the careful way of reading give the same, and
 * every error says what and where.
 */
#include "tests/unit/trace_support.h"

static void same(const char *text) { assert_trace(GL_TRACE_STD, text, text); }

static void every_operation_comes_back(void **state)
{
    (void)state;
    static const char *const operands[] = {
        [GL_CLASS_NONE] = "",        [GL_CLASS_DATA] = "(x)",
        [GL_CLASS_MUTEX] = "(m)",    [GL_CLASS_RWLOCK] = "(rw)",
        [GL_CLASS_VOLATILE] = "(v)", [GL_CLASS_ATOMIC] = "(a)",
        [GL_CLASS_BARRIER] = "(b)",  [GL_CLASS_SEMAPHORE] = "(s)",
        [GL_CLASS_THREAD] = "(T2)",  [GL_CLASS_TRANSACTION] = "(x,y;z)",
    };
    static const char *const orders[GL_OP_COUNT] = {
        [GL_OP_LOAD] = "rlx acq sc",
        [GL_OP_STORE] = "rlx rel sc",
        [GL_OP_RMW] = "rlx acq rel ar sc",
        [GL_OP_FENCE] = "rlx acq rel ar sc",
    };
    static const char room[] =
        "T1|r(x)\nT1|r(x)\nT1|r(x)\nT1|r(x)\nT1|r(x)\nT1|r(x)\nT1|r(x)\nT1|r(x)\nT1|r(x)\n";
    struct trace_read *t = malloc(sizeof *t);
    assert_non_null(t);
    for (int op = 0; op < GL_OP_COUNT; op++) {
        char list[32];
        strcpy(list, orders[op] ? orders[op] : "rlx");
        for (char *order = strtok(list, " "); order; order = strtok(NULL, " ")) {
            char line[80], located[100], text[400];
            snprintf(line, sizeof line, "T1|%s%s%s%s", gl_op_name((enum gl_op)op), orders[op] ? "." : "",
                     orders[op] ? order : "", operands[gl_op_class((enum gl_op)op)]);
            snprintf(located, sizeof located, "%s|f.c:7", line);
            /* three times with room behind, so that the easy way reads the last of them too */
            snprintf(text, sizeof text, "%s\n%s\n%s\n%s", line, located, line, room);
            same(text);
            trace_read(t, GL_TRACE_STD, text);
            for (int i = 0; i < 3; i++) {
                assert_int_equal(t->events[i].op, op);
                assert_string_equal(orders[op] ? gl_order_name(t->events[i].order) : "rlx", order);
                assert_int_equal(t->records[i], i + 1);
                assert_int_equal(t->events[i].site, i == 1);
                assert_string_equal(gl_name_of(gl_trace_names(t->reader), GL_NAME_LOCATION, 1), "f.c:7");
            }
            trace_close(t);
        }
    }
    free(t);
}

/* What the numbers are. */
static void numbers_follow_first_mention(void **state)
{
    (void)state;
    struct trace_read t;
    trace_read(&t, GL_TRACE_STD,
               "T9|w(x)|here\nT9|fork(T3)\nT3|acq(x)\nT3|ld.acq(y)|there\nT3|r(@1ff4+8)|here\nT3|r(@1ffc)\n");
    assert_false(t.failed);
    assert_int_equal(t.n, 6);
    assert_int_equal(t.events[0].thread, 0);
    assert_int_equal(t.events[0].object, 0);
    assert_int_equal(t.events[0].size, 4);
    assert_int_equal(t.events[0].site, 1);
    assert_int_equal(t.events[1].object, 1);
    assert_int_equal(t.events[2].thread, 1);
    assert_int_equal(t.events[2].object, 0); /* mutex x is not variable x */
    assert_int_equal(t.events[3].object, 4); /* atomic y is data too */
    assert_int_equal(t.events[3].size, 4);
    assert_int_equal(t.events[3].site, 2);
    assert_int_equal(t.events[4].object, 4096 + 0xff4);
    assert_int_equal(t.events[4].size, 8);
    assert_int_equal(t.events[4].site, 1);
    assert_int_equal(t.events[5].object, 4096 + 0xffc);
    assert_int_equal(t.events[5].size, 1);
    trace_close(&t);
}

static void atomic_and_plain_accesses_of_one_name_are_one_memory(void **state)
{
    (void)state;
    struct trace_read t;
    trace_read(&t, GL_TRACE_STD, "T0|w(q)\nT0|w(x)\nT0|st.rel(x)\nT0|rmw.sc(@40+16)\nT0|w(@4f)\n");
    assert_int_equal(t.n, 5);
    assert_int_equal(t.events[2].object, t.events[1].object);
    assert_int_equal(t.events[2].size, 4);
    assert_int_equal(t.events[3].size, 16);
    assert_int_equal(t.events[3].object + 15, t.events[4].object);
    trace_close(&t);
    trace_read(&t, GL_TRACE_STD, "T0|ld.rlx(x,0)\nT0|st.rel(y , 0)\n");
    assert_true(t.failed); /* blanks end the form: a name cannot have a comma */
    trace_close(&t);
    trace_read(&t, GL_TRACE_STD, "T0|ld.rlx(x,0)\nT0|st.rel(y,0)\n");
    assert_int_equal(t.n, 2);
    assert_int_equal(t.events[1].object, 1);
    assert_int_equal(t.events[1].size, 0);
    assert_int_equal(gl_names_count(gl_trace_names(t.reader), GL_NAME_DATA), 0);
    trace_close(&t);
    same("T0|ld.rlx(x,0)\nT0|st.rel(y,0)|3\n");
}

static void threads_are_normalised(void **state)
{
    (void)state;
    assert_trace(GL_TRACE_STD, "T0|fork(122)\n122|r(x)\nT122|r(x)\n0|join(T122)\n0|begin(0)\n",
                 "T0|fork(T122)\nT122|r(x)\nT122|r(x)\nT0|join(T122)\nT0|begin\n");
    assert_trace(GL_TRACE_STD, "main|fork(Thread-1)\n007|r(x)\n", "main|fork(Thread-1)\nT007|r(x)\n");
    same("%312|r(x)\nT12|r(x)\n"); /* a thread that is really called 12 */
}

static void layout_is_free(void **state)
{
    (void)state;
    assert_trace(GL_TRACE_STD,
                 "# a comment\r\n"
                 "\r\n"
                 "  T0 | r( x ) | 17  # another\r\n"
                 "\t\n"
                 "T0|r(x)|\n"
                 "T0|begin()|\n"
                 "T0|r(a#b)|c#d\n"
                 "  # T0|r(y)\n"
                 "#T0|r(y)|4\n"
                 "T0|commit( x , y ; )\n"
                 "T0|commit(x)\n"
                 "T0|w(x)",
                 "T0|r(x)|17\nT0|r(x)\nT0|begin\nT0|r(a#b)|c#d\nT0|commit(x,y;)\nT0|commit(x;)\nT0|w(x)\n");
    assert_trace(GL_TRACE_STD, "T0\t|\tr\t(\tx\t)\t|\t17\t# tabs\n", "T0|r(x)|17\n");
    same("");
    assert_trace(GL_TRACE_STD, "# nothing\n\n", "");
    assert_trace(GL_TRACE_UNKNOWN, "# nothing\n\n", "");
    assert_trace(GL_TRACE_UNKNOWN, "\n# x\nT0|w(x)\r\n", "T0|w(x)\n");
    assert_trace(GL_TRACE_UNKNOWN, "\xef\xbb\xbf" "T0|w(x)\nT0|w(x)\n", "T0|w(x)\nT0|w(x)\n"); /* one thread */
    assert_trace(GL_TRACE_UNKNOWN, "\xef\xbb\xbf", "");
}

/* A thread's name that looks like a comment must not make comments into events. */
static void comments_stay_comments(void **state)
{
    (void)state;
    char text[1000] = "T0|fork(#1)\nT0|w(x)\n";
    for (int i = 0; i < 30; i++)
        strcat(text, "#1|w(x)\n");
    assert_trace(GL_TRACE_STD, text, "T0|fork(%231)\nT0|w(x)\n");
}

static void any_name_can_be_written(void **state)
{
    (void)state;
    same("T%7C|acq(%28a%29%2C%3B)|f(int, char)%7C;\n");
    same("T0|r(%40name)|%20x y%20\nT0|r(100%25)|%23 %23\nT0|r(x %23y)|a#b\n");
    same("T0|r(\xc3\xa9t\xc3\xa9)|line%0Abreak%7F\n");
    assert_trace(GL_TRACE_STD, "T0|r(50%)|%zz%4\nT0|r(%41%61)\nT0|r(a%00b)\n",
                 "T0|r(50%25)|%25zz%254\nT0|r(Aa)\nT0|r(a%2500b)\n");
    same("%|r(%)|%25\n%25|r(%25)\n"); /* the first names have no characters, the second ones one */
}

/* Lines as they are in large traces, long enough for the easy way, and with what makes it give up in between. */
static void easy_lines_are_read_as_careful_ones(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "T1|r(V1)|5\n",
        "T1|r(V01)|5\n",
        "T01|r(V1)|05\n",
        "T1|w(V99999999)|1\n",
        "T1|w(12345678)|0\n",
        "T1|w(V)|00\n",
        "T1|w(123456789)|00\n",
        "T1|acq(V1)|7\n",
        "T1|rdlock(V1)|f.c:71\n",
        "T1|volread(V1)\n",
        "T1|ld.acq(V1)|3\n",
        "T1|cwait_begin(V1)|3\n",
        "T1|cwait_end(V1)|3\n",
        "T1|fence.sc|3\n",
        "T1|w(@10+4)|3\n",
        "T1|w(V4294967295)|4294967296\n",
        "T1|begin\n",
        "T1|w(a_long_name_of_a_variable)|a/long/name/of/a/file.c:1234 and more\n",
        "T1|commit(V1,V2;V1)|8\n",
        "T2|fork(T1)|9\n",
        "T2|post(V1)|1\n",
        "T1|r(V%2C1)|5\n",
        "T1|w(V0)|10\n",
        "T10|w(V10)|100\n",
        "T1|w(W1)|1\n",
        "T1|w(g1)|1\n",
    };
    enum { PIECES = sizeof pieces / sizeof pieces[0], ROUNDS = 12 };
    static char text[ROUNDS * PIECES * 90];
    char *at = text;
    for (int i = 0; i < ROUNDS * PIECES; i++)
        at = stpcpy(at, pieces[(i * 7 + i / PIECES) % PIECES]);
    struct trace_read t, other;
    struct trace_bytes *b = calloc(1, sizeof *b);
    for (size_t batch = 1; batch <= 64; batch += 9) {
        trace_read_batches(&t, GL_TRACE_STD, text, (size_t)(at - text), batch);
        assert_false(t.failed);
        assert_int_equal(t.n, ROUNDS * PIECES);
        assert_true(trace_write(b, &t));
        assert_string_equal(b->at, text);
        for (size_t i = 0; i < t.n; i++) {
            assert_int_equal(t.records[i], i + 1);
            if (t.events[i].op == GL_OP_COMMIT && batch > 1)
                continue; /* pointers of another reading */
            /* the same line alone at the end of a file is read carefully */
            if (batch == 1 && i < PIECES) {
                trace_read(&other, GL_TRACE_STD, pieces[(i * 7) % PIECES]);
                assert_int_equal(other.events[0].op, t.events[i].op);
                assert_int_equal(other.events[0].order, t.events[i].order);
                assert_int_equal(other.events[0].size, t.events[i].size);
                trace_close(&other);
            }
        }
        trace_close(&t);
    }
    free(b);
}

static void accesses_are_cut_at_pages_and_at_64_bytes(void **state)
{
    (void)state;
    assert_trace(GL_TRACE_STD, "T0|w(@1ffe+4)|3\n", "T0|w(@1ffe+2)|3\nT0|w(@2000+2)|3\n");
    assert_trace(GL_TRACE_STD, "T0|free(@1fc0+130)\n",
                 "T0|free(@1fc0+64)\nT0|free(@2000+64)\nT0|free(@2040+2)\n");
    assert_trace(GL_TRACE_STD, "T0|alloc(@1010+5000)\n", "T0|alloc(@1010+4080)\nT0|alloc(@2000+920)\n");
    same("T0|alloc(@1000+4096)\nT0|r(@ffffffffffffffff)\nT0|alloc(@0)\nT0|w(@ffffffffffffffc0+64)\n");
    /* of a large one, only what was mentioned before can be forgotten; and its own ends */
    assert_trace(GL_TRACE_STD, "T0|w(@5010)\nT0|alloc(@1000+1000000)\n",
                 "T0|w(@5010)\nT0|alloc(@1000+4096)\nT0|alloc(@5000+4096)\nT0|alloc(@f5000+576)\n");
    /* the rest of a piece waits for the next batch */
    struct trace_read t;
    const char *text = "T0|free(@0+300)|9\nT0|w(x)\n";
    trace_read_batches(&t, GL_TRACE_STD, text, strlen(text), 2);
    assert_int_equal(t.n, 6);
    assert_int_equal(t.records[4], 1);
    assert_int_equal(t.records[5], 2);
    assert_int_equal(t.events[4].size, 300 - 4 * 64);
    trace_close(&t);
}

static void commits_keep_their_bytes(void **state)
{
    (void)state;
    same("T0|commit(x,@10+16;@20,y)|3\nT0|commit(;)\nT0|commit(;z)\n");
    assert_trace(GL_TRACE_STD, "T0|commit(@ffe+4)\n", "T0|commit(@ffe+2,@1000+2;)\n");
    struct trace_read t;
    trace_read(&t, GL_TRACE_STD, "T0|w(x)\nT0|commit(x,@10+2;y)\nT0|commit(y;x)\n");
    assert_int_equal(t.n, 3);
    assert_int_equal(t.events[1].n_reads, 3);
    assert_int_equal(t.events[1].n_writes, 1);
    assert_int_equal(t.events[1].reads[0], 0);
    assert_int_equal(t.events[1].reads[2], t.events[1].reads[1] + 1);
    assert_int_equal(t.events[1].writes[0], 4);
    assert_int_equal(t.events[2].reads[0], 4);
    assert_int_equal(t.events[2].writes[0], 0);
    trace_close(&t);
}

static void every_error_has_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t line;
        uint32_t column;
        const char *sentence;
    } errors[] = {
        {"T0|r(x)\n\n  hello # x\n", 3, 3, "'hello' is no event; write thread|operation(operand)|location"},
        {" |r(x)", 1, 2, "no thread before '|'"},
        {"T0|r(x|5", 1, 5, "this bracket is not closed"},
        {"T0|r(x", 1, 5, "this bracket is not closed"},
        {"T0|r(x) 5", 1, 9, "'5' after the operand; a location comes behind '|'"},
        {"T0|r(x)|5|6", 1, 10, "a third '|'; write %7C for one in a location"},
        {"T0|read(x)", 1, 4, "unknown operation 'read'"},
        {"T0||", 1, 4, "unknown operation ''"},
        {"T0|ld(x)", 1, 4, "unknown operation 'ld'; write it with a memory order, as in ld.acq or fence.sc"},
        {"T0|fence|3", 1, 4,
         "unknown operation 'fence'; write it with a memory order, as in ld.acq or fence.sc"},
        {"T0|ld.rel(x)", 1, 4, "unknown operation 'ld.rel'"},
        {"T0|st.acq(x)", 1, 4, "unknown operation 'st.acq'"},
        {"T0|cwait_begim(x)", 1, 4, "unknown operation 'cwait_begim'"},
        {"T0|acq", 1, 7, "an operand is missing: what the operation works on"},
        {"T0|acq()|5", 1, 8, "an operand is missing: what the operation works on"},
        {"T0|fence.sc(x)", 1, 13, "'x': a fence has no operand"},
        {"T(0|r(x)", 1, 2, "'(' cannot be part of a name; write %28 for (, %29 for )"},
        {"T0|r((x)", 1, 6, "'(' cannot be part of a name; write %28 for (, %29 for )"},
        {"T0|r(x;y)", 1, 7, "';' cannot be part of a name; write %2C for a comma, %3B for a semicolon"},
        {"T,0|r(x)", 1, 2, "',' cannot be part of a name; write %2C for a comma, %3B for a semicolon"},
        {"T0|r(a\x01)", 1, 7, "a control character; this is no text"},
        {"T0|r(a)|\x7f", 1, 9, "a control character; this is no text"},
        {"T0|r(@)", 1, 6, "'@' is no address; write @HEX or @HEX+SIZE, as in @7f001230+4"},
        {"T0|r(@1g+4)", 1, 6, "'@1g+4' is no address; write @HEX or @HEX+SIZE, as in @7f001230+4"},
        {"T0|r(@10000000000000000)", 1, 6,
         "'@10000000000000000' is no address; write @HEX or @HEX+SIZE, as in @7f001230+4"},
        {"T0|r(@10+0)", 1, 10, "'0' is no size here; write a number from 1 to 64"},
        {"T0|w(@10+65)", 1, 10, "'65' is no size here; write a number from 1 to 64"},
        {"T0|w(@10+)", 1, 10, "'' is no size here; write a number from 1 to 64"},
        {"T0|ld.sc(@10+17)", 1, 14, "'17' is no size here; write a number from 1 to 16"},
        {"T0|free(@10+4097)", 1, 13, "'4097' is no size here; write a number from 1 to 4096"},
        {"T0|alloc(@10+4294967296)", 1, 14,
         "'4294967296' is no size here; write a number from 1 to 4294967295"},
        {"T0|r(@ffffffffffffffff+2)", 1, 6, "'@ffffffffffffffff+2' reaches past the end of memory"},
        {"T0|rmw.sc(@ffe+4)", 1, 11, "'@ffe+4' crosses a page of 4096 bytes, which no atomic access does"},
        {"T0|commit(x,,y)", 1, 13, "an empty name in the list of a commit"},
        {"T0|commit(x;y;z)", 1, 14,
         "';' cannot be part of a name; write %2C for a comma, %3B for a semicolon"},
        {"T0|commit(@0+17)", 1, 14, "'17' is no size here; write a number from 1 to 16"},
        {"T0|ld.sc(x)\nT0|ld.sc(y,0)", 2, 10,
         "'y,0': atomics with and without data (NAME,0) cannot be in one trace"},
    };
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
        assert_trace_fails(GL_TRACE_STD, errors[i].text, errors[i].line, errors[i].column,
                           errors[i].sentence);

    char text[9000] = "T0|r(";
    memset(text + 5, 'a', 4097);
    strcpy(text + 5 + 4097, ")\n");
    assert_trace_fails(GL_TRACE_STD, text, 1, 6, "a name of more than 4096 characters");
    memset(text, 'o', sizeof text - 1);
    memcpy(text, "T0|", 3);
    assert_trace_fails(GL_TRACE_STD, text, 1, 4,
                       "unknown operation 'oooooooooooooooooooooooooooooooooooooooo...'");
}

static void events_before_an_error_come_first(void **state)
{
    (void)state;
    struct trace_read t;
    trace_read(&t, GL_TRACE_STD, "T0|r(x)\nT0|r(y)\nT0|oops(z)\nT0|r(x)\n");
    assert_true(t.failed);
    assert_int_equal(t.n, 2);
    assert_int_equal(t.error.line, 3);
    assert_int_equal(t.error.offset, 8 + 8 + 3);
    trace_close(&t);
}

static void no_memory_is_an_error(void **state)
{
    (void)state;
    static const char text[] =
        "T0|fork(T1)|f.c:1\nT0|w(@1000+8)|f.c:2\nT1|commit(a,b;c)\nT1|acq(m)\nT1|rel(m)|7\n";
    for (unsigned long at = 1;; at++) {
        struct fake_env env;
        fake_env_init(&env);
        env.fail_at = at;
        struct gl_event events[8];
        uint64_t records[8];
        struct gl_trace_batch b = {events, records, 8, 0};
        struct gl_trace_error error = {.text = "none"};
        struct gl_trace_reader *r = gl_trace_open(&env.env, text, sizeof text - 1, GL_TRACE_STD, &error);
        int more = 1;
        size_t n = 0;
        while (r && (more = gl_trace_read(r, &b, &error)) > 0)
            n += b.count;
        gl_trace_close(r);
        assert_true(fake_env_is_clean(&env));
        if (at > env.maps) {
            assert_true(more == 0 && n == 5);
            assert_true(at > 10);
            break;
        }
        /* an error, or only a way to be fast that was not taken */
        assert_true(n == 5 || strncmp(error.text, "there is not enough memory; ", 28) == 0);
    }
}

static void what_cannot_be_written_is_refused(void **state)
{
    (void)state;
    struct trace_read t;
    struct trace_bytes *b = calloc(1, sizeof *b);
    trace_read(&t, GL_TRACE_STD, "T0|w(x)|3\n");
    const struct gl_event good = t.events[0];
    struct gl_event bad[] = {good, good, good, good, good, good, good, good, good, good, good};
    bad[0].size = 2; /* a part of a named variable */
    bad[1].object = 2;
    bad[2].object = 4; /* nobody's */
    bad[3].object = 1 << 20;
    bad[4].thread = 7; /* no name */
    bad[5].site = 7;
    bad[6] = (struct gl_event){.op = GL_OP_ACQ};
    for (int i = 7; i < 11; i++) {
        bad[i].op = i < 9 ? GL_OP_LOAD : GL_OP_STORE;
        bad[i].order = i < 9 ? GL_REL : GL_ACQ;
        bad[i].order = i % 2 ? bad[i].order : GL_AR;
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        t.events[0] = bad[i];
        assert_false(trace_write(b, &t));
    }
    t.events[0] = good;
    b->room = 5;
    assert_false(trace_write(b, &t));
    b->room = 0;
    assert_true(trace_write(b, &t));
    trace_close(&t);
    free(b);
}

static void long_texts_are_written_in_pieces(void **state)
{
    (void)state;
    struct trace_read t;
    char text[4000] = "T0|r(x)|";
    memset(text + 8, 'l', 3000);
    strcpy(text + 3008, "\n");
    trace_read(&t, GL_TRACE_STD, text);
    assert_false(t.failed);
    struct fake_env env;
    fake_env_init(&env);
    struct trace_bytes *b = calloc(1, sizeof *b);
    b->room = 60000;
    struct gl_trace_writer *w =
        gl_trace_writer_open(&env.env, GL_TRACE_STD, gl_trace_names(t.reader), trace_put, b);
    for (int i = 0; i < 19; i++)
        assert_true(gl_trace_write(w, t.events, 1));
    assert_true(gl_trace_writer_close(w));
    assert_int_equal(b->n, 19 * strlen(text));
    assert_memory_equal(b->at + 18 * strlen(text), text, strlen(text));
    w = gl_trace_writer_open(&env.env, GL_TRACE_STD, gl_trace_names(t.reader), trace_put, b);
    bool good = true;
    for (int i = 0; i < 30; i++) /* 90,000 characters: more than there is room for, noticed on the way */
        good = gl_trace_write(w, t.events, 1) && good;
    assert_false(good);
    assert_false(gl_trace_writer_close(w));
    assert_null(gl_trace_writer_open(&env.env, GL_TRACE_CSV, gl_trace_names(t.reader), trace_put, b));
    env.fail_at = env.maps + 1;
    assert_null(gl_trace_writer_open(&env.env, GL_TRACE_STD, gl_trace_names(t.reader), trace_put, b));
    assert_true(fake_env_is_clean(&env));
    trace_close(&t);
    free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operation_comes_back),
        cmocka_unit_test(numbers_follow_first_mention),
        cmocka_unit_test(atomic_and_plain_accesses_of_one_name_are_one_memory),
        cmocka_unit_test(threads_are_normalised),
        cmocka_unit_test(layout_is_free),
        cmocka_unit_test(comments_stay_comments),
        cmocka_unit_test(any_name_can_be_written),
        cmocka_unit_test(easy_lines_are_read_as_careful_ones),
        cmocka_unit_test(accesses_are_cut_at_pages_and_at_64_bytes),
        cmocka_unit_test(commits_keep_their_bytes),
        cmocka_unit_test(every_error_has_its_place),
        cmocka_unit_test(events_before_an_error_come_first),
        cmocka_unit_test(no_memory_is_an_error),
        cmocka_unit_test(what_cannot_be_written_is_refused),
        cmocka_unit_test(long_texts_are_written_in_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
