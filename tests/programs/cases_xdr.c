// SPDX-License-Identifier: Apache-2.0
// XDR: what is encoded is read, what is decoded is written, and a stream in memory has its buffer.
// peer-skip: libtsan does not know all of these
// flags: -I/usr/include/tirpc -ltirpc
#include "tests/programs/cases.h"
#include <rpc/rpc.h>
#include <stdio.h>
#include <stdlib.h>

static XDR encode, decode, record, file[2], other[2];
static char buffer[4096], unused[2][64], elsewhere[2][64];
static short a[2][2];
static unsigned short b[2][2];
static int c[8][2];
static unsigned d[4][2];
static long e[2][2];
static unsigned long f[2][2];
static quad_t g[2][2], h[2][2];
static u_quad_t i[2][2], j[2][2];
static int8_t k[2][2];
static uint8_t l[2][2];
static int16_t m[2][2];
static uint16_t n[2][2];
static int32_t o[2][2];
static uint32_t p[2][2];
static int64_t q[4][2];
static uint64_t r[4][2];
static char s[2][2];
static unsigned char t[2][2];
static float u[2][2];
static double v[2][2];
static char text[8][16] = {"abcd", "abcd", "abcd"};
static char *strings[4][2] = {{text[0]}, {text[1]}};
static char *bytes_of[2][2];
static u_int sizes[4][2] = {{4}, {2}};
static int numbers[4][2] = {{1, 2}, {1, 2}};
static char *array_of[2][2] = {{(char *)numbers[0]}};

static int no_bytes(void *handle, void *to, int size) {
    (void)handle, (void)to, (void)size;
    return -1;
}

// Both ways: the first object goes, the second comes.
#define ENCODES(function, of) READS(function(&encode, &of[0][0]), &of[0][0], &of[0][1])
#define DECODES(function, of) WRITES(function(&decode, &of[1][0]), &of[1][0], &of[1][1])

