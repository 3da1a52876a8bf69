# SPDX-License-Identifier: Apache-2.0
"""Steps with signals. One that is sent to a thread orders with that thread alone, one sent to the process with whoever takes one of that number, and raise() with
nobody else. Spawned threads get none: they may have ended by then. Then what comes as a thread of libc: the notifications of timers and message queues."""

WAITS = ["{ int number; MUST(!sigwait(&waited, &number) && number == SIGUSR2); }", "{ siginfo_t info; MUST(sigwaitinfo(&waited, &info) == SIGUSR2); }",
         "{ siginfo_t info; struct timespec t = {30, 0}; MUST(sigtimedwait(&waited, &info, &t) == SIGUSR2); }",
         "{ struct signalfd_siginfo info; MUST(read(signals, &info, sizeof info) == sizeof info); }"]


def new_handler(program):
    """The number of what a handler will do."""
    program.handlers.append("")
    return len(program.handlers) - 1


def choose(handler):
    return f"hidden_put(&chosen, {handler});"


def send(program, sender, taker, code):
    """The taker, and nobody else, comes after what the sender has done."""
    name = f"signal {program.unique()}"
    before = program.sometimes(sender)
    program.order.release(sender.number, name)
    program.step(sender, before + code)
    program.order.acquire(taker.number, name)


def to_thread(program):
    """A thread sends another one a signal, whose handler accesses something while the other waits for its turn."""
    pair = program.two_threads(program.first)
    if not pair:
        return
    sender, taker = pair
    handler = new_handler(program)
    ways = [choose(handler) + f"MUST(!pthread_kill(THREAD_OF({taker.number}), SIGUSR1));",
            f"MUST(!pthread_sigqueue(THREAD_OF({taker.number}), SIGRTMIN, (union sigval){{.sival_int = {handler}}}));"]
    send(program, sender, taker, program.random.choice(ways))
    program.handlers[handler] = program.elsewhere(taker, program.access(taker) + program.sometimes(taker))


def handler_jumps(program):
    """The same, and the handler leaves by siglongjmp."""
    pair = program.two_threads(program.first)
    if not pair:
        return
    sender, taker = pair
    handler, n = new_handler(program), program.unique()
    program.declarations.append(f"static sigjmp_buf jump{n};")
    taker.lines.append(f"turn_wait({program.now}); if (!sigsetjmp(jump{n}, 1)) {{ turn_pass(); hidden_forever(); }}")
    program.tell(taker, "waits for a handler that jumps")
    send(program, sender, taker, choose(handler) + f"MUST(!pthread_kill(THREAD_OF({taker.number}), SIGUSR1));")
    program.handlers[handler] = program.elsewhere(taker, program.access(taker)) + f" siglongjmp(jump{n}, 1);"
    program.step(taker, program.access(taker))


def waits(program):
    """A thread takes a signal by sigwait and its kin, or reads it from a descriptor; it was sent before, or comes while it waits."""
    pair = program.two_threads(program.first)
    if not pair:
        return
    sender, taker = pair
    wait, early = program.random.choice(WAITS), program.chance(0.5)
    if not early:
        program.blocking_step(taker, wait)
    send(program, sender, taker, f"MUST(!pthread_kill(THREAD_OF({taker.number}), SIGUSR2));")
    taker.blocked = False
    program.step(taker, (wait if early else "") + program.access(taker))


def to_process(program):
    """A signal that all threads block is sent to the process; one of them takes it, by sigwait and its kin or a handler."""
    # A thread on which libc notifies blocks no signal, and would take it.
    pair = program.two_threads()
    if not pair or not program.chooses("signals to the process", "notifications", "signals to the process"):
        return
    sender, taker = pair
    by_handler = program.chance(0.5)
    number = "SIGHUP" if by_handler else "SIGUSR2"
    name, handler = f"process {number}", new_handler(program)
    before = program.sometimes(sender)
    program.order.release(sender.number, name)
    program.step(sender, before + choose(handler) + program.random.choice([
        f"MUST(!kill(getpid(), {number}));",
        f"MUST(!sigqueue(getpid(), {number}, (union sigval){{.sival_int = 0}}));"]))
    program.order.acquire(taker.number, name)
    inside = program.access(taker)
    if by_handler:
        program.handlers[handler] = inside
        take = "{ sigset_t one; sigemptyset(&one); sigaddset(&one, SIGHUP); pthread_sigmask(SIG_UNBLOCK, &one, NULL); pthread_sigmask(SIG_BLOCK, &one, NULL); }"
    else:
        take = program.random.choice(WAITS) + inside
    program.step(taker, take + program.sometimes(taker))


def raises(program):
    """A thread sends itself a signal: its handler runs at once, and is that thread."""
    thread, handler = program.some_thread(), new_handler(program)
    before = program.sometimes(thread)
    program.handlers[handler] = program.access(thread)
    program.step(thread, before + choose(handler) + program.random.choice(["raise(SIGUSR1);", "pthread_kill(pthread_self(), SIGUSR1);"]) + program.sometimes(thread))


def alternate_stack(program):
    """The same on a stack of its own, which is freed afterwards; the handler may leave by siglongjmp."""
    thread, handler, n = program.some_thread(), new_handler(program), program.unique()
    jump = f"siglongjmp(leave{n}, 1);" if program.chance(0.5) else ""
    program.declarations.append(f"static sigjmp_buf leave{n};")
    program.handlers[handler] = f"char large[2048]; memset(large, 1, UNKNOWN(2048)); {program.access(thread)} {jump}"
    program.step(thread, f"{{ stack_t s = {{.ss_sp = malloc(65536), .ss_size = 65536}}; void *stack = s.ss_sp; sigaltstack(&s, NULL); "
                         f"if (!sigsetjmp(leave{n}, 1)) {{ {choose(handler)} raise(SIGWINCH); }} "
                         "s.ss_flags = SS_DISABLE; sigaltstack(&s, NULL); free(stack); }" + program.sometimes(thread))


