// SPDX-License-Identifier: Apache-2.0
// What asks for an attribute writes the answer. Racy: another thread reads it; in the twin what lies behind it.
// peer-skip: libtsan does not know all of these
#include "tests/programs/invisible.h"
#include <sched.h>
#include <time.h>

static pthread_attr_t attr;
static pthread_barrierattr_t barrier;
static pthread_condattr_t cond;
static pthread_mutexattr_t mutex;
static pthread_rwlockattr_t rwlock;
static int policy;
static size_t size;
_Alignas(8) int a[2];
_Alignas(8) size_t b[2];
_Alignas(8) int c[2];
_Alignas(8) struct sched_param d[2];
_Alignas(8) int e[2];
_Alignas(8) int f[2];
_Alignas(8) size_t g[2];
_Alignas(8) int h[2];
_Alignas(8) clockid_t i[2];
_Alignas(8) int j[2];
_Alignas(8) int k[2];
_Alignas(8) int l[2];
_Alignas(8) int m[2];
_Alignas(8) int n[2];
_Alignas(8) int o[2];
_Alignas(8) int p[2];
_Alignas(8) int q[2];
_Alignas(8) clockid_t r[2];
_Alignas(8) char s[64];
_Alignas(8) int t[2];
_Alignas(8) cpu_set_t u[2];
_Alignas(8) struct sched_param v[2];
_Alignas(8) void * w[2];

THREAD(first) {
    MUST(pthread_attr_init(&attr) == 0 && pthread_barrierattr_init(&barrier) == 0 && pthread_condattr_init(&cond) == 0);
    MUST(pthread_mutexattr_init(&mutex) == 0 && pthread_rwlockattr_init(&rwlock) == 0);
    MUST(pthread_attr_getdetachstate(&attr, a) == 0); //@race A1 write *
    MUST(pthread_attr_getguardsize(&attr, b) == 0); //@race B1 write *
    MUST(pthread_attr_getinheritsched(&attr, c) == 0); //@race C1 write *
    MUST(pthread_attr_getschedparam(&attr, d) == 0); //@race D1 write *
    MUST(pthread_attr_getschedpolicy(&attr, e) == 0); //@race E1 write *
    MUST(pthread_attr_getscope(&attr, f) == 0); //@race F1 write *
    MUST(pthread_attr_getstacksize(&attr, g) == 0); //@race G1 write *
    MUST(pthread_barrierattr_getpshared(&barrier, h) == 0); //@race H1 write *
    MUST(pthread_condattr_getclock(&cond, i) == 0); //@race I1 write *
    MUST(pthread_condattr_getpshared(&cond, j) == 0); //@race J1 write *
    MUST(pthread_mutexattr_getprioceiling(&mutex, k) == 0); //@race K1 write *
    MUST(pthread_mutexattr_getprotocol(&mutex, l) == 0); //@race L1 write *
    MUST(pthread_mutexattr_getpshared(&mutex, m) == 0); //@race M1 write *
    MUST(pthread_mutexattr_getrobust(&mutex, n) == 0); //@race N1 write *
    MUST(pthread_mutexattr_gettype(&mutex, o) == 0); //@race O1 write *
    MUST(pthread_rwlockattr_getkind_np(&rwlock, p) == 0); //@race P1 write *
    MUST(pthread_rwlockattr_getpshared(&rwlock, q) == 0); //@race Q1 write *
    MUST(pthread_getcpuclockid(pthread_self(), r) == 0); //@race R1 write *
    MUST(pthread_getname_np(pthread_self(), s, 16) == 0); //@race S1 write *
    MUST(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, t) == 0); //@race T1 write *
    MUST(pthread_getaffinity_np(pthread_self(), sizeof *u, u) == 0); //@race U1 write *
    MUST(pthread_getschedparam(pthread_self(), &policy, v) == 0); //@race V1 write *
    MUST(pthread_attr_getstack(&attr, w, &size) == 0); //@race W1 write *
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    USE(*(racy ? &((char *)a)[0] : &((char *)a)[sizeof *a])); //@race A2 read 1
    USE(*(racy ? &((char *)b)[0] : &((char *)b)[sizeof *b])); //@race B2 read 1
    USE(*(racy ? &((char *)c)[0] : &((char *)c)[sizeof *c])); //@race C2 read 1
    USE(*(racy ? &((char *)d)[0] : &((char *)d)[sizeof *d])); //@race D2 read 1
    USE(*(racy ? &((char *)e)[0] : &((char *)e)[sizeof *e])); //@race E2 read 1
    USE(*(racy ? &((char *)f)[0] : &((char *)f)[sizeof *f])); //@race F2 read 1
    USE(*(racy ? &((char *)g)[0] : &((char *)g)[sizeof *g])); //@race G2 read 1
    USE(*(racy ? &((char *)h)[0] : &((char *)h)[sizeof *h])); //@race H2 read 1
    USE(*(racy ? &((char *)i)[0] : &((char *)i)[sizeof *i])); //@race I2 read 1
    USE(*(racy ? &((char *)j)[0] : &((char *)j)[sizeof *j])); //@race J2 read 1
    USE(*(racy ? &((char *)k)[0] : &((char *)k)[sizeof *k])); //@race K2 read 1
    USE(*(racy ? &((char *)l)[0] : &((char *)l)[sizeof *l])); //@race L2 read 1
    USE(*(racy ? &((char *)m)[0] : &((char *)m)[sizeof *m])); //@race M2 read 1
    USE(*(racy ? &((char *)n)[0] : &((char *)n)[sizeof *n])); //@race N2 read 1
    USE(*(racy ? &((char *)o)[0] : &((char *)o)[sizeof *o])); //@race O2 read 1
    USE(*(racy ? &((char *)p)[0] : &((char *)p)[sizeof *p])); //@race P2 read 1
    USE(*(racy ? &((char *)q)[0] : &((char *)q)[sizeof *q])); //@race Q2 read 1
    USE(*(racy ? &((char *)r)[0] : &((char *)r)[sizeof *r])); //@race R2 read 1
    USE(*(racy ? &s[0] : &s[40])); //@race S2 read 1
    USE(*(racy ? &((char *)t)[0] : &((char *)t)[sizeof *t])); //@race T2 read 1
    USE(*(racy ? &((char *)u)[0] : &((char *)u)[sizeof *u])); //@race U2 read 1
    USE(*(racy ? &((char *)v)[0] : &((char *)v)[sizeof *v])); //@race V2 read 1
    USE(*(racy ? &((char *)w)[0] : &((char *)w)[sizeof *w])); //@race W2 read 1
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
