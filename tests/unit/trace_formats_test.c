/* SPDX-License-Identifier: Apache-2.0
 *
 * Formats are told apart, and those of others are read: RAPID's CSV, RoadRunner's log, RapidBin.
 */
#include "tests/unit/trace_support.h"

static void names_of_formats(void **state)
{
    (void)state;
    static const char *const names[] = {"unknown", "std", "csv", "roadrunner", "rapidbin", "binary"};
    for (int f = GL_TRACE_STD; f <= GL_TRACE_BINARY; f++) {
        assert_string_equal(gl_trace_format_name((enum gl_trace_format)f), names[f]);
        assert_int_equal(gl_trace_format_by_name(names[f]), f);
    }
    assert_int_equal(gl_trace_format_by_name("st"), GL_TRACE_UNKNOWN);
    assert_int_equal(gl_trace_format_by_name("stdx"), GL_TRACE_UNKNOWN);
    assert_int_equal(gl_trace_format_by_name(""), GL_TRACE_UNKNOWN);
}

static void formats_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum gl_trace_format format;
    } traces[] = {
        {"T0|r(x)|1\n", GL_TRACE_STD},
        {"# T1,r,x\n\n T0|r(x)", GL_TRACE_STD},
        {"T0,r,x,1\n", GL_TRACE_CSV},
        {"# a|b\nthread,op,operand\n", GL_TRACE_CSV},
        {"@   Acquire(0,@01)\n", GL_TRACE_ROADRUNNER},
        {"[main: a, b]\nhello\n  Rd(0,@01.x)\n", GL_TRACE_ROADRUNNER},
    };
    for (size_t i = 0; i < sizeof traces / sizeof traces[0]; i++) {
        struct trace_read t;
        trace_read(&t, GL_TRACE_UNKNOWN, traces[i].text);
        assert_false(t.failed);
        assert_int_equal(gl_trace_format_of(t.reader), traces[i].format);
        assert_int_equal(gl_trace_chunks(t.reader), 0);
        assert_true(gl_trace_is_complete(t.reader));
        struct gl_trace_error error;
        assert_false(gl_trace_seek(t.reader, 1, &error));
        assert_string_equal(error.text, "this format cannot be entered in the middle; convert it to binary");
        assert_null(gl_trace_open_chunks(&t.env.env, traces[i].text, strlen(traces[i].text), 0, 1, &error));
        assert_string_equal(error.text, "this format has no chunks; convert it to binary");
        trace_close(&t);
    }
    assert_trace_fails(GL_TRACE_UNKNOWN, "hello\nT0|r(x)|1\n", 0, 0,
                       "not a trace of a known format (std, csv, roadrunner, rapidbin, binary); --from NAME says what is wrong with a damaged one");
    assert_trace_fails(GL_TRACE_UNKNOWN, "\x1f\x8b\x08", 0, 0, "compressed by gzip; give its contents: zcat FILE | goldilocks ... -");
    assert_trace_fails(GL_TRACE_UNKNOWN, "\x1f", 0, 0, "not a trace of a known format (std, csv, roadrunner, rapidbin, binary); --from NAME says what is wrong with a damaged one");
    gl_trace_close(NULL);
}

static void csv_with_and_without_header(void **state)
{
    (void)state;
    assert_trace(GL_TRACE_CSV,
                 "T0,r,x,1\n1, w , y \n# no event\n\r\nT0,fork,1,9\r\nT1,begin\nT1,fence.sc,,4\n",
                 "T0|r(x)|1\nT1|w(y)\nT0|fork(T1)|9\nT1|begin\nT1|fence.sc|4\n");
    assert_trace(GL_TRACE_UNKNOWN, "\xef\xbb\xbfthread,op,operand\nT0,r,x\n", "T0|r(x)\n");
    assert_trace(GL_TRACE_CSV, "Loc, Operand,Other,Event,TID\n7,x,?,READ,T0\n,L,,Acquire,T0\n,L,,unlock,T0\n",
                 "T0|r(x)|7\nT0|acq(L)\nT0|rel(L)\n");
    assert_trace(GL_TRACE_CSV, "\"T0\",\"commit\",\"x,y;z\",\"a, b\"\nT0,st.rel,@10+8\nT0,r,\"f()\"\n",
                 "T0|commit(x,y;z)|a, b\nT0|st.rel(@10+8)\nT0|r(f%28%29)\n");
}

