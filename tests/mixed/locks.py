# SPDX-License-Identifier: Apache-2.0
"""Steps that order threads by an object: locks, conditions, semaphores, barriers, atomics and descriptors. An object is made when first chosen, and stays."""

TYPES = ["NORMAL", "RECURSIVE", "ERRORCHECK", "ADAPTIVE_NP"]
ATTRIBUTES = ["", "pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT);", "pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);",
              "pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED);"]
DESCRIPTORS = {"pipe": "MUST(!pipe({n}));", "stream": "MUST(!socketpair(AF_UNIX, SOCK_STREAM, 0, {n}));",
               "datagram": "MUST(!socketpair(AF_UNIX, SOCK_DGRAM, 0, {n}));",
               "event": "{n}[0] = {n}[1] = eventfd(0, EFD_SEMAPHORE);"}
RWLOCKS = ["PTHREAD_RWLOCK_INITIALIZER", "PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP"]


class Lock:
    """Who holds it: one thread, or several readers. plain: the child of a fork can give it up."""

    def __init__(self, name, take, give, plain=False):
        self.name, self.take, self.give, self.plain = name, take, give, plain
        self.owner, self.readers = None, []


def make_mutex(program, number):
    name, kind, attribute = f"mutex{number}", program.random.choice(TYPES), program.random.choice(ATTRIBUTES)
    program.declarations.append(f"static pthread_mutex_t {name};")
    program.begin.append(f"{{ pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, PTHREAD_MUTEX_{kind}); "
                         f"{attribute} pthread_mutex_init(&{name}, &a); }}")
    return Lock(name, [f"MUST(!pthread_mutex_lock(&{name}));", f"MUST(!pthread_mutex_trylock(&{name}));",
                       f"{{ struct timespec t; clock_gettime(CLOCK_REALTIME, &t); t.tv_sec += 30; MUST(!pthread_mutex_timedlock(&{name}, &t)); }}"],
                f"MUST(!pthread_mutex_unlock(&{name}));", kind in ("NORMAL", "ADAPTIVE_NP") and not attribute)


def make_mtx(program, number):
    name = f"mtx{number}"
    program.declarations.append(f"static mtx_t {name};")
    program.begin.append(f"mtx_init(&{name}, {program.random.choice(['mtx_plain', 'mtx_timed', 'mtx_plain | mtx_recursive'])});")
    return Lock(name, [f"MUST(mtx_lock(&{name}) == thrd_success);", f"MUST(mtx_trylock(&{name}) == thrd_success);"], f"MUST(mtx_unlock(&{name}) == thrd_success);")


def make_spin(program, number):
    name = f"spin{number}"
    program.declarations.append(f"static pthread_spinlock_t {name};")
    program.begin.append(f"pthread_spin_init(&{name}, 0);")
    return Lock(name, [f"MUST(!pthread_spin_lock(&{name}));"], f"MUST(!pthread_spin_unlock(&{name}));")


def make_rwlock(program, number):
    name = f"rwlock{number}"
    program.declarations.append(f"static pthread_rwlock_t {name} = {RWLOCKS[number]};")
    return Lock(name, [f"MUST(!pthread_rwlock_wrlock(&{name}));"], f"MUST(!pthread_rwlock_unlock(&{name}));")


def make_descriptor(program, number):
    name = f"descriptor{number}"
    program.declarations.append(f"static int {name}[2];")
    program.begin.append(DESCRIPTORS[program.random.choice(sorted(DESCRIPTORS))].replace("{n}", name))
    return [name, 0]


def make_semaphore(program, number):
    program.declarations.append(f"static sem_t semaphore{number};")
    program.begin.append(f"sem_init(&semaphore{number}, {number}, 0);")
    return [f"semaphore{number}", 0]


def make_atomic(program, number):
    kind = program.random.choice(["_Atomic int", "_Atomic long", "atomic_uchar", "_Atomic short"])
    program.declarations.append(f"static {kind} atomic{number};")
    return [f"atomic{number}", 0]


def some_object(program, make, count):
    """One of `count` objects that `make` makes when they are first needed."""
    objects, number = program.objects.setdefault(make.__name__, {}), program.random.randrange(count)
    if number not in objects:
        objects[number] = make(program, number)
    return objects[number]


def give_up(program, thread, lock):
    """A lock's owner, or one of its readers, gives it up."""
    before = program.sometimes(thread)
    if lock.owner is thread:
        program.order.replace(thread.number, lock.name)
        lock.owner = None
    else:
        program.order.release(thread.number, lock.name + " readers")
        lock.readers.remove(thread)
    program.step(thread, before + lock.give + program.sometimes(thread, 0.3))


def give_up_all(program, thread):
    """Before a thread ends."""
    for make in (make_mutex, make_mtx, make_spin, make_rwlock):
        for lock in program.objects.get(make.__name__, {}).values():
            if lock.owner is thread or thread in lock.readers:
                give_up(program, thread, lock)


