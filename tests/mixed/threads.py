# SPDX-License-Identifier: Apache-2.0
"""Steps that begin and end threads, and those in which one thread has several stacks."""

from locks import give_up_all, some_object

# Calls in which a thread is cancelled.
CANCELLATION_POINTS = [
    "{ struct timespec t = {100, 0}; nanosleep(&t, NULL); }", "sleep(100);", "pause();", "{ struct timespec t = {100, 0}; clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL); }",
    "{ int p[2]; char byte; MUST(!pipe(p)); read(p[0], &byte, 1); }", "{ sem_t s; sem_init(&s, 0, 0); sem_wait(&s); }",
    "{ struct pollfd p = {-1, 0, 0}; poll(&p, 1, -1); }",
    "select(0, NULL, NULL, NULL, NULL);", "{ struct epoll_event event; epoll_wait(epoll_create1(0), &event, 1, -1); }",
    "{ sigset_t s; int n; sigemptyset(&s); sigaddset(&s, SIGURG); sigwait(&s, &n); }",
    "{ sigset_t s; sigfillset(&s); sigsuspend(&s); }", "{ int s[2]; char byte; MUST(!socketpair(AF_UNIX, SOCK_DGRAM, 0, s)); recv(s[0], &byte, 1, 0); }",
    "for (;;) { pthread_testcancel(); hidden_yield(); }",
    "{ struct timespec t = {100, 0}; thrd_sleep(&t, NULL); }", "{ eventfd_t value; eventfd_read(eventfd(0, 0), &value); }",
    "pthread_join(THREAD_OF(0), NULL);"]


def spawn(program):
    """A thread begins after what its parent has done; perhaps it lends a variable of its stack to the others."""
    living = program.objects.setdefault("spawned", [])
    if len(living) == 4:
        return
    parent = program.some_thread()
    thread = program.add_thread(parent.number, program.random.choice(["posix", "posix", "c11"]))
    program.step(parent, program.creation(thread) + program.sometimes(parent, 0.3))
    living.append(thread)
    program.alive.append(thread)
    if program.chance(0.4):
        variable = program.add_variable("lent")
        thread.stack_variables.append(variable)
        program.step(thread, program.pointing(variable, "&local"))
        program.step(thread, program.access(thread, variable, "write"))


def end(program):
    """A spawned thread gives up its locks and ends, perhaps by way of the destructor of its own data; who joins it goes on after it."""
    ready = [thread for thread in program.objects.get("spawned", []) if not thread.blocked]
    if ready:
        end_of(program, program.random.choice(ready))


def end_of(program, thread):
    program.objects["spawned"].remove(thread)
    give_up_all(program, thread)
    for variable in thread.stack_variables:
        variable.ended = True
    if program.chance(0.5):
        key, c11 = f"key{program.unique()}", thread.made_by == "c11"
        program.declarations.append(f"static {'tss_t' if c11 else 'pthread_key_t'} {key}; static void destroy_{key}(void *);")
        program.begin.append(f"{'tss_create' if c11 else 'pthread_key_create'}(&{key}, destroy_{key});")
        program.step(thread, f"{'tss_set' if c11 else 'pthread_setspecific'}({key}, (void *)1);" + program.sometimes(thread))
        program.functions.append(f"static void destroy_{key}(void *value) {{ {program.elsewhere(thread, program.access(thread))} }}")
    program.alive.remove(thread)
    join(program, thread)


def join(program, thread, code=None):
    joiner = program.some_thread()
    program.order.follow(joiner.number, thread.number)
    program.step(joiner, (code or program.joining(thread)) + program.access(joiner))


def begin_short(program, more=""):
    """A thread of few steps, which takes part in nothing else."""
    parent = program.some_thread()
    before = program.sometimes(parent)
    thread = program.add_thread(parent.number, "posix")
    program.step(parent, before + program.creation(thread) + more.replace("{thread}", f"THREAD_OF({thread.number})"))
    return thread


def detach(program):
    """Nobody is ordered after a thread that is detached."""
    thread = begin_short(program, "MUST(!pthread_detach({thread}));")
    program.step(thread, program.access(thread) + program.sometimes(thread))


def unwinds(program, thread):
    """The first thread that ends by unwinding has libc open a library, which may order with those that do so later."""
    program.order.perhaps(thread.number, "unwinder")


def cancel(program):
    """A thread is cancelled in a call, asynchronously, or at a condition, whose mutex it then has again; its cleanup handler runs, and who joins it is after that."""
    thread, n = begin_short(program), program.unique()
    kind = program.random.choice(["call"] * 5 + ["condition", "asynchronous"])
    enter, leave, point = "", "", program.random.choice(CANCELLATION_POINTS)
    if kind == "condition":
        program.declarations.append(f"static pthread_cond_t never{n} = PTHREAD_COND_INITIALIZER; static pthread_mutex_t cancelled{n} = PTHREAD_MUTEX_INITIALIZER;")
        enter, leave, point = f"pthread_mutex_lock(&cancelled{n});", f"pthread_mutex_unlock(&cancelled{n});", f"pthread_cond_wait(&never{n}, &cancelled{n});"
    elif kind == "asynchronous":
        enter, point = "pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);", "hidden_forever();"
    before = enter + program.sometimes(thread)
    thread.lines.append(f"pthread_cleanup_push(cleanup{n}, NULL); turn_wait({program.now}); {before} turn_pass(); {point} "
                        f"hidden_forever(); pthread_cleanup_pop(0);")
    program.tell(thread, before + point)
    program.others()
    canceller = program.some_thread()
    before = program.sometimes(canceller)
    program.order.possible.release(canceller.number, f"cancel{n}")
    program.step(canceller, before + f"MUST(!pthread_cancel(THREAD_OF({thread.number})));")
    program.order.possible.acquire(thread.number, f"cancel{n}")
    unwinds(program, thread)
    program.declarations.append(f"static void cleanup{n}(void *);")
    program.functions.append(f"static void cleanup{n}(void *unused) {{ {program.elsewhere(thread, program.access(thread) + leave)} }}")
    join(program, thread, f"{{ void *result; MUST(!pthread_join(THREAD_OF({thread.number}), &result) && result == PTHREAD_CANCELED); }}")


