# SPDX-License-Identifier: Apache-2.0
"""Steps that make another process. Who waits for it by its number comes after the thread that made it.
What the child does is a copy's: nothing in the parent races with it."""

from locks import make_mutex

ENDS = ["_exit(0);", "_exit(0);", 'execl("/bin/true", "true", (char *)NULL); _exit(9);']


def wait_for(program, number):
    program.others()
    waiter = program.some_thread()
    program.order.acquire(waiter.number, f"process {number}")
    program.step(waiter, f"{{ int status = -1; MUST(waitpid(PROCESS_OF({number}), &status, 0) == PROCESS_OF({number})); MUST(status == 0); }}" + program.access(waiter))


def may_fork(program):
    """A fiber that is suspended during a fork is not followed (docs/limits.md)."""
    return program.chooses("forks", "fibers", "forks")


def makes(program, thread, number):
    program.order.release(thread.number, f"process {number}")


def fork_of(number, child):
    return f"{{ pid_t process = fork(); MUST(process != -1); if (!process) {{ {child} }} hidden_pointer(&processes[{number}], (void *)(long)process); }}"


def fork(program):
    """The child accesses what it has copied: races with what other threads did before may be reported by it, and nothing else."""
    if not may_fork(program):
        return
    thread, number, child = program.some_thread(), program.unique(), ""
    before = program.sometimes(thread)
    usable = program.usable()
    for variable in program.random.sample(usable, min(len(usable), program.random.randint(0, 3))):
        kind = program.random.choice(["read", "write"])
        program.order.access(thread.number, variable.number, kind == "write", False, program.now, in_child=True)
        variable.functions.add(kind)
        child += f"v{variable.number}_{kind}();"
    makes(program, thread, number)
    program.step(thread, before + fork_of(number, child + program.random.choice(ENDS)))
    wait_for(program, number)


def fork_with_threads(program):
    """The child has threads of its own, which race or are joined."""
    if not may_fork(program):
        return
    thread, number = program.some_thread(), program.unique()
    racing, joined = program.add_variable("global"), program.add_variable("global")
    racing.functions.add("write")
    joined.functions.update(["read", "write"])
    racing.ended = joined.ended = True
    race = f"v{racing.number}_write();" if program.chance(0.6) else ""
    if race:
        for races in (program.order.may, program.order.must):
            races[racing.number] = [(program.now, program.now)]
    program.declarations.append(f"static void *in_child{number}(void *);")
    program.functions.append(f"static void *in_child{number}(void *unused) {{ {race} v{joined.number}_write(); return NULL; }}")
    makes(program, thread, number)
    program.step(thread, fork_of(number, f"pthread_t new; v{joined.number}_write(); MUST(!pthread_create(&new, NULL, in_child{number}, NULL)); {race} "
                                         f"MUST(!pthread_join(new, NULL)); v{joined.number}_read(); _exit(0);"))
    wait_for(program, number)


def fork_with_lock(program):
    """The child gives up the lock that its thread had when it forked, and locks it again."""
    held = [lock for lock in program.objects.get(make_mutex.__name__, {}).values() if lock.plain and lock.owner and not lock.owner.blocked]
    if not held or not may_fork(program):
        return
    lock, number = program.random.choice(held), program.unique()
    makes(program, lock.owner, number)
    program.step(lock.owner, fork_of(number, f'{lock.give} {lock.take[0]} {lock.give} '
                                             'char *text = malloc(100); strcpy(text, "x"); free(text); fprintf(stderr, "%s", ""); _exit(0);'))
    wait_for(program, number)


def other_program(program):
    """Another program is started by vfork or posix_spawn."""
    if not may_fork(program):
        return
    thread, number = program.some_thread(), program.unique()
    before = program.sometimes(thread)
    makes(program, thread, number)
    program.step(thread, before + program.random.choice([
        '{ pid_t process = vfork(); if (!process) { execl("/bin/true", "true", (char *)NULL); _exit(9); }',
        '{ pid_t process; char *words[] = {"true", NULL}; MUST(!posix_spawn(&process, "/bin/true", NULL, NULL, words, environ));'])
                 + f" hidden_pointer(&processes[{number}], (void *)(long)process); }}")
    wait_for(program, number)


STEPS = [(2, fork), (2, fork_with_threads), (2, fork_with_lock), (1, other_program)]
