/* SPDX-License-Identifier: Apache-2.0
 *
 * A plugin for gcc, loaded by `goldilocks cc` (-fplugin): what gcc's own ThreadSanitizer pass, before which it runs, leaves out.
 *
 *   structures that a call takes by value from memory, or returns to it.  In C++ such calls are how many times, views and pairs are read and
 *   written.  *p = f(*q);  becomes  __tsan_read_range(q, sizeof *q); result = f(*q); *p = result;  and that pass instruments assignments
 *   components that a program cannot take the address of, as gcc has it: variables of a function that nested ones use (GNU C, Fortran's internal
 *   procedures, Ada), most of Ada's components, structures whose bytes are not in the machine's order
 *   functions of libc that gcc knows (memcpy, strcmp ...): what it has not made assignments of by now, it would expand to code that is not
 *   instrumented; it calls them, and the runtime sees the call
 *   x86's functions that access memory and are no plain loads and stores to gcc: vector ones with a mask or with an address for each element,
 *   stores past the caches, a few others: told by calls (__tsan_write_range ...)
 *
 * C++, since gcc has no other way in for passes.
 */
#include <gcc-plugin.h>
#include <plugin-version.h>

#include <tree.h> /* most headers of gcc need others before them */
#include <stringpool.h>
#include <attribs.h>
#include <asan.h>
#include <builtins.h>
#include <context.h>
#include <gimple.h>
#include <gimple-iterator.h>
#include <gimple-fold.h>
#include <gimplify.h>
#include <gimplify-me.h>
#include <ssa.h>
#include <stor-layout.h>
#include <tree-cfg.h>
#include <tree-dfa.h>
#include <tree-into-ssa.h>
#include <tree-pass.h>
#include <tree-ssa-alias.h>
#include <tree-ssa-loop-ivopts.h>

__attribute__((visibility("default"))) int plugin_is_GPL_compatible; /* Apache-2.0 is, with version 3 */