def fault(program):
    """An access faults, and is made again when the handler has made the page accessible."""
    pages = program.usable("map")
    if not pages:
        return
    thread, handler, variable = program.some_thread(), new_handler(program), program.random.choice(pages)
    page = program.pointer(variable)
    program.handlers[handler] = f"MUST(!mprotect({page}, 4096, PROT_READ | PROT_WRITE));"
    program.step(thread, choose(handler) + f"MUST(!mprotect({page}, 4096, PROT_NONE));" + program.access(thread, variable, program.random.choice(["read", "write"])))


def notified(program, thread):
    """The thread on which libc calls a function; it begins after what `thread` has done."""
    return program.add_thread(thread.number, "libc")


def timer(program):
    """A timer has libc call a function once, on a thread of its own, which comes after who has armed it."""
    if not program.chooses("signals to the process", "notifications", "notifications"):
        return
    thread, n = program.some_thread(), program.unique()
    program.declarations.append(f"static timer_t timer{n}; static void expired{n}(union sigval);")
    program.order.perhaps(thread.number, "timers")
    before = program.sometimes(thread)
    helper = notified(program, thread)
    program.step(thread, before + f"{{ struct sigevent event = {{.sigev_notify = SIGEV_THREAD, .sigev_notify_function = expired{n}}}; "
                                  f"struct itimerspec soon = {{{{0, 0}}, {{0, 1000000}}}}; "
                                  f"MUST(!timer_create(CLOCK_MONOTONIC, &event, &timer{n})); MUST(!timer_settime(timer{n}, 0, &soon, NULL)); }}")
    program.order.perhaps(helper.number, "timers")
    program.functions.append(f"static void expired{n}(union sigval value) {{ {program.elsewhere(helper, program.access(helper))} }}")
    program.order.possible.release(helper.number, "timers")


def message_queue(program):
    """A message has libc call a function, which comes after its sender, as does who receives the message."""
    pair, n = program.two_threads(), program.unique()
    if not pair or not program.chooses("signals to the process", "notifications", "notifications"):
        return
    asker, sender = pair
    program.declarations.append(f"static mqd_t queue{n}; static void arrived{n}(union sigval);")
    program.begin.append(f'{{ char name[64]; struct mq_attr a = {{.mq_maxmsg = 4, .mq_msgsize = 8}}; snprintf(name, sizeof name, "/mixed.%d.{n}", getpid()); '
                         f"queue{n} = mq_open(name, O_RDWR | O_CREAT, 0600, &a); MUST(queue{n} != -1); mq_unlink(name); }}")
    program.order.possible.release(asker.number, f"queue{n}")
    program.step(asker, f"{{ struct sigevent event = {{.sigev_notify = SIGEV_THREAD, .sigev_notify_function = arrived{n}}}; "
                        f"MUST(!mq_notify(queue{n}, &event)); }}" + program.sometimes(asker))
    program.order.possible.release(asker.number, f"queue{n}")
    before = program.sometimes(sender)
    helper = notified(program, sender)
    program.order.release(sender.number, f"message{n}")
    program.step(sender, before + f'MUST(!mq_send(queue{n}, "x", 1, 0));')
    program.order.possible.acquire(helper.number, f"queue{n}")
    program.functions.append(f"static void arrived{n}(union sigval value) {{ {program.elsewhere(helper, program.access(helper))} }}")
    receiver = program.some_thread()
    program.order.acquire(receiver.number, f"message{n}")
    program.step(receiver, f"{{ char text[8]; MUST(mq_receive(queue{n}, text, 8, NULL) == 1); }}" + program.sometimes(receiver))


def asynchronous_io(program):
    """Who sees that an operation is done comes after who has asked for it."""
    pair, n = program.two_threads(), program.unique()
    if not pair:
        return
    asker, seer = pair
    program.declarations.append(f"static struct aiocb operation{n}; static char space{n}[64];")
    program.begin.append(f'operation{n} = (struct aiocb){{.aio_fildes = open("/dev/zero", O_RDWR), '
                         f'.aio_buf = space{n}, .aio_nbytes = 64, .aio_lio_opcode = LIO_READ}};')
    before = program.sometimes(asker)
    program.order.release(asker.number, f"operation{n}")
    program.step(asker, before + program.random.choice([f"MUST(!aio_read(&operation{n}));", f"MUST(!aio_write(&operation{n}));",
                                                        f"{{ struct aiocb *list[1] = {{&operation{n}}}; MUST(!lio_listio(LIO_NOWAIT, list, 1, NULL)); }}"]))
    program.others()
    program.order.acquire(seer.number, f"operation{n}")
    seen = program.random.choice([f"while (aio_error(&operation{n}) == EINPROGRESS) hidden_yield();",
                                  f"{{ const struct aiocb *list[1] = {{&operation{n}}}; MUST(!aio_suspend(list, 1, NULL)); }}"])
    program.step(seer, seen + program.access(seer))
    program.step(seer, f"MUST(aio_return(&operation{n}) == 64);")


STEPS = [(4, to_thread), (2, handler_jumps), (3, waits), (3, to_process), (2, raises), (2, alternate_stack),
         (1, fault), (2, timer), (1, message_queue), (2, asynchronous_io)]