def any_lock(program, lock):
    """Takes a lock that is free, or has its owner give it up."""
    if lock.owner is None:
        thread = program.some_thread()
        program.order.acquire(thread.number, lock.name, lock.name + " readers")
        lock.owner = thread
        program.step(thread, program.random.choice(lock.take) + program.sometimes(thread))
        if program.chance(0.5):
            give_up(program, thread, lock)
    elif not lock.owner.blocked:
        give_up(program, lock.owner, lock)


def mutex(program):
    """Locks, tries or unlocks a mutex of any type: a lock is after the last unlock, and an attempt that fails is after nothing."""
    lock, thread = some_object(program, make_mutex, 3), program.some_thread()
    if lock.owner not in (None, thread) and program.chance(0.2):
        program.step(thread, f"MUST(pthread_mutex_trylock(&{lock.name}) == EBUSY);" + program.sometimes(thread))
    else:
        any_lock(program, lock)


def mtx(program):
    """The same by a mutex of C11."""
    any_lock(program, some_object(program, make_mtx, 2))


def spin(program):
    """The same by a spin lock."""
    any_lock(program, some_object(program, make_spin, 1))


def rwlock(program):
    """Readers come after the last writer, and a writer after all before; readers are not ordered."""
    lock, thread = some_object(program, make_rwlock, 2), program.some_thread()
    if lock.owner:
        any_lock(program, lock)
    elif lock.readers and program.chance(0.6):
        ready = [reader for reader in lock.readers if not reader.blocked]
        if ready:
            give_up(program, program.random.choice(ready), lock)
    elif lock.readers or program.chance(0.6):
        if thread not in lock.readers:
            program.order.acquire(thread.number, lock.name)
            lock.readers.append(thread)
            program.step(thread, f"MUST(!pthread_rwlock_{program.random.choice(['rdlock', 'tryrdlock'])}(&{lock.name}));" + program.sometimes(thread))
    else:
        any_lock(program, lock)


def pass_on(program, counted, put, take, at_most):
    """Something is put somewhere, or taken if there is some: the latter is after all that was put. If nothing is there, a thread may wait for it."""
    name, count = counted
    thread, pair = program.some_thread(), program.two_threads()
    if count and program.chance(0.55):
        program.order.acquire(thread.number, name)
        counted[1] -= 1
        program.step(thread, program.random.choice(take) + program.access(thread))
    elif not count and pair and program.chance(0.4):
        giver, waiter = pair
        program.blocking_step(waiter, take[0])
        program.others()
        before = program.sometimes(giver)
        program.order.release(giver.number, name)
        program.step(giver, before + put)
        waiter.blocked = False
        program.order.acquire(waiter.number, name)
        program.step(waiter, program.access(waiter))
    elif count < at_most:
        before = program.sometimes(thread)
        program.order.release(thread.number, name)
        counted[1] += 1
        program.step(thread, before + put + program.sometimes(thread, 0.3))


def semaphore(program):
    """Posts, waits, or waits until another thread posts."""
    counted = some_object(program, make_semaphore, 2)
    name = counted[0]
    pass_on(program, counted, f"MUST(!sem_post(&{name}));", [f"MUST(!sem_wait(&{name}));", f"MUST(!sem_trywait(&{name}));"], 3)


def descriptor(program):
    """Writes to or reads from a pipe, a pair of sockets or an eventfd."""
    counted = some_object(program, make_descriptor, 3)
    name = counted[0]
    read = f"{{ uint64_t some; MUST(read({name}[0], &some, 8) == 8); }}"
    poll = f"{{ struct pollfd one = {{{name}[0], POLLIN, 0}}; MUST(poll(&one, 1, -1) == 1); }} "
    pass_on(program, counted, f"{{ uint64_t one = 1; MUST(write({name}[1], &one, 8) == 8); }}", [read, poll + read], 5)


def barrier(program):
    """Two or three threads meet at a barrier, perhaps of several processes, once or twice: after it each is after all."""
    threads = program.ready()
    count, number = program.random.randint(2, 3), program.unique()
    if len(threads) < count:
        return
    name, shared = f"barrier{number}", program.random.choice(["PRIVATE", "SHARED"])
    program.declarations.append(f"static pthread_barrier_t {name};")
    program.begin.append(f"{{ pthread_barrierattr_t a; pthread_barrierattr_init(&a); pthread_barrierattr_setpshared(&a, PTHREAD_PROCESS_{shared}); "
                         f"pthread_barrier_init(&{name}, &a, {count}); }}")
    wait = f"{{ int result = pthread_barrier_wait(&{name}); MUST(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD); }}"
    come = program.random.sample(threads, count)
    for phase in range(program.random.randint(1, 2)):
        program.random.shuffle(come)
        for thread in come:
            before = program.sometimes(thread)
            program.order.release(thread.number, f"{name} {phase}")
            if thread is come[-1]:
                program.order.acquire(thread.number, f"{name} {phase}")
                program.step(thread, before + wait)
            else:
                if before:
                    program.step(thread, before)
                program.blocking_step(thread, wait)
        for thread in come[:-1]:
            thread.blocked = False
            program.order.acquire(thread.number, f"{name} {phase}")
            program.step(thread, program.access(thread))


