/* SPDX-License-Identifier: Apache-2.0
 *
 * Planted mistakes, for tests only: the build with -DGL_MUTANTS lets a test switch one on and show
 * that the differential test notices.  In every other build GL_MUTANT(x) is the constant 0.
 */
#ifndef GL_CORE_MUTANT_H
#define GL_CORE_MUTANT_H

enum gl_mutant {
    GL_MUTANT_NONE,
    GL_MUTANT_STALE_ALOCK,      /* a segment keeps a lock that was not held at its end */
    GL_MUTANT_NO_BUMP,          /* a release after an access does not end the epoch */
    GL_MUTANT_MERGE_FOR_ASSIGN, /* records that must assign take the maximum */
    GL_MUTANT_HINT_LEAK,        /* the answer of a short circuit is written into replay state */
    GL_MUTANT_DROP_READ,        /* of several unordered reads only the last is kept */
    GL_MUTANT_RESUME_TAKEN,     /* a segment goes on though another thread had the lock meanwhile */
    GL_MUTANT_RESUME_USED,      /* a segment that began after the last one ended passes for it when it is looked at whether that goes on */
    GL_MUTANT_LOG_EARLY,        /* a record is put before an earlier one that names the same object */
    GL_MUTANT_LOG_CLOSED,       /* a record whose position a reader has closed is lost */
    GL_MUTANT_COUNT
};

#ifdef GL_MUTANTS
extern enum gl_mutant gl_mutant; /* core/goldilocks.c; set before threads run */
#define GL_MUTANT(x) __builtin_expect(gl_mutant == GL_MUTANT_##x, 0)
#else
#define GL_MUTANT(x) 0
#endif

#endif
