/* SPDX-License-Identifier: Apache-2.0
 *
 * What libraries of C++ and Ada that nobody has instrumented count atomically inside: references to the text of an exception, to a locale, to a string of the old ABI.  Who
 * gives such a thing up last frees it, after all that others have read of it.  Of these libraries only the functions here are followed, unless the option names
 * the library: others count what orders nothing that a program could rely on, and to look through a whole library takes 8 ms.
 *
 * Only what gives up: to take one more reference orders nothing that a program could rely on.  Of destructors the one for a base class (D2), which the complete one is as
 * well, or calls.
 */
#include "native/foreign.h"

/* Strings of the old ABI: the class as it is mangled, and as an argument; its allocator; its character. */
#define OLD_STRING(class, itself, allocator, character)                                                                  \
    "_ZN" class "4_Rep10_M_disposeERK" allocator, "_ZN" class "5clearEv", "_ZN" class "6assignERK" itself,                \
        "_ZN" class "7replaceEmmPK" character "m", "_ZN" class "7reserveEm", "_ZN" class "7reserveEv",                    \
        "_ZN" class "9_M_mutateEmmm", "_ZN" class "D2Ev",                                                                 \
        "_ZStplI" character "St11char_traitsI" character "ESaI" character "EESbIT_T0_T1_ERKS6_S8_"

static const char *const of_libstdcxx[] = {
    "_ZNSt11logic_errorD2Ev", "_ZNSt13runtime_errorD2Ev", "_ZNSt8ios_base7failureD2Ev",
    OLD_STRING("Ss", "Ss", "SaIcE", "c"), OLD_STRING("SbIwSt11char_traitsIwESaIwEE", "S2_", "S1_", "w"),
    "_ZNSt6localeD2Ev", "_ZNSt6localeaSERKS_", "_ZNSt6locale5_ImplD2Ev",
};

/* In libc++ itself, or in libc++abi. */
static const char *const of_libcxx[] = {
    "_ZNSt3__114__shared_count16__release_sharedEv", /* where the library gives up what a future shares; or where that is inline: */
    "_ZNSt3__16futureIvED2Ev", "_ZNSt3__16futureIvE3getEv", "_ZNSt3__17promiseIvED2Ev", "_ZNSt3__113shared_futureIvED2Ev",
    "_ZNSt3__113shared_futureIvEaSERKS1_",
    "_ZNSt3__14__fs10filesystem16filesystem_errorD2Ev",
    "_ZNSt11logic_erroraSERKS_", "_ZNSt11logic_errorD2Ev", "_ZNSt13runtime_erroraSERKS_", "_ZNSt13runtime_errorD2Ev",
    "_ZNSt11range_errorD2Ev", "_ZNSt12domain_errorD2Ev", "_ZNSt12length_errorD2Ev", "_ZNSt12out_of_rangeD2Ev", "_ZNSt14overflow_errorD2Ev",
    "_ZNSt15underflow_errorD2Ev", "_ZNSt16invalid_argumentD2Ev",
};

/* GNAT's: the text that copies of one unbounded string share. */
static const char *const of_libgnat[] = {"ada__strings__unbounded__unreference", "ada__strings__wide_unbounded__unreference",
                                         "ada__strings__wide_wide_unbounded__unreference"};

/* QReadWriteLock::unlock() of a lock for which somebody has waited (d_ptr.storeRelease(nullptr)). */
static const char *const of_qt[] = {"_ZN14QReadWriteLock6unlockEv"};

/* GOnce: that its function has returned (once->status = G_ONCE_STATUS_READY), which callers load in the macro g_once(). */
static const char *const of_glib[] = {"g_once_impl"};

struct rt_foreign_known rt_foreign_gives_up(const char *path)
{
    if (rt_foreign_named("libglib-2.0", path))
        return (struct rt_foreign_known){of_glib, sizeof of_glib / sizeof of_glib[0]};
    if (rt_foreign_named("libQt5Core/libQt6Core", path))
        return (struct rt_foreign_known){of_qt, sizeof of_qt / sizeof of_qt[0]};
    return (struct rt_foreign_known){0};
}

struct rt_foreign_known rt_foreign_known(const char *path)
{
    if (rt_foreign_named("libstdc++", path))
        return (struct rt_foreign_known){of_libstdcxx, sizeof of_libstdcxx / sizeof of_libstdcxx[0]};
    if (rt_foreign_named("libc++/libc++abi", path))
        return (struct rt_foreign_known){of_libcxx, sizeof of_libcxx / sizeof of_libcxx[0]};
    if (rt_foreign_named("libgnat-*", path))
        return (struct rt_foreign_known){of_libgnat, sizeof of_libgnat / sizeof of_libgnat[0]};
    return (struct rt_foreign_known){0};
}