static void cases(enum runs who) {
    WRITES((xdrmem_create(&other[0], unused[0], 64, XDR_ENCODE), 1), &unused[0][63], &unused[1]); //@case writes
    WRITES((xdrmem_create(&other[1], elsewhere[0], 64, XDR_ENCODE), 1), &other[1].x_op, NULL); //@case writes
    DOES(xdrmem_create(&encode, buffer, sizeof buffer, XDR_ENCODE));
    WRITES((xdrstdio_create(&file[0], tmpfile(), XDR_ENCODE), 1), &file[0].x_op, &file[1]); //@case writes
    WRITES((xdrrec_create(&record, 0, 0, NULL, no_bytes, no_bytes), 1), &record.x_ops, NULL); //@case writes
    ENCODES(xdr_short, a); //@case reads
    ENCODES(xdr_u_short, b); //@case reads
    READS(xdr_int(&encode, &c[0][0]), &c[0][0], &c[0][1]); //@case reads
    READS(xdr_bool(&encode, &c[1][0]), &c[1][0], &c[1][1]); //@case reads
    READS(xdr_enum(&encode, &c[2][0]), &c[2][0], &c[2][1]); //@case reads
    ENCODES(xdr_u_int, d); //@case reads
    ENCODES(xdr_long, e); //@case reads
    ENCODES(xdr_u_long, f); //@case reads
    ENCODES(xdr_hyper, g); //@case reads
    ENCODES(xdr_longlong_t, h); //@case reads
    ENCODES(xdr_u_hyper, i); //@case reads
    ENCODES(xdr_u_longlong_t, j); //@case reads
    ENCODES(xdr_int8_t, k); //@case reads
    ENCODES(xdr_uint8_t, l); //@case reads
    ENCODES(xdr_int16_t, m); //@case reads
    ENCODES(xdr_uint16_t, n); //@case reads
    ENCODES(xdr_int32_t, o); //@case reads
    ENCODES(xdr_uint32_t, p); //@case reads
    ENCODES(xdr_int64_t, q); //@case reads
    READS(xdr_quad_t(&encode, &q[2][0]), &q[2][0], &q[2][1]); //@case reads
    ENCODES(xdr_uint64_t, r); //@case reads
    READS(xdr_u_quad_t(&encode, &r[2][0]), &r[2][0], &r[2][1]); //@case reads
    ENCODES(xdr_char, s); //@case reads
    ENCODES(xdr_u_char, t); //@case reads
    ENCODES(xdr_float, u); //@case reads
    ENCODES(xdr_double, v); //@case reads
    READS(xdr_string(&encode, &strings[0][0], 8), &text[0][4], &text[0][5]); //@case reads
    READS(xdr_bytes(&encode, &strings[1][0], &sizes[0][0], 8), &text[1][3], &text[1][4]); //@case reads
    READS(xdr_opaque(&encode, text[2], 4), &text[2][3], &text[2][4]); //@case reads
    READS(xdr_array(&encode, &array_of[0][0], &sizes[1][0], 2, sizeof(int), (xdrproc_t)xdr_int), &numbers[0][1], NULL); //@case reads
    READS(xdr_vector(&encode, (char *)numbers[1], 2, sizeof(int), (xdrproc_t)xdr_int), &numbers[1][1], NULL); //@case reads

    DOES(xdrmem_create(&decode, buffer, sizeof buffer, XDR_DECODE));
    DECODES(xdr_short, a); //@case writes
    DECODES(xdr_u_short, b); //@case writes
    WRITES(xdr_int(&decode, &c[3][0]), &c[3][0], &c[3][1]); //@case writes
    WRITES(xdr_bool(&decode, &c[4][0]), &c[4][0], &c[4][1]); //@case writes
    WRITES(xdr_enum(&decode, &c[5][0]), &c[5][0], &c[5][1]); //@case writes
    DECODES(xdr_u_int, d); //@case writes
    DECODES(xdr_long, e); //@case writes
    DECODES(xdr_u_long, f); //@case writes
    DECODES(xdr_hyper, g); //@case writes
    DECODES(xdr_longlong_t, h); //@case writes
    DECODES(xdr_u_hyper, i); //@case writes
    DECODES(xdr_u_longlong_t, j); //@case writes
    DECODES(xdr_int8_t, k); //@case writes
    DECODES(xdr_uint8_t, l); //@case writes
    DECODES(xdr_int16_t, m); //@case writes
    DECODES(xdr_uint16_t, n); //@case writes
    DECODES(xdr_int32_t, o); //@case writes
    DECODES(xdr_uint32_t, p); //@case writes
    DECODES(xdr_int64_t, q); //@case writes
    WRITES(xdr_quad_t(&decode, &q[3][0]), &q[3][0], &q[3][1]); //@case writes
    DECODES(xdr_uint64_t, r); //@case writes
    WRITES(xdr_u_quad_t(&decode, &r[3][0]), &r[3][0], &r[3][1]); //@case writes
    DECODES(xdr_char, s); //@case writes
    DECODES(xdr_u_char, t); //@case writes
    DECODES(xdr_float, u); //@case writes
    DECODES(xdr_double, v); //@case writes
    WRITES(xdr_string(&decode, &strings[2][0], 8), &strings[2][0][4], NULL); //@case writes
    WRITES(xdr_bytes(&decode, &bytes_of[0][0], &sizes[2][0], 8), &sizes[2][0], &sizes[2][1]); //@case writes
    WRITES(xdr_opaque(&decode, text[3], 4), &text[3][3], &text[3][4]); //@case writes
    WRITES(xdr_array(&decode, &array_of[1][0], &sizes[3][0], 2, sizeof(int), (xdrproc_t)xdr_int), &sizes[3][0], &sizes[3][1]); //@case writes
    WRITES(xdr_vector(&decode, (char *)numbers[2], 2, sizeof(int), (xdrproc_t)xdr_int), &numbers[2][1], &numbers[3]); //@case writes
}

CASES_MAIN
