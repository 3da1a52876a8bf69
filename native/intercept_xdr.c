/* SPDX-License-Identifier: Apache-2.0
 *
 * XDR, the external data representation of RPC: what is encoded is read, what is decoded is written.  The functions are in a library of
 * their own (libtirpc).
 */
#include "native/intercept_libc.h"

#include <stdio.h>

#include "platform/platform.h"

/* A stream, the same in all libraries that ever had it. */
struct xdr {
    enum { ENCODE, DECODE, FREE } op;
    const void *functions;
    void *public, *private, *base;
    unsigned left;
};
typedef int (*xdr_function)(struct xdr *, void *);

/* The library's functions call one another: what the inner ones do, the outer one tells of, with the program's line.  The frame of that one; 0: none. */
static __thread uintptr_t within __attribute__((tls_model("initial-exec")));

void rt_xdr_left(uintptr_t sp)
{
    if (RT_UNLIKELY(within) && gl_os_stack_left(within, sp))
        within = 0;
}

static bool goes(const struct xdr *x) { return x->op == ENCODE && !within; }
static bool came(const struct xdr *x, int r) { return r && x->op == DECODE && !within; }

#define INSIDE(...)                                                                                          \
    do {                                                                                                     \
        uintptr_t outer = within;                                                                            \
        if (!outer)                                                                                          \
            within = (uintptr_t)__builtin_frame_address(0);                                                  \
        RT_UNDER(pc, __VA_ARGS__);                                                                           \
        within = outer;                                                                                      \
    } while (0)

/* before: what is read of the object p when it goes; after: what is written when it came. */
#define CONVERTS(name, params, args, before, after)                                                          \
    int name params;                                                                                         \
    INTERCEPT(int, name, params)                                                                             \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        int r;                                                                                               \
        if (goes(x)) {                                                                                       \
            before;                                                                                          \
        }                                                                                                    \
        INSIDE(r = REAL(name) args);                                                                         \
        if (came(x, r)) {                                                                                    \
            after;                                                                                           \
        }                                                                                                    \
        return r;                                                                                            \
    }
#define SCALAR(name, type)                                                                                   \
    CONVERTS(name, (struct xdr * x, type * p), (x, p), R(p, sizeof *p), W(p, sizeof *p))

SCALAR(xdr_short, short)
SCALAR(xdr_u_short, unsigned short)
SCALAR(xdr_int, int)
SCALAR(xdr_u_int, unsigned)
SCALAR(xdr_long, long)
SCALAR(xdr_u_long, unsigned long)
SCALAR(xdr_hyper, long)
SCALAR(xdr_u_hyper, unsigned long)
SCALAR(xdr_longlong_t, long long)
SCALAR(xdr_u_longlong_t, unsigned long long)
SCALAR(xdr_int8_t, int8_t)
SCALAR(xdr_uint8_t, uint8_t)
SCALAR(xdr_int16_t, int16_t)
SCALAR(xdr_uint16_t, uint16_t)
SCALAR(xdr_int32_t, int32_t)
SCALAR(xdr_uint32_t, uint32_t)
SCALAR(xdr_int64_t, int64_t)
SCALAR(xdr_uint64_t, uint64_t)
SCALAR(xdr_quad_t, long)
SCALAR(xdr_u_quad_t, unsigned long)
SCALAR(xdr_bool, int)
SCALAR(xdr_enum, int)
SCALAR(xdr_char, char)
SCALAR(xdr_u_char, unsigned char)
SCALAR(xdr_float, float)
SCALAR(xdr_double, double)

CONVERTS(xdr_bytes, (struct xdr * x, char **p, unsigned *n, unsigned most), (x, p, n, most), R(p, sizeof *p);
         R(n, sizeof *n); R(*p, *n), W(p, sizeof *p); W(n, sizeof *n); W(*p, *n))
CONVERTS(xdr_string, (struct xdr * x, char **p, unsigned most), (x, p, most), R(p, sizeof *p);
         S(*p), W(p, sizeof *p); T(*p))
CONVERTS(xdr_opaque, (struct xdr * x, char *p, unsigned n), (x, p, n), R(p, n), W(p, n))

/* Elements are told of by their own functions, which may be the program's. */
CONVERTS(xdr_array, (struct xdr * x, char **p, unsigned *n, unsigned most, unsigned size, xdr_function each),
         (x, p, n, most, size, each), R(p, sizeof *p);
         R(n, sizeof *n); R(*p, (size_t)*n *size), W(p, sizeof *p); W(n, sizeof *n); W(*p, (size_t)*n *size))
CONVERTS(xdr_vector, (struct xdr * x, char *p, unsigned n, unsigned size, xdr_function each),
         (x, p, n, size, each), R(p, (size_t)n *size), W(p, (size_t)n *size))

/* A stream in memory reads and writes its buffer whenever something is converted: who made it answers for all of it. */
INTERCEPT(void, xdrmem_create, (struct xdr * x, char *p, unsigned n, int op))
{
    uintptr_t pc = RT_CALLER();
    REAL(xdrmem_create)(x, p, n, op);
    WHOLE(x);
    if (op == DECODE)
        R(p, n);
    else
        W(p, op == ENCODE ? n : 0);
}

INTERCEPT(void, xdrstdio_create, (struct xdr * x, FILE *f, int op))
{
    uintptr_t pc = RT_CALLER();
    REAL(xdrstdio_create)(x, f, op);
    WHOLE(x);
}

/* Its buffers are filled and emptied by the program's functions: those are seen. */
INTERCEPT(void, xdrrec_create,
          (struct xdr * x, unsigned out, unsigned in, void *handle, int (*fill)(void *, void *, int),
           int (*empty)(void *, void *, int)))
{
    uintptr_t pc = RT_CALLER();
    REAL(xdrrec_create)(x, out, in, handle, fill, empty);
    WHOLE(x);
}
