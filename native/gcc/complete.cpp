/* SPDX-License-Identifier: Apache-2.0
 *
 * A plugin for gcc, loaded by `goldilocks cc` (-fplugin): what gcc's own ThreadSanitizer pass, before which it runs, leaves out.
 *
 *   structures that a call returns to memory, or takes by value from there:  *p = f(*q);  becomes  argument = *q; result = f(argument); *p = result;
 *   and that pass instruments assignments.  In small C++ code such calls are how most clocks, views and pairs are read and written
 *   functions of libc that gcc knows (memcpy, strcmp ...): what it has not made assignments of by now, it would expand to code that is not
 *   instrumented; it calls them, and the runtime sees the call
 *   x86's stores past the caches, its vector loads and stores with a mask or with an address for each element, and its loads of a whole vector that
 *   are no plain ones: told by calls (__tsan_write_range ...)
 *
 * C++, since gcc has no other way in for passes.
 */
#include <gcc-plugin.h>
#include <plugin-version.h>

#include <tree.h> /* most headers of gcc need others before them */
#include <stringpool.h>
#include <attribs.h>
#include <asan.h>
#include <context.h>
#include <gimple.h>
#include <gimple-iterator.h>
#include <gimple-fold.h>
#include <gimplify.h>
#include <ssa.h>
#include <stor-layout.h>
#include <tree-cfg.h>
#include <tree-dfa.h>
#include <tree-into-ssa.h>
#include <tree-pass.h>
#include <tree-ssa-alias.h>

__attribute__((visibility("default"))) int plugin_is_GPL_compatible; /* Apache-2.0 is, with version 3 */

namespace {

/* May another thread use it: is it a structure in memory, and not a variable on the stack whose address nobody has? */
bool is_structure_in_memory(tree place)
{
    tree type = TREE_TYPE(place);
    if (is_gimple_reg_type(type) || TREE_ADDRESSABLE(type) || TREE_CODE(type) == VOID_TYPE || int_size_in_bytes(type) <= 0)
        return false; /* TREE_ADDRESSABLE: it must be made, or passed, where it is */
    tree base = get_base_address(place);
    if (!base || TREE_CODE(base) == SSA_NAME || TREE_CODE(base) == STRING_CST || TREE_CODE(base) == CONSTRUCTOR || TREE_CODE(base) == CONST_DECL)
        return false;
    return !DECL_P(base) || (!TREE_READONLY(base) && (is_global_var(base) || may_be_aliased(base)));
}

tree variable_of(tree type)
{
    tree variable = create_tmp_var(TYPE_MAIN_VARIANT(type), "goldilocks");
    DECL_IGNORED_P(variable) = 1;
    return variable;
}

gassign *copy(tree to, tree from, gimple *like)
{
    gassign *stmt = gimple_build_assign(to, from);
    gimple_set_location(stmt, gimple_location(like));
    return stmt;
}

/* The variable is no longer needed: others may have its place on the stack. */
gassign *end_of(tree variable)
{
    return gimple_build_assign(variable, build_clobber(TREE_TYPE(variable)));
}

/* Where a call goes on: behind it, or at the edge `next` if it ends its block. */
struct way_on {
    gcall *call;
    edge next = nullptr;
    bool known = true;

    explicit way_on(gcall *call) : call(call)
    {
        if (stmt_ends_bb_p(call)) {
            next = find_fallthru_edge(gimple_bb(call)->succs);
            known = next && !(next->flags & EDGE_ABNORMAL);
        }
    }
    /* After what was added before. */
    void add(gimple *stmt, gimple_stmt_iterator *at)
    {
        if (next)
            gsi_insert_on_edge(next, stmt);
        else
            gsi_insert_after(at, stmt, GSI_NEW_STMT);
    }
};

bool take_result(way_on &way, gimple_stmt_iterator *at)
{
    tree place = gimple_call_lhs(way.call);
    if (!place || !is_structure_in_memory(place) || gimple_call_noreturn_p(way.call) || !way.known)
        return false;
    tree variable = variable_of(TREE_TYPE(place));
    gimple_call_set_lhs(way.call, variable);
    way.add(copy(unshare_expr(place), variable, way.call), at);
    way.add(end_of(variable), at);
    return true;
}

bool take_arguments(way_on &way, gimple_stmt_iterator *at)
{
    bool changed = false;
    gimple_stmt_iterator before = gsi_for_stmt(way.call);
    for (unsigned i = 0; i < gimple_call_num_args(way.call); i++) {
        tree argument = gimple_call_arg(way.call, i);
        if (!is_structure_in_memory(argument))
            continue;
        tree variable = variable_of(TREE_TYPE(argument));
        gsi_insert_before(&before, copy(variable, unshare_expr(argument), way.call), GSI_SAME_STMT);
        gimple_call_set_arg(way.call, i, variable);
        if (way.known && !gimple_call_noreturn_p(way.call))
            way.add(end_of(variable), at);
        changed = true;
    }
    return changed;
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

bool tell_vector(gcall *call, gimple_stmt_iterator *at)
{
    const char *name = x86_name(call);
    return name && (tell_whole(call, name, at) || tell_elements(call, name, at));
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
        /* With these an assignment may throw, and would need its own way out. */
        if (fun->can_throw_non_call_exceptions)
            return 0;
        initialize_sanitizer_builtins();
        bool changed = false;
        basic_block block;
        FOR_EACH_BB_FN(block, fun)
        for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
            gcall *call = dyn_cast<gcall *>(gsi_stmt(at));
            if (!call || gimple_call_internal_p(call) || gimple_call_from_thunk_p(call) || gimple_call_must_tail_p(call))
                continue;
            bool told = tell_vector(call, &at), named = call_by_name(call);
            way_on way(call);
            bool taken = take_result(way, &at); /* moves `at` behind what it adds */
            taken |= take_arguments(way, &at);
            if (taken || named)
                update_stmt(call);
            changed |= told || taken;
        }
        if (changed)
            gsi_commit_edge_inserts();
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
