# SPDX-License-Identifier: Apache-2.0
"""Steps in which memory is given up and used again: what was done to it before has nothing to do with what comes after."""


def give_up(program):
    """A thread frees a block, which is a write; another one gets a new block, perhaps of the same memory."""
    blocks = program.usable("heap")
    if not blocks:
        return
    thread, block = program.some_thread(), program.random.choice(blocks)
    block.ended = True
    program.step(thread, program.access(thread, block, "give_up"))
    again(program, program.some_thread(), "heap again", f"malloc({program.random.choice([4, 8, 24, 40, 100])})")


def again(program, thread, kind, place):
    """Another variable, which begins to be where this step says."""
    variable = program.add_variable(kind)
    program.step(thread, program.pointing(variable, place) + program.sometimes(thread))


def page_again(program):
    """A page is unmapped and mapped anew, or only the latter; or it moves elsewhere."""
    pages = program.usable("map")
    if not pages:
        return
    thread, page = program.some_thread(), program.random.choice(pages)
    page.ended = True
    place = program.pointer(page)
    fixed = f"mmap({place}, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0)"
    again(program, thread, "map again", program.random.choice([
        f"(munmap({place}, 4096), {fixed})", fixed, f"mremap({place}, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, new_page(MAP_PRIVATE))"]))


def thread_local(program):
    """Others access a variable of one thread's own, by its address."""
    thread, n = program.random.choice([thread for thread in program.first if not thread.blocked] or program.ready()), program.unique()
    if thread not in program.first:
        return
    program.declarations.append(f"static __thread int own{n};")
    variable = program.add_variable("own")
    program.step(thread, program.pointing(variable, f"&own{n}") + program.access(thread, variable, "write"))


def churn(program):
    """One thread makes blocks, has them grow and move, and frees them, beside those that others have freed."""
    thread, small, large = program.some_thread(), program.random.choice([32, 100, 4000, 200000]), program.random.choice([20, 33, 9000])
    program.step(thread, f"{{ char *block = calloc(1, 40); block[3] = 1; block = realloc(block, {small}); memset(block, 2, UNKNOWN(20)); "
                         f"block = realloc(block, {large}); MUST(block[3] == 2); "
                         'char *array = reallocarray(NULL, 3, 50), *aligned = aligned_alloc(64, 128), *copy = strdup("abc"); '
                         'array[149] = aligned[100] = 1; free(block); free(array); free(aligned); free(copy); }'
                 + program.sometimes(thread))


STEPS = [(3, give_up), (2, page_again), (1, thread_local), (2, churn)]
