# SPDX-License-Identifier: Apache-2.0
#
# What inline.h is for clang, for gcc on x86-64, which instruments when nothing is inlined any more: `goldilocks cc --inline` gives this file
# to the assembler in front of what the compiler wrote.  A macro takes the place of the instruction `call`; calls of the
# functions below become the common case of their bodies, with the call for the rest, and all other calls stay what they are.
#
# It is inline.h's text in instructions, with the same conditions; tests/unit/native_inline_test.c holds both against the runtime's filter.
# At a call the registers rax, rcx, rdx, rsi and the flags are free; rdi, the argument, is kept for the call.  The call stays where it was, so that
# its return address is a place in the program.

.ifndef .Lgoldilocks_found # with link-time optimization the assembler is given this file twice
.set .Lgoldilocks_found, 0

# The word of the cell of rdi into rax; for 8 bytes the address of both into rax.
.macro goldilocks_rt_cell size
    movq    %rdi, %rax
    movabsq $0x100000000000, %rcx
    shlq    $20, %rax
    shrq    $18, %rax
    .if \size < 8
    movl    %eax, %esi
    andq    $-16, %rax
    andl    $16, %esi
    shrl    $1, %esi
    subq    %rsi, %rax
    movq    (%rax,%rcx), %rax
    .else
    addq    %rcx, %rax
    .endif
.endm

# The thread's key into edx: it is read each time, since a handler of a signal may end the segment.
.macro goldilocks_rt_key
    movq    goldilocks_rt_tls_1@gottpoff(%rip), %rdx
    movl    %fs:(%rdx), %edx
.endm

.macro goldilocks_rt_access size, write, target
    .if \size > 1
    testb   $(\size - 1), %dil
    jne     .Lgoldilocks_ask\@
    .endif
    goldilocks_rt_key # before the word
    goldilocks_rt_cell \size
    .if \size < 4
    movl    %edi, %ecx
    movl    $((1 << \size) - 1), %esi
    andl    $3, %ecx
    sall    %cl, %esi
    orl     %esi, %edx
    subl    $16, %esi
    .if !\write
    movl    %eax, %ecx
    xorl    %edx, %ecx
    testl   %esi, %ecx
    je      .Lgoldilocks_seen\@
    .endif
    shrq    $32, %rax
    xorl    %edx, %eax
    testl   %esi, %eax
    je      .Lgoldilocks_seen\@
    .elseif \size == 4
    orl     $15, %edx
    .if !\write
    cmpl    %edx, %eax
    je      .Lgoldilocks_seen\@
    .endif
    shrq    $32, %rax
    cmpl    %edx, %eax
    je      .Lgoldilocks_seen\@
    .else
    movq    (%rax), %rcx
    orl     $15, %edx
    cmpq    8(%rax), %rcx
    jne     .Lgoldilocks_ask\@
    .if !\write
    cmpl    %edx, %ecx
    je      .Lgoldilocks_seen\@
    .endif
    shrq    $32, %rcx
    cmpl    %edx, %ecx
    je      .Lgoldilocks_seen\@
    .endif
.Lgoldilocks_ask\@:
    callq   \target
.Lgoldilocks_seen\@:
.endm

# struct goldilocks_rt_tls: top at 16, limit at 24, base at 32; struct goldilocks_rt_frame: pc, node at 8, sp at 12.
.macro goldilocks_rt_entry target
    movq    goldilocks_rt_tls_1@gottpoff(%rip), %rdx
    movq    %fs:16(%rdx), %rax
    cmpq    %fs:24(%rdx), %rax
    jae     .Lgoldilocks_ask\@
    leaq    16(%rax), %rcx
    movq    %rcx, %fs:16(%rdx)
    movq    %rdi, (%rax)
    movl    $0, 8(%rax)
    movl    %esp, 12(%rax)
    jmp     .Lgoldilocks_seen\@
.Lgoldilocks_ask\@:
    callq   \target
.Lgoldilocks_seen\@:
.endm

.macro goldilocks_rt_exit target
    .ifnb \target
    movq    goldilocks_rt_tls_1@gottpoff(%rip), %rdx
    movq    %fs:16(%rdx), %rax
    cmpq    %fs:32(%rdx), %rax
    jbe     .Lgoldilocks_seen\@
    subq    $16, %fs:16(%rdx)
.Lgoldilocks_seen\@:
    .endif
.endm

# Is the target this function, in one of the three ways to say so?  Then its body; found becomes 2.
.macro goldilocks_rt_case target, name, body:vararg
    .ifeqs "\target", "\name\()@PLT"
    .set .Lgoldilocks_found, 1
    .endif
    .ifeqs "\target", "\name"
    .set .Lgoldilocks_found, 1
    .endif
    .ifeqs "\target", "*\name\()@GOTPCREL(%rip)"
    .set .Lgoldilocks_found, 1
    .endif
    .if .Lgoldilocks_found == 1
    \body "\target"
    .set .Lgoldilocks_found, 2
    .endif
.endm

.macro call target:vararg
    .set .Lgoldilocks_found, 0
    .irp size, 8, 4, 1, 2
    goldilocks_rt_case "\target", __tsan_read\size, goldilocks_rt_access \size, 0,
    goldilocks_rt_case "\target", __tsan_write\size, goldilocks_rt_access \size, 1,
    .endr
    .irp size, 8, 4, 2
    goldilocks_rt_case "\target", __tsan_unaligned_read\size, goldilocks_rt_access \size, 0,
    goldilocks_rt_case "\target", __tsan_unaligned_write\size, goldilocks_rt_access \size, 1,
    .endr
    goldilocks_rt_case "\target", __tsan_func_entry, goldilocks_rt_entry
    goldilocks_rt_case "\target", __tsan_func_exit, goldilocks_rt_exit
    .if .Lgoldilocks_found == 0
    callq   \target
    .endif
.endm

.endif