namespace {

/* As that pass asks: does another thread have its address? */
bool is_shared(tree variable)
{
    if (is_global_var(variable))
        return !TREE_READONLY(variable);
    pt_solution escaped;
    memset(&escaped, 0, sizeof escaped);
    escaped.escaped = 1;
    escaped.ipa_escaped = flag_ipa_pta != 0;
    return may_be_aliased(variable) && pt_solution_includes(&escaped, variable);
}

/* May another thread use it: is it a structure in memory, and not a variable on the stack whose address nobody has? */
bool is_structure_in_memory(tree place)
{
    tree type = TREE_TYPE(place);
    if (is_gimple_reg_type(type) || TREE_ADDRESSABLE(type) || TREE_CODE(type) == VOID_TYPE || int_size_in_bytes(type) <= 0 || is_empty_type(type))
        return false; /* TREE_ADDRESSABLE: it must be made, or passed, where it is */
    tree base = get_base_address(place);
    if (!base || TREE_CODE(base) == SSA_NAME || TREE_CODE(base) == STRING_CST || TREE_CODE(base) == CONSTRUCTOR || TREE_CODE(base) == CONST_DECL)
        return false;
    return !DECL_P(base) || is_shared(base);
}

/* The function for an access; wide ones are for what is aligned. */
built_in_function function_of(bool write, tree size, unsigned alignment)
{
    static const built_in_function reads[] = {BUILT_IN_TSAN_READ1, BUILT_IN_TSAN_READ2, BUILT_IN_TSAN_READ4, BUILT_IN_TSAN_READ8, BUILT_IN_TSAN_READ16},
                                   writes[] = {BUILT_IN_TSAN_WRITE1, BUILT_IN_TSAN_WRITE2, BUILT_IN_TSAN_WRITE4, BUILT_IN_TSAN_WRITE8,
                                               BUILT_IN_TSAN_WRITE16};
    int log = tree_fits_uhwi_p(size) && alignment >= tree_to_uhwi(size) * BITS_PER_UNIT ? exact_log2(tree_to_uhwi(size)) : -1;
    if (log < 0 || log > 4)
        return write ? BUILT_IN_TSAN_WRITE_RANGE : BUILT_IN_TSAN_READ_RANGE;
    return (write ? writes : reads)[log];
}

gcall *access_call(tree address, tree size, unsigned alignment, bool write)
{
    built_in_function function = function_of(write, size, alignment);
    return function == BUILT_IN_TSAN_READ_RANGE || function == BUILT_IN_TSAN_WRITE_RANGE
               ? gimple_build_call(builtin_decl_implicit(function), 2, address, size)
               : gimple_build_call(builtin_decl_implicit(function), 1, address);
}

/* Behind the call, where its handlers are not: the write of its result. */
gimple_seq write_of_result(gcall *call, tree place)
{
    gimple_seq seq = nullptr;
    tree address = force_gimple_operand(build_fold_addr_expr(unshare_expr(place)), &seq, true, NULL_TREE);
    gimple_seq_add_stmt(&seq, access_call(address, TYPE_SIZE_UNIT(TREE_TYPE(place)), get_object_alignment(place), true));
    for (gimple_stmt_iterator at = gsi_start(seq); !gsi_end_p(at); gsi_next(&at))
        gimple_set_location(gsi_stmt(at), gimple_location(call));
    return seq;
}

bool take_result(gcall *call, gimple_stmt_iterator *at)
{
    tree place = gimple_call_lhs(call);
    if (!place || !is_structure_in_memory(place) || gimple_call_noreturn_p(call))
        return false;
    edge next = nullptr; /* where the call goes on, if it ends its block */
    if (stmt_ends_bb_p(call) && (!(next = find_fallthru_edge(gimple_bb(call)->succs)) || (next->flags & EDGE_ABNORMAL)))
        return false;
    if (cfun->can_throw_non_call_exceptions) { /* an assignment may throw, and would need its own way out */
        gimple_seq seq = write_of_result(call, place);
        if (next)
            gsi_insert_seq_on_edge(next, seq);
        else
            gsi_insert_seq_after(at, seq, GSI_CONTINUE_LINKING);
        return true;
    }
    tree variable = create_tmp_var(TYPE_MAIN_VARIANT(TREE_TYPE(place)), "goldilocks");
    DECL_IGNORED_P(variable) = 1;
    gimple_call_set_lhs(call, variable);
    gimple *store = gimple_build_assign(unshare_expr(place), variable),
           *end = gimple_build_assign(variable, build_clobber(TREE_TYPE(variable))); /* others may have its place on the stack */
    for (gimple *stmt : {store, end}) {
        gimple_set_location(stmt, gimple_location(call));
        if (next)
            gsi_insert_on_edge(next, stmt);
        else
            gsi_insert_after(at, stmt, GSI_NEW_STMT);
    }
    return true;
}

/* How many bytes of it hold something.  What lies behind a base class's last member may be a member of the class that is made of it. */
tree used_size(tree type)
{
    if (!RECORD_OR_UNION_TYPE_P(type))
        return TYPE_SIZE_UNIT(type);
    unsigned HOST_WIDE_INT end = 0;
    for (tree field = TYPE_FIELDS(type); field; field = DECL_CHAIN(field)) {
        if (TREE_CODE(field) != FIELD_DECL)
            continue;
        if (!DECL_SIZE(field) || !tree_fits_uhwi_p(DECL_SIZE(field)) || !tree_fits_uhwi_p(bit_position(field)))
            return TYPE_SIZE_UNIT(type);
        unsigned HOST_WIDE_INT last = tree_to_uhwi(bit_position(field)) + tree_to_uhwi(DECL_SIZE(field));
        end = last > end ? last : end;
    }
    return size_int((end + BITS_PER_UNIT - 1) / BITS_PER_UNIT);
}

bool tell_arguments(gcall *call, gimple_stmt_iterator *at)
{
    bool told = false;
    for (unsigned i = 0; i < gimple_call_num_args(call); i++) {
        tree argument = gimple_call_arg(call, i);
        if (!is_structure_in_memory(argument))
            continue;
        tree size = used_size(TREE_TYPE(argument));
        tree address = force_gimple_operand_gsi(at, build_fold_addr_expr(unshare_expr(argument)), true, NULL_TREE, true, GSI_SAME_STMT);
        gcall *tell = access_call(address, size, get_object_alignment(argument), false);
        gimple_set_location(tell, gimple_location(call));
        gsi_insert_before(at, tell, GSI_SAME_STMT);
        told = true;
    }
    return told;
}

/* Does that pass leave the access out, since its place has no address to gcc?  It does not ask about a field of bits, but about what has the field. */
bool is_left_out(tree place)
{
    if (TREE_CODE(place) == BIT_FIELD_REF)
        return may_be_nonaddressable_p(TREE_OPERAND(place, 0));
    if (TREE_CODE(place) == COMPONENT_REF && DECL_BIT_FIELD_TYPE(TREE_OPERAND(place, 1)))
        return may_be_nonaddressable_p(TREE_OPERAND(place, 0)) || !tree_fits_uhwi_p(DECL_FIELD_OFFSET(TREE_OPERAND(place, 1)));
    return (handled_component_p(place) || TREE_CODE(place) == MEM_REF) && may_be_nonaddressable_p(place);
}

/* Who writes a field of bits writes all that lies in the same unit. */
void widen_to_unit(tree place, HOST_WIDE_INT *from, HOST_WIDE_INT *bits)
{
    if (TREE_CODE(place) != COMPONENT_REF)
        return;
    tree field = TREE_OPERAND(place, 1), unit = DECL_BIT_FIELD_TYPE(field) ? DECL_BIT_FIELD_REPRESENTATIVE(field) : NULL_TREE;
    if (!unit || !tree_fits_uhwi_p(DECL_SIZE(unit)))
        return;
    *from -= (HOST_WIDE_INT)(tree_to_uhwi(DECL_FIELD_BIT_OFFSET(field)) - tree_to_uhwi(DECL_FIELD_BIT_OFFSET(unit)));
    *bits = (HOST_WIDE_INT)tree_to_uhwi(DECL_SIZE(unit));
}

bool tell_left_out(gimple *stmt, tree place, bool write, gimple_stmt_iterator *at)
{
    if (!is_left_out(place))
        return false;
    poly_int64 poly_bits, poly_from;
    tree offset;
    machine_mode mode;
    int is_unsigned, reverse, is_volatile = 0;
    tree base = get_inner_reference(place, &poly_bits, &poly_from, &offset, &mode, &is_unsigned, &reverse, &is_volatile);
    HOST_WIDE_INT bits, from;
    if (!poly_bits.is_constant(&bits) || !poly_from.is_constant(&from) || bits <= 0)
        return false;
    if (DECL_P(base) ? (VAR_P(base) && DECL_HARD_REGISTER(base)) || !is_shared(base) : TREE_CODE(base) != MEM_REF && TREE_CODE(base) != TARGET_MEM_REF)
        return false;
    if (TREE_READONLY(base))
        return false;
    HOST_WIDE_INT field_from = from;
    if (write)
        widen_to_unit(place, &from, &bits);
    HOST_WIDE_INT byte = from >> LOG2_BITS_PER_UNIT, in_byte = from - byte * BITS_PER_UNIT;
    tree size = size_int((in_byte + bits + BITS_PER_UNIT - 1) / BITS_PER_UNIT);
    if (DECL_P(base))
        mark_addressable(base);
    tree address = fold_convert(ptr_type_node, build_fold_addr_expr(unshare_expr(base)));
    if (offset)
        address = fold_build_pointer_plus(address, fold_convert(sizetype, unshare_expr(offset)));
    address = force_gimple_operand_gsi(at, fold_build_pointer_plus_hwi(address, byte), true, NULL_TREE, true, GSI_SAME_STMT);
    unsigned alignment = from == field_from && !in_byte && bits % BITS_PER_UNIT == 0 ? get_object_alignment(place) : BITS_PER_UNIT;
    gcall *tell = access_call(address, size, alignment, write);
    gimple_set_location(tell, gimple_location(stmt));
    gsi_insert_before(at, tell, GSI_SAME_STMT);
    return true;
}

bool tell_assignment(gimple *stmt, gimple_stmt_iterator *at)
{
    if (!gimple_assign_single_p(stmt) || gimple_clobber_p(stmt))
        return false;
    bool told = gimple_assign_load_p(stmt) && tell_left_out(stmt, gimple_assign_rhs1(stmt), false, at);
    return (gimple_store_p(stmt) && tell_left_out(stmt, gimple_assign_lhs(stmt), true, at)) | told;
}

/* The name of a function of x86, behind __builtin_ia32_; NULL: it is none. */
const char *x86_name(const gcall *call)
{
    const char *prefix = "__builtin_ia32_";
    tree function = gimple_call_fndecl(call);
    if (!function || !fndecl_built_in_p(function, BUILT_IN_MD) || !gimple_call_num_args(call))
        return nullptr;
    const char *name = IDENTIFIER_POINTER(DECL_NAME(function));
    return strncmp(name, prefix, strlen(prefix)) == 0 ? name + strlen(prefix) : nullptr;
}

bool begins_with(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

bool ends_with(const char *name, const char *with)
{
    size_t all = strlen(name), end = strlen(with);
    return all >= end && strcmp(name + all - end, with) == 0;
}

gcall *range_call(tree address, tree size, bool write)
{
    return gimple_build_call(builtin_decl_implicit(write ? BUILT_IN_TSAN_WRITE_RANGE : BUILT_IN_TSAN_READ_RANGE), 2, address, size);
}

/* An access of a whole vector that is no plain one. */
bool tell_whole(gcall *call, const char *name, gimple_stmt_iterator *at)
{
    tree type;
    bool write = false;
    if (begins_with(name, "movntdqa") || begins_with(name, "lddqu")) {
        type = TREE_TYPE(TREE_TYPE(gimple_call_fndecl(call)));
    } else if (begins_with(name, "movnt") && gimple_call_num_args(call) == 2) {
        write = true;
        type = TREE_TYPE(gimple_call_arg(call, 1));
        if (strcmp(name, "movntss") == 0 || strcmp(name, "movntsd") == 0)
            type = TREE_TYPE(type); /* of SSE4a: the lowest number of a vector */
    } else {
        return false;
    }
    gcall *tell = range_call(gimple_call_arg(call, 0), fold_convert(size_type_node, TYPE_SIZE_UNIT(type)), write);
    gimple_set_location(tell, gimple_location(call));
    gsi_insert_before(at, tell, GSI_SAME_STMT);
    return true;
}

/* An access of some elements: which of them, and where. */
struct elements {
    tree base = nullptr;
    tree mask = nullptr;  /* a number with a bit for each, or a vector of numbers whose signs say it */
    tree index = nullptr; /* a vector of distances from `base` in units of `scale`; none: one behind the other */
    tree like = nullptr;  /* a vector type of as many */
    tree scale = nullptr;
    unsigned size = 0, count = 0; /* of one, in bytes; how many */
    bool write = false, packed = false; /* packed: only as many, one behind the other, as the mask has */
};

unsigned parts_of(tree vector_type)
{
    return (unsigned)TYPE_VECTOR_SUBPARTS(vector_type).to_constant();
}

/* The letters of a conversion that stores, as in pmovdb128mem_mask and pmovusqw512mem_mask: what becomes of an element. */
unsigned size_of_letter(const char *name)
{
    const char *digit = name + strcspn(name, "0123456789");
    switch (digit[-1]) {
    case 'b':
        return 1;
    case 'w':
        return 2;
    default:
        return 4;
    }
}

bool find_elements(const gcall *call, const char *name, elements *e)
{
    auto argument = [call](unsigned i) { return gimple_call_arg(call, i); };
    unsigned n = gimple_call_num_args(call);
    tree result = TREE_TYPE(TREE_TYPE(gimple_call_fndecl(call)));
    bool masked = ends_with(name, "_mask") || ends_with(name, "_maskz");
    if (begins_with(name, "maskload") && n == 2) {
        e->base = argument(0), e->mask = argument(1), e->like = result;
    } else if (begins_with(name, "maskstore") && n == 3) {
        e->base = argument(0), e->mask = argument(1), e->like = TREE_TYPE(argument(2)), e->write = true;
    } else if (begins_with(name, "maskmov") && n == 3) {
        e->base = argument(2), e->mask = argument(1), e->like = TREE_TYPE(argument(0)), e->write = true;
    } else if (begins_with(name, "gather") && !begins_with(name, "gatherpf") && n == 5) {
        e->base = argument(1), e->index = argument(2), e->mask = argument(3), e->scale = argument(4), e->like = result;
    } else if (begins_with(name, "scatter") && !begins_with(name, "scatterpf") && n == 5) {
        e->base = argument(0), e->mask = argument(1), e->index = argument(2), e->scale = argument(4), e->like = TREE_TYPE(argument(3)), e->write = true;
    } else if (masked && n == 3 && (begins_with(name, "load") || begins_with(name, "expandload") || begins_with(name, "movdqa")) && VECTOR_TYPE_P(result)) {
        e->base = argument(0), e->mask = argument(2), e->like = result, e->packed = *name == 'e';
    } else if (masked && n == 3 && (begins_with(name, "store") || begins_with(name, "compressstore") || begins_with(name, "movdqa"))) {
        e->base = argument(0), e->mask = argument(2), e->like = TREE_TYPE(argument(1)), e->write = true, e->packed = *name == 'c';
    } else if (ends_with(name, "mem_mask") && begins_with(name, "pmov") && n == 3) {
        e->base = argument(0), e->mask = argument(2), e->like = TREE_TYPE(argument(1)), e->write = true, e->size = size_of_letter(name);
    } else {
        return false;
    }
    if (!VECTOR_TYPE_P(e->like) || !POINTER_TYPE_P(TREE_TYPE(e->base)) || (e->scale && TREE_CODE(e->scale) != INTEGER_CST))
        return false;
    if (!e->size)
        e->size = (unsigned)int_size_in_bytes(TREE_TYPE(e->like));
    e->count = parts_of(e->like);
    if (e->index && parts_of(TREE_TYPE(e->index)) < e->count)
        e->count = parts_of(TREE_TYPE(e->index));
    if ((begins_with(name, "loads") || begins_with(name, "stores")) && !strpbrk(name, "0123456789"))
        e->count = 1; /* loadss_mask, storesd_mask: the lowest one */
    return e->count <= 64;
}

/* 1 or 0: is element `i` accessed? */
tree is_on(gimple_seq *seq, location_t where, tree mask, unsigned i)
{
    if (!VECTOR_TYPE_P(TREE_TYPE(mask))) {
        tree bit = gimple_build(seq, where, RSHIFT_EXPR, TREE_TYPE(mask), mask, build_int_cst(integer_type_node, (int)i));
        return gimple_build(seq, where, BIT_AND_EXPR, size_type_node, gimple_convert(seq, where, size_type_node, bit), size_one_node);
    }
    tree number = TREE_TYPE(TREE_TYPE(mask));
    unsigned bits = (unsigned)TYPE_PRECISION(number);
    tree part = gimple_build(seq, where, BIT_FIELD_REF, number, mask, bitsize_int(bits), bitsize_int(i * bits));
    tree sign = gimple_build(seq, where, RSHIFT_EXPR, number, part, build_int_cst(integer_type_node, (int)bits - 1));
    return gimple_convert(seq, where, size_type_node, sign);
}

/* The mask as numbers without a sign. */
tree plain_mask(gimple_seq *seq, location_t where, tree mask)
{
    tree type = TREE_TYPE(mask);
    if (!VECTOR_TYPE_P(type))
        return gimple_convert(seq, where, unsigned_type_for(type), mask);
    unsigned bits = (unsigned)tree_to_uhwi(TYPE_SIZE(TREE_TYPE(type)));
    return gimple_build(seq, where, VIEW_CONVERT_EXPR, build_vector_type(build_nonstandard_integer_type(bits, 1), parts_of(type)), mask);
}

bool tell_elements(gcall *call, const char *name, gimple_stmt_iterator *at)
{
    elements e;
    if (!find_elements(call, name, &e))
        return false;
    location_t where = gimple_location(call);
    gimple_seq seq = nullptr;
    tree mask = plain_mask(&seq, where, e.mask), total = size_zero_node, address = gimple_convert(&seq, where, ptr_type_node, e.base);
    for (unsigned i = 0; i < e.count; i++) {
        tree on = is_on(&seq, where, mask, i), size = gimple_build(&seq, where, MULT_EXPR, size_type_node, on, size_int(e.size));
        if (e.packed) {
            total = gimple_build(&seq, where, PLUS_EXPR, size_type_node, total, size);
            continue;
        }
        tree distance = size_int(i * e.size);
        if (e.index) {
            tree number = TREE_TYPE(TREE_TYPE(e.index));
            unsigned bits = (unsigned)TYPE_PRECISION(number);
            distance = gimple_build(&seq, where, BIT_FIELD_REF, number, e.index, bitsize_int(bits), bitsize_int(i * bits));
            distance = gimple_convert(&seq, where, size_type_node, gimple_convert(&seq, where, ssizetype, distance));
            distance = gimple_build(&seq, where, MULT_EXPR, size_type_node, distance, fold_convert(size_type_node, e.scale));
        }
        tree place = gimple_build(&seq, where, POINTER_PLUS_EXPR, ptr_type_node, address, distance);
        gcall *tell = range_call(place, size, e.write); /* of no byte, if it is off */
        gimple_set_location(tell, where);
        gimple_seq_add_stmt(&seq, tell);
    }
    if (e.packed) {
        gcall *tell = range_call(address, total, e.write);
        gimple_set_location(tell, where);
        gimple_seq_add_stmt(&seq, tell);
    }
    gsi_insert_seq_before(at, seq, GSI_SAME_STMT);
    return true;
}

/* Of any other function what its pointers lead to, if that has a size: read if it is constant, else written (loadhps, vbroadcastss, addcarryx_u64 ...). */
bool tell_pointed(gcall *call, const char *name, gimple_stmt_iterator *at)
{
    if (strstr(name, "pf")) /* fetches ahead */
        return false;
    bool told = false;
    unsigned i = 0;
    for (tree t = TYPE_ARG_TYPES(TREE_TYPE(gimple_call_fndecl(call))); t && i < gimple_call_num_args(call); t = TREE_CHAIN(t), i++) {
        tree pointer = TREE_VALUE(t);
        if (!POINTER_TYPE_P(pointer) || VOID_TYPE_P(TREE_TYPE(pointer)) || !COMPLETE_TYPE_P(TREE_TYPE(pointer)))
            continue;
        gcall *tell = range_call(gimple_call_arg(call, i), size_int(int_size_in_bytes(TREE_TYPE(pointer))), !TYPE_READONLY(TREE_TYPE(pointer)));
        gimple_set_location(tell, gimple_location(call));
        gsi_insert_before(at, tell, GSI_SAME_STMT);
        told = true;
    }
    return told;
}

bool tell_x86(gcall *call, gimple_stmt_iterator *at)
{
    const char *name = x86_name(call);
    return name && (tell_whole(call, name, at) || tell_elements(call, name, at) || tell_pointed(call, name, at));
}

/* Functions that gcc may expand, by the names that the linker knows: those that access memory and that the runtime intercepts. */
const char *const expanded[] = {
    "__memcpy_chk",   "__memmove_chk",  "__mempcpy_chk", "__memset_chk",   "__snprintf_chk", "__sprintf_chk", "__stpcpy_chk", "__stpncpy_chk",
    "__strcat_chk",   "__strcpy_chk",   "__strncat_chk", "__strncpy_chk",  "__vsnprintf_chk", "__vsprintf_chk", "bcmp",       "bcopy",
    "bzero",          "index",          "memchr",        "memcmp",         "memcpy",         "memmove",       "mempcpy",      "memset",
    "rindex",         "snprintf",       "sprintf",       "stpcpy",         "stpncpy",        "strcasecmp",    "strcat",       "strchr",
    "strcmp",         "strcpy",         "strcspn",       "strdup",         "strlen",         "strncasecmp",   "strncat",      "strncmp",
    "strncpy",        "strndup",        "strnlen",       "strpbrk",        "strrchr",        "strspn",        "strstr",       "vsnprintf",
    "vsprintf",
};
constexpr size_t EXPANDED = sizeof expanded / sizeof *expanded;

/* A declaration of each that says no more than its type. */
tree plain[EXPANDED];

bool call_by_name(gcall *call)
{
    tree function = gimple_call_fndecl(call);
    if (!function || !fndecl_built_in_p(function, BUILT_IN_NORMAL) || !HAS_DECL_ASSEMBLER_NAME_P(function))
        return false;
    const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function));
    name += *name == '*'; /* it is to be taken as it is */
    for (size_t i = 0; i < EXPANDED; i++) {
        if (strcmp(name, expanded[i]) != 0)
            continue;
        if (!plain[i]) {
            plain[i] = build_fn_decl(name, TREE_TYPE(function));
            TREE_NOTHROW(plain[i]) = 0; /* a program may have declared it without that, and have handlers for the call */
        }
        bool nothrow = gimple_call_nothrow_p(call);
        gimple_call_set_fndecl(call, plain[i]);
        gimple_call_set_nothrow(call, nothrow);
        /* What it reads and writes was known by its name, and not noted at the call: now it is anything. */
        pt_solution_reset(gimple_call_use_set(call));
        pt_solution_reset(gimple_call_clobber_set(call));
        return true;
    }
    return false;
}

