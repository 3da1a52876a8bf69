/* SPDX-License-Identifier: Apache-2.0
 *
 * Which function a call reached, from the instructions before the address that it returns to.
 */
#ifndef GL_SYMBOL_CALLEE_H
#define GL_SYMBOL_CALLEE_H

#include <stdint.h>

/* The address that the call before `return_address` went to: directly, by the module's linkage table, or through a slot of its
 * global offset table.  0: not such a call, or no code of a loaded object.  What it says of an address that nothing was called
 * from is the guess of a disassembler.  For who may call, see symbol.h. */
uintptr_t gl_symbol_callee(uintptr_t return_address);

#endif