def condition(program):
    """A thread waits at a condition of POSIX or C11 until another one has set a variable, under the mutex that orders them."""
    pair, n = program.two_threads(), program.unique()
    if not pair:
        return
    sender, waiter = pair
    prefix, mutex_prefix, types = program.random.choice([("pthread_cond_", "pthread_mutex_", ("pthread_cond_t", "pthread_mutex_t")),
                                                         ("cnd_", "mtx_", ("cnd_t", "mtx_t"))])
    program.declarations.append(f"static {types[0]} condition{n}; static {types[1]} guard{n}; static int ready{n};")
    posix = prefix == "pthread_cond_"
    program.begin.append(f"{prefix}init(&condition{n}{', NULL' if posix else ''}); {mutex_prefix}init(&guard{n}, {'NULL' if posix else 'mtx_plain'});")
    lock, unlock = f"{mutex_prefix}lock(&guard{n});", f"{mutex_prefix}unlock(&guard{n});"
    waiter.lines.append(f"turn_wait({program.now}); {lock} turn_pass(); while (!ready{n}) {prefix}wait(&condition{n}, &guard{n}); {unlock}")
    program.tell(waiter, "waits at a condition")
    waiter.blocked = True
    program.order.release(waiter.number, f"guard{n}")
    program.others()
    before = program.sometimes(sender)
    program.order.acquire(sender.number, f"guard{n}")
    inside = program.sometimes(sender)
    program.order.release(sender.number, f"guard{n}")
    program.step(sender, f"{before} {lock} {inside} ready{n} = 1; {prefix}{program.random.choice(['signal', 'broadcast'])}(&condition{n}); {unlock}")
    waiter.blocked = False
    program.order.acquire(waiter.number, f"guard{n}")
    program.step(waiter, program.access(waiter))


def once(program):
    """The first call of pthread_once or call_once runs a function, and all later ones are after it."""
    n, c11 = program.unique(), program.chance(0.4)
    program.declarations.append(f"static {'once_flag' if c11 else 'pthread_once_t'} once{n}; static void first{n}(void);")
    call = f"call_once(&once{n}, first{n});" if c11 else f"MUST(!pthread_once(&once{n}, first{n}));"
    thread = program.some_thread()
    inside = program.access(thread)
    program.order.release(thread.number, f"once{n}")
    program.functions.append(f"static void first{n}(void) {{ {inside} }}")
    program.step(thread, call + program.sometimes(thread, 0.3))
    for _ in range(2):
        program.others()
        later = program.some_thread()
        program.order.acquire(later.number, f"once{n}")
        program.step(later, call + program.access(later))


def atomic(program):
    """A store releases, a load acquires, an addition does both and continues what was released; a relaxed store ends it, which a detector may not see."""
    counted, thread = some_object(program, make_atomic, 3), program.some_thread()
    name, number, order = counted[0], thread.number, program.order
    kind = program.random.choice(["store", "load", "add", "relaxed"])
    if kind == "store":
        before = program.sometimes(thread)
        order.sure.replace(number, name)
        order.possible.release(number, name)
        counted[1] = program.random.randrange(50)
        how = program.random.choice(["memory_order_release", "memory_order_seq_cst"])
        code = before + f"atomic_store_explicit(&{name}, {counted[1]}, {how});" + program.sometimes(thread, 0.3)
    elif kind == "load":
        order.acquire(number, name)
        code = f"MUST(atomic_load_explicit(&{name}, {program.random.choice(['memory_order_acquire', 'memory_order_seq_cst'])}) == {counted[1]});" + program.access(thread)
    elif kind == "add":
        before = program.sometimes(thread)
        order.acquire(number, name)
        order.release(number, name)
        code = before + f"MUST(atomic_fetch_add(&{name}, 1) == {counted[1]});" + program.sometimes(thread)
        counted[1] = (counted[1] + 1) % 128
        if counted[1] > 100:
            code, counted[1] = code + f"atomic_exchange(&{name}, 0);", 0
    else:
        order.sure.forget(name)
        counted[1] = program.random.randrange(50)
        code = f"atomic_store_explicit(&{name}, {counted[1]}, memory_order_relaxed);" + program.sometimes(thread, 0.3)
    program.step(thread, code)


def fence(program):
    """A fence alone promises nothing, and may order with others."""
    thread = program.some_thread()
    program.order.perhaps(thread.number, "fence")
    program.step(thread, "atomic_thread_fence(memory_order_seq_cst);")


STEPS = [(8, mutex), (5, mtx), (4, spin), (8, rwlock), (6, semaphore), (6, descriptor),
         (3, barrier), (3, condition), (2, once), (8, atomic), (1, fence)]