def exit_deep(program):
    """A thread ends by pthread_exit in functions that it has called, and its cleanup handler runs."""
    thread, n = begin_short(program), program.unique()
    inside = program.access(thread)
    unwinds(program, thread)
    after = program.access(thread)
    program.declarations.append(f"static void leaving{n}(void *); static void deep{n}(int);")
    program.functions.append(f"static void leaving{n}(void *unused) {{ {after} turn_pass(); }} "
                             f"static void deep{n}(int left) {{ if (left) {{ deep{n}(left - 1); USE(left); return; }} "
                             f"turn_wait({program.now}); {inside} pthread_exit((void *)7); }}")
    thread.lines.append(f"pthread_cleanup_push(leaving{n}, NULL); deep{n}(5); pthread_cleanup_pop(0);")
    program.tell(thread, inside + " exits " + after)
    join(program, thread, f"{{ void *result; MUST(!pthread_join(THREAD_OF({thread.number}), &result) && result == (void *)7); }}")


def robust(program):
    """A thread ends with a robust mutex: the next one to lock it is told so, and goes on after all that the thread did."""
    n = program.unique()
    attribute = program.random.choice(["", "pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED);", "pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT);"])
    program.declarations.append(f"static pthread_mutex_t robust{n};")
    program.begin.append(f"{{ pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST); "
                         f"{attribute} pthread_mutex_init(&robust{n}, &a); }}")
    thread = begin_short(program)
    program.step(thread, f"MUST(!pthread_mutex_lock(&robust{n}));" + program.access(thread))
    program.others()
    program.step(thread, program.access(thread))
    heir = program.some_thread()
    program.order.follow(heir.number, thread.number)
    program.step(heir, f"MUST(pthread_mutex_lock(&robust{n}) == EOWNERDEAD); MUST(!pthread_mutex_consistent(&robust{n}));" + program.access(heir))
    before = program.sometimes(heir)
    program.order.replace(heir.number, f"robust{n}")
    program.step(heir, before + f"MUST(!pthread_mutex_unlock(&robust{n}));")
    program.others()
    later = program.some_thread()
    program.order.acquire(later.number, f"robust{n}")
    program.step(later, f"MUST(!pthread_mutex_lock(&robust{n}));" + program.access(later) + f"MUST(!pthread_mutex_unlock(&robust{n}));")
    join(program, thread)


def coroutine(program):
    """One thread goes to a stack of its own and back, twice, by swapcontext: still the same thread."""
    thread, n = program.some_thread(), program.unique()
    first, between, second = program.access(thread), program.access(thread), program.access(thread)
    program.functions.append(f"""static ucontext_t outside{n}, inside{n};
static void coroutine{n}(void) {{ {first} swapcontext(&inside{n}, &outside{n}); {second} }}
static void coroutines{n}(void) {{
    void *stack = malloc(65536);
    getcontext(&inside{n});
    inside{n}.uc_stack.ss_sp = stack;
    inside{n}.uc_stack.ss_size = 65536;
    inside{n}.uc_link = &outside{n};
    makecontext(&inside{n}, coroutine{n}, 0);
    swapcontext(&outside{n}, &inside{n}); {between} swapcontext(&outside{n}, &inside{n});
    free(stack);
}}""")
    program.declarations.append(f"static void coroutines{n}(void);")
    program.step(thread, f"coroutines{n}();")


def make_fiber(program, number):
    """A fiber by the interface of ThreadSanitizer, on a context of libc; main makes it before there are threads."""
    thread = program.add_thread(None, "fiber")
    program.declarations.append(f"static struct fiber fiber{number}; static void body{thread.number}(void);")
    program.begin.append(f"fiber_make(&fiber{number}, body{thread.number});")
    return f"fiber{number}", thread


def fiber(program):
    """A thread goes to a fiber, which goes back: each is after the other, unless the switch says that it orders nothing."""
    if not program.chooses("forks", "fibers", "fibers"):
        return
    resumer = program.some_thread()
    name, inside = some_object(program, make_fiber, 2)
    there, back = program.random.choice([0, 0, 1]), program.random.choice([0, 0, 1])
    before = program.sometimes(resumer)
    resumer.lines.append(program.turn(before) + f" fiber_resume(&{name}, {there});")
    program.tell(resumer, before + "goes to " + name)
    if there == 0:
        program.order.follow(inside.number, resumer.number)
    accesses = program.access(inside) + program.sometimes(inside)
    inside.lines.append(program.turn(accesses) + f" fiber_leave(&{name}, {back});")
    program.tell(inside, accesses + "goes back")
    if back == 0:
        program.order.follow(resumer.number, inside.number)
    program.step(resumer, program.sometimes(resumer))


STEPS = [(4, spawn), (4, end), (1, detach), (4, cancel), (2, exit_deep), (2, robust), (2, coroutine), (4, fiber)]
