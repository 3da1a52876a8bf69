/* SPDX-License-Identifier: Apache-2.0
 *
 * How clang's OpenMP library finds us where its own calls do not reach functions that come before it: it is linked with
 * -Bsymbolic-functions, as Ubuntu links, and asks itself for a tool.  It finds none, and opens ThreadSanitizer's, Archer
 * (libarcher.so).  We stand in for that one: the program's own names, in which ours come first, have an ompt_start_tool().
 *
 * dlopen() goes by where it was called from (the RUNPATH and $ORIGIN of the caller's file), so it is left by a jump.
 */
#include "native/intercept_libc.h"

#include <dlfcn.h>

#include "platform/internal_libc.h"

#if __has_attribute(musttail)
#define TAIL __attribute__((musttail))
#else
#define TAIL /* -O2 makes it a jump, and tests/cli/programs.sh holds it to that */
#endif

INTERCEPT(void *, dlopen, (const char *file, int mode))
{
    if (file && gl_libc_strcmp(file, "libarcher.so") == 0)
        file = NULL;
    TAIL return REAL(dlopen)(file, mode);
}
