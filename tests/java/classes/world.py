# SPDX-License-Identifier: Apache-2.0
"""Classes, threads and the initialization of classes as JLS 12.4.2 has it, simulated step by step. A thread is a stack of frames: its own method, and the static
initializers that it is in. What a thread does next goes into the code of its topmost frame; so the program grows as it runs."""

from model import MAY, SURE, Order

UNUSED, RUNNING, DONE, BROKEN = "unused", "running", "done", "broken"


class Class:
    """kind: class, enum, record, interface, exception. initializer: it has code of its own for that."""

    def __init__(self, number, kind, name, is_nested, initializer, above, interfaces):
        self.number, self.kind, self.name, self.is_nested = number, kind, name, is_nested
        self.initializer, self.above, self.interfaces = initializer, above, interfaces
        self.has_default = False  # an interface that declares a default method
        self.object = None  # the variable that is an object made by the initializer
        self.state, self.by = UNUSED, None
        self.reserved = None  # a thread that will use it at a time that is not known
        self.waiters = []  # (thread, what it does then)
        self.is_serial = self.bodies = False  # java.io.Serializable; an enum's constant with a body
        self.code = []
        # Those whose end the agent sees (docs/java.md): not interfaces and exceptions that have no initializer.
        self.tells = initializer or kind not in ("interface", "exception")

    @property
    def binary_name(self):
        return self.name.replace(".", "$")

    def is_below(self, other):
        return self.above is not None and (self.above is other or self.above.is_below(other))

    def initialized_before(self):
        """The superclass and the superinterfaces that are initialized first, in this order."""
        if self.kind == "interface":
            return []
        found = [self.above] if self.above else []
        for interface in self.interfaces:
            found += [one for one in interface.with_above() if one.has_default and one not in found]
        return found

    def with_above(self):
        found = []
        for interface in self.interfaces:
            found += interface.with_above()
        return found + [self]


class Step:
    """A line of Java. early: the next step follows before what it does, which may wait."""

    def __init__(self, number, text, passes_before):
        self.number, self.text, self.passes_before = number, text, passes_before
        self.early = self.refused = False
        self.access = None  # made in this line
        self.helper = None  # where the text stands instead


class Thread:
    def __init__(self, number):
        self.number = number
        self.code = []
        self.frames = [(self.code, None)]  # code, what follows its end
        self.owes = False  # its last step is to be ended by its next one
        self.waits_for = None  # a class
        self.pending = 0  # classes that it is going to initialize without being asked
        self.begun = []  # classes that it has begun with since its last step
        self.floats = False  # what it does until its next step it does at a time that is not known
        self.last = None
        self.inside = []  # classes that it initializes


class World:
    def __init__(self):
        self.order = Order()
        self.threads, self.classes = [], []
        self.now = 0

    def add_thread(self, parent):
        thread = Thread(len(self.threads))
        self.threads.append(thread)
        self.order.start(thread.number, parent.number if parent else None)
        return thread

    def step(self, thread, text):
        step = Step(self.now, text, thread.owes)
        self.now += 1
        thread.frames[-1][0].append(step)
        thread.owes, thread.floats, thread.last = True, False, step
        for one in self.classes:
            if one.reserved is thread:
                one.reserved = None
        thread.begun = []
        return step

    # ---- may it be used?

    def will_initialize(self, one, thread):
        """What a use of the class looks at beside the class itself; those of other threads are waited for."""
        if one.state in (DONE, BROKEN) or (one.state == RUNNING and one.by is thread):
            return []
        found = [one]
        if one.state == UNUSED:
            for above in one.initialized_before():
                found += self.will_initialize(above, thread)
        return found

    def may_use(self, one, thread, may_wait):
        if one.reserved not in (None, thread):
            return False
        for other in self.will_initialize(one, thread):
            if other.reserved not in (None, thread):
                return False
            if other.state == RUNNING and (not may_wait or other.by.waits_for or other.by.pending):
                return False
        return True

    # ---- JLS 12.4.2

    def take_in(self, thread, one, by):
        """The thread learns that the class is initialized. `by`: the class whose initialization asks; None: it is used."""
        self.order.acquire(thread.number, one, (SURE, MAY) if one.tells and one.state == DONE and by is None else (MAY,))

    def use(self, thread, one, after, by=None):
        """Goes on with after(succeeded), perhaps much later."""
        if one.state == DONE or one.state == BROKEN:
            self.take_in(thread, one, by)
            after(one.state == DONE)
        elif one.state == RUNNING and one.by is thread:
            after(True)
        elif one.state == RUNNING:
            thread.waits_for = one
            thread.floats = True
            thread.last.early, thread.owes = True, False
            for begun in thread.begun:
                begun.reserved = thread
            one.waiters.append((thread, lambda: self.use(thread, one, after, by)))
        else:
            one.state, one.by = RUNNING, thread
            thread.begun.append(one)
            thread.inside.append(one)
            if thread.floats:
                one.reserved = thread
            first = one.initialized_before()
            thread.pending += len(first)
            self.use_all(thread, one, first, after)

    def use_all(self, thread, one, first, after):
        if not first:
            self.run(thread, one, after)
            return

        def then(succeeded):
            thread.pending -= 1
            if succeeded:
                self.use_all(thread, one, first[1:], after)
            else:
                thread.pending -= len(first) - 1
                self.finish(thread, one, False, after)

        self.use(thread, first[0], then, one)

    def run(self, thread, one, after):
        # What a superclass did that others have initialized: the agent takes it in when the class's own initializer begins. Those of superinterfaces run before,
        # and interfaces order nothing (docs/java.md).
        if one.tells and one.above and one.above.tells and one.above.state == DONE:
            self.order.acquire(thread.number, one.above)
        if not one.initializer:
            self.finish(thread, one, True, after)
            return
        thread.frames.append((one.code, lambda succeeded: self.finish(thread, one, succeeded, after)))
        if one.object:
            one.object.made(self, thread)

    def finish(self, thread, one, succeeded, after):
        one.state = DONE if succeeded else BROKEN
        thread.inside.remove(one)
        self.order.release(thread.number, one, (SURE, MAY) if succeeded and one.tells else (MAY,))
        waiters, one.waiters = one.waiters, []
        for waiter, goes_on in waiters:
            waiter.waits_for = None
            goes_on()
        after(succeeded)

    def end_frame(self, thread, succeeded):
        self.step(thread, "" if succeeded else "if (yes()) throw new IllegalStateException();")
        if not succeeded:
            self.order.noise(thread.number)
        _, after = thread.frames.pop()
        after(succeeded)