static void csv_errors(void **state)
{
    (void)state;
    assert_trace_fails(GL_TRACE_CSV, "a,b\n", 1, 3, "unknown operation 'b', and no header line either");
    assert_trace_fails(GL_TRACE_CSV, "T0,r,x\nT0,what,x\n", 2, 4, "unknown operation 'what'");
    assert_trace_fails(GL_TRACE_CSV, "T0,r,x\nT0\n", 2, 3, "unknown operation ''");
    assert_trace_fails(GL_TRACE_CSV, ",r,x\n", 1, 1, "no thread; write thread,operation,operand,location");
    assert_trace_fails(GL_TRACE_CSV, "T0,r,\"x\n", 1, 6, "this quote is not closed");
    assert_trace_fails(GL_TRACE_CSV, "T0,r,\"x\"y\n", 1, 9, "a comma is missing after the quote");
    assert_trace_fails(GL_TRACE_CSV, "T0,r,x\x02\n", 1, 7, "a control character; this is no text");
    assert_trace_fails(GL_TRACE_CSV, "T0,acq,\n", 1, 8, "an operand is missing: what the operation works on");
    assert_trace_fails(GL_TRACE_CSV, "T0,r,\"a;b\"\n", 1, 8,
                       "';' cannot be part of a name; write %2C for a comma, %3B for a semicolon");
    assert_trace_fails(GL_TRACE_CSV, "1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0,1,2,3\n", 1,
                       65, "more than 32 columns");
}

static void roadrunner_log(void **state)
{
    (void)state;
    assert_trace(
        GL_TRACE_ROADRUNNER,
        "[main: ----- RoadRunner -----]\n"
        "@      Rd(0,@02.x_I)\n"
        "@ AWr(0,@05[3])   @ Main.java:17\n"
        "program, output(1)\n"
        "  Acquire(0,@01)  Main.java:18\n"
        "@ VolRd(0,@03.flag_Z)\n"
        "@ Enter(0,Main.run(),x)\n"
        "@ PreWait(0,@01)\n@ PostWait(0,@01)\n"
        "@ Release(0,@01)\n@ Start(0,1)\n@ Wr(1,A.f(B,C))\n@ Join(0,1)\r\n",
        "T0|r(%4002.x_I)\nT0|w(%4005[3])|Main.java:17\nT0|acq(%4001)|Main.java:18\nT0|volread(%4003.flag_Z)\n"
        "T0|cwait_begin(%4001)\nT0|cwait_end(%4001)\nT0|rel(%4001)\nT0|fork(T1)\nT1|w(A.f%28B%2CC%29)\nT0|"
        "join(T1)\n");
    assert_trace(GL_TRACE_UNKNOWN, "\xef\xbb\xbf@ Rd(0,x)\n", "T0|r(x)\n");
    assert_trace_fails(GL_TRACE_ROADRUNNER, "@ Rd(0,x)\n@ Hop(0,x)\n", 2, 3, "unknown operation 'Hop'");
    assert_trace_fails(GL_TRACE_ROADRUNNER, "Rd(0,x\n", 1, 3, "this bracket is not closed");
    assert_trace_fails(GL_TRACE_ROADRUNNER, "Rd(,x)\n", 1, 4, "no thread; write operation(thread,operand)");
    assert_trace_fails(GL_TRACE_ROADRUNNER, "Rd(0)\n", 1, 5,
                       "an operand is missing: what the operation works on");
    assert_trace_fails(GL_TRACE_ROADRUNNER, "Rd(0,\x03)\n", 1, 6, "a control character; this is no text");
    assert_trace_fails(GL_TRACE_ROADRUNNER, "nothing\nof it\n", 1, 1,
                       "no line of this text is an event of RoadRunner's");
}

/* ---- RapidBin ---- */

struct rapidbin {
    unsigned char at[512];
    size_t n;
};

