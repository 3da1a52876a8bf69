/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls of x86-64 as compilers and linkers make them:
 *
 *     e8 rel32               call function, or its entry in the linkage table (.plt, .plt.sec):
 *     f3 0f 1e fa               endbr64, where control flow is protected
 *     f2                        bnd, of older linkers
 *     ff 25 rel32               jmp *slot(%rip)
 *     ff 15 rel32            call *slot(%rip), of -fno-plt
 *
 * and of AArch64, whose instructions are words:
 *
 *     bl function, or its entry in the linkage table:
 *     bti c                     where control flow is protected
 *     adrp x16, slot
 *     ldr x17, [x16, slot]
 *     add x16, x16, slot
 *     br x17
 *
 * A slot holds the function's address once it was called.
 */
#include "symbol/callee.h"

#include <stdbool.h>

#include "symbol/symbol.h"

#if defined(__x86_64__) || defined(__aarch64__)
/* Do the bytes [at, at + size) belong to one loaded object, so that they can be read? */
static bool loaded(uintptr_t at, uintptr_t size)
{
    struct gl_frame first, last;
    return gl_symbol_module(at, GL_PC_EXACT, &first) && gl_symbol_module(at + size - 1, GL_PC_EXACT, &last) &&
           first.module == last.module;
}

static uintptr_t in_slot(uintptr_t slot)
{
    return loaded(slot, sizeof slot) ? *(const uintptr_t *)slot : 0;
}
#endif

#if defined(__x86_64__)
static uintptr_t relative(const unsigned char *end_of_instruction)
{
    int32_t displacement;
    __builtin_memcpy(&displacement, end_of_instruction - sizeof displacement, sizeof displacement);
    return (uintptr_t)end_of_instruction + (uintptr_t)(intptr_t)displacement;
}

static uintptr_t through_linkage_table(uintptr_t entry)
{
    if (!loaded(entry, 11))
        return loaded(entry, 1) ? entry : 0;
    const unsigned char *at = (const unsigned char *)entry;
    if (at[0] == 0xf3 && at[1] == 0x0f && at[2] == 0x1e && at[3] == 0xfa)
        at += 4;
    if (at[0] == 0xf2)
        at++;
    return at[0] == 0xff && at[1] == 0x25 ? in_slot(relative(at + 6)) : entry;
}

uintptr_t gl_symbol_callee(uintptr_t return_address)
{
    if (return_address < 6 || !loaded(return_address - 6, 6))
        return 0;
    const unsigned char *end = (const unsigned char *)return_address;
    if (end[-5] == 0xe8)
        return through_linkage_table(relative(end));
    return end[-6] == 0xff && end[-5] == 0x15 ? in_slot(relative(end)) : 0;
}
#elif defined(__aarch64__)
/* The signed number of so many bits, times `unit`. */
static uintptr_t scaled(uint32_t number, unsigned bits, uintptr_t unit)
{
    uint32_t sign = 1u << (bits - 1);
    return ((uintptr_t)(number & (sign * 2 - 1)) - 2 * (uintptr_t)(number & sign)) * unit;
}

static uintptr_t through_linkage_table(uintptr_t entry)
{
    enum { AT_ONCE = 5 * 4 };
    const uint32_t BTI_C = 0xd503245f, ADRP_X16 = 0x90000010, LDR_X17_X16 = 0xf9400211, BR_X17 = 0xd61f0220;
    if (!loaded(entry, AT_ONCE))
        return loaded(entry, 4) ? entry : 0;
    const uint32_t *at = (const uint32_t *)entry;
    at += at[0] == BTI_C;
    if ((at[0] & 0x9f00001f) != ADRP_X16 || (at[1] & 0xffc003ff) != LDR_X17_X16 || at[3] != BR_X17)
        return entry;
    uint32_t pages = (at[0] >> 5 & 0x7ffff) << 2 | (at[0] >> 29 & 3);
    return in_slot(((uintptr_t)at & ~4095ul) + scaled(pages, 21, 4096) + (at[1] >> 10 & 0xfff) * 8);
}

uintptr_t gl_symbol_callee(uintptr_t return_address)
{
    const uint32_t BL = 0x94000000;
    if (return_address % 4 || return_address < 4 || !loaded(return_address - 4, 4))
        return 0;
    uint32_t call = *(const uint32_t *)(return_address - 4);
    return (call & 0xfc000000) == BL ? through_linkage_table(return_address - 4 + scaled(call, 26, 4)) : 0;
}
#else
uintptr_t gl_symbol_callee(uintptr_t return_address)
{
    (void)return_address;
    return 0;
}
#endif