const ggc_root_tab roots[] = {{plain, EXPANDED, sizeof *plain, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node}, LAST_GGC_ROOT_TAB};

const pass_data of_pass = {GIMPLE_PASS, "goldilocks", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0, 0, TODO_update_ssa};

class complete_pass : public gimple_opt_pass {
public:
    explicit complete_pass(gcc::context *context) : gimple_opt_pass(of_pass, context) {}

    opt_pass *clone() override { return new complete_pass(m_ctxt); }

    bool gate(function *fun) override
    {
        return sanitize_flags_p(SANITIZE_THREAD, fun->decl);
    }

    unsigned execute(function *fun) override
    {
        initialize_sanitizer_builtins();
        bool changed = false;
        basic_block block;
        FOR_EACH_BB_FN(block, fun)
        for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
            gcall *call = dyn_cast<gcall *>(gsi_stmt(at));
            if (!call || gimple_call_internal_p(call) || gimple_call_from_thunk_p(call) || gimple_call_must_tail_p(call))
                continue;
            bool told = tell_x86(call, &at) | tell_arguments(call, &at), named = call_by_name(call);
            bool taken = take_result(call, &at); /* moves `at` behind what it adds */
            if (taken || named)
                update_stmt(call);
            changed |= told || taken;
        }
        if (changed)
            gsi_commit_edge_inserts();
        FOR_EACH_BB_FN(block, fun)
        for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at))
            (void)tell_assignment(gsi_stmt(at), &at);
        return 0;
    }
};

void run_before(const char *name, const char *pass)
{
    register_pass_info info = {new complete_pass(g), pass, 0, PASS_POS_INSERT_BEFORE};
    register_callback(name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &info);
}

} // namespace

extern "C" __attribute__((visibility("default"))) int plugin_init(plugin_name_args *plugin, plugin_gcc_version *version)
{
    if (!plugin_default_version_check(version, &gcc_version)) {
        fprintf(stderr,
                "goldilocks: note: %s was made for gcc %s of %s, so that this one leaves some accesses out; build Goldilocks again\n",
                plugin->full_name, gcc_version.basever, gcc_version.datestamp);
        return 0;
    }
    register_callback(plugin->base_name, PLUGIN_REGISTER_GGC_ROOTS, nullptr, const_cast<ggc_root_tab *>(roots));
    run_before(plugin->base_name, "tsan");
    run_before(plugin->base_name, "tsan0"); /* without optimization */
    return 0;
}