static void big_endian(struct rapidbin *b, uint64_t number, int bytes)
{
    while (bytes-- > 0)
        b->at[b->n++] = (unsigned char)(number >> 8 * bytes);
}

static void header(struct rapidbin *b, uint64_t events)
{
    b->n = 0;
    big_endian(b, 3, 2); /* threads */
    big_endian(b, 1, 4); /* locks */
    big_endian(b, 1, 4); /* variables */
    big_endian(b, events, 8);
}

static void record(struct rapidbin *b, uint64_t thread, uint64_t op, uint64_t decor, uint64_t location)
{
    big_endian(b, thread | op << 10 | decor << 14 | location << 48, 8);
}

static void rapidbin_records(void **state)
{
    (void)state;
    struct rapidbin b;
    header(&b, 8);
    record(&b, 0, 4, 1023, 0);               /* fork */
    record(&b, 1023, 6, 0, 1);               /* begin */
    record(&b, 1023, 0, 7, 2);               /* acquire */
    record(&b, 1023, 2, 0x3ffffffff, 32767); /* read */
    record(&b, 1023, 3, 5, 3);               /* write */
    record(&b, 1023, 1, 7, 4);               /* release */
    record(&b, 1023, 7, 0, 5);               /* end */
    record(&b, 0, 5, 1023, 6);               /* join */
    struct trace_read t;
    struct trace_bytes *text = calloc(1, sizeof *text);
    for (size_t batch = 1; batch <= 8; batch += 7) {
        trace_read_batches(&t, GL_TRACE_UNKNOWN, b.at, b.n, batch);
        assert_false(t.failed);
        assert_int_equal(gl_trace_format_of(t.reader), GL_TRACE_RAPIDBIN);
        assert_int_equal(t.records[7], 8);
        assert_true(trace_write(text, &t));
        assert_string_equal(text->at,
                            "T0|fork(T1023)|0\nT1023|begin|1\nT1023|acq(L7)|2\nT1023|r(V17179869183)|32767\n"
                            "T1023|w(V5)|3\nT1023|rel(L7)|4\nT1023|end|5\nT0|join(T1023)|6\n");
        trace_close(&t);
    }
    free(text);
}

static void rapidbin_fails(const struct rapidbin *b, size_t size, size_t events, uint64_t offset,
                           const char *sentence)
{
    struct trace_read t;
    trace_read_batches(&t, GL_TRACE_RAPIDBIN, b->at, size, 4);
    assert_true(t.failed);
    assert_string_equal(t.error.text, sentence);
    assert_int_equal(t.error.offset, offset);
    assert_int_equal(t.error.line, 0);
    assert_int_equal(t.n, events);
    trace_close(&t);
}

static void rapidbin_errors(void **state)
{
    (void)state;
    struct rapidbin b;
    header(&b, 2);
    record(&b, 0, 3, 5, 1);
    record(&b, 0, 8, 5, 1);
    rapidbin_fails(&b, b.n, 1, 26, "operation 8 of a record is unknown; 0 to 7 are");
    rapidbin_fails(&b, 17, 0, 17, "the file ends within its header of 18 bytes");
    rapidbin_fails(&b, 26, 0, 26, "the header tells of 2 events of 8 bytes, but the file has room for 1");
    rapidbin_fails(&b, 33, 0, 33,
                   "the header tells of 2 events of 8 bytes, but the file has room for 1 and a part of one");
    header(&b, UINT64_MAX);
    rapidbin_fails(&b, b.n, 0, 18,
                   "the header tells of 18446744073709551615 events of 8 bytes, but the file has room for 0");
    header(&b, 0);
    record(&b, 0, 3, 5, 1);
    rapidbin_fails(&b, b.n, 0, 18, "the header tells of 0 events of 8 bytes, but the file has room for 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_formats),
        cmocka_unit_test(formats_are_found),
        cmocka_unit_test(csv_with_and_without_header),
        cmocka_unit_test(csv_errors),
        cmocka_unit_test(roadrunner_log),
        cmocka_unit_test(rapidbin_records),
        cmocka_unit_test(rapidbin_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
