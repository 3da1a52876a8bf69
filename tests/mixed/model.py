# SPDX-License-Identifier: Apache-2.0
"""What orders the threads of a program while it is being generated. All steps of a program happen one after the other, in an order that its threads keep behind
the detector's back (tests/programs/invisible.h); so each step can be told at once which accesses it is ordered after. There are two models: `sure` has only
the order that is promised to a program, `possible` also what a detector may see beyond that (an atomic access that is relaxed, say). A race by `possible` must be
reported, an access that is ordered by `sure` must not, and what lies between may."""


class Clocks:
    """Vector clocks: of each thread, and of what a thread has left at an object for those that come there later."""

    def __init__(self):
        self.of, self.left = {}, {}

    @staticmethod
    def join(clock, other):
        for thread, count in other.items():
            clock[thread] = max(clock.get(thread, 0), count)

    def tick(self, thread):
        """What the thread does from here on is not part of what it has left before."""
        self.of[thread][thread] = self.of[thread].get(thread, 0) + 1

    def start(self, thread, parent=None):
        """A thread begins, after what its parent has done."""
        self.of[thread] = {thread: 1}
        if parent is not None:
            self.join(self.of[thread], self.of[parent])
            self.tick(parent)

    def follow(self, thread, other):
        """The thread goes on after what the other one has done: a join."""
        self.join(self.of[thread], self.of[other])
        self.tick(other)

    def acquire(self, thread, name):
        self.join(self.of[thread], self.left.get(name, {}))

    def release(self, thread, name):
        """Adds to what others have left."""
        self.join(self.left.setdefault(name, {}), self.of[thread])
        self.tick(thread)

    def replace(self, thread, name):
        """Only what this thread has done remains: a mutex's unlock, a store."""
        self.left[name] = dict(self.of[thread])
        self.tick(thread)

    def forget(self, name):
        """What was left there counts no more: a relaxed store."""
        self.left.pop(name, None)

    def knows(self, thread, other, count):
        """Is the thread ordered after that moment of the other one?"""
        return self.of[thread].get(other, 0) >= count


class Access:
    """One access of a variable: by whom, of which kind, when, and where in the program."""

    def __init__(self, thread, writes, atomic, sure, possible, step):
        self.thread, self.writes, self.atomic = thread, writes, atomic
        self.sure, self.possible, self.step = sure, possible, step

    def conflicts(self, other):
        return self.thread != other.thread and (self.writes or other.writes) and not (self.atomic and other.atomic)


class Order:
    """Both models, and the races that follow from them."""

    def __init__(self):
        self.sure, self.possible = Clocks(), Clocks()
        self.accesses = {}  # of each variable
        self.earlier = {}  # the sure clock of each thread before it last came after something
        self.may, self.must = {}, {}  # variable: [(step, step)]; `may` holds all of `must`

    def both(self, method, *arguments):
        for clocks in (self.sure, self.possible):
            getattr(clocks, method)(*arguments)

    def start(self, thread, parent=None):
        self.both("start", thread, parent)

    def follow(self, thread, other):
        self.earlier[thread] = dict(self.sure.of[thread])
        self.both("follow", thread, other)

    def acquire(self, thread, *names):
        self.earlier[thread] = dict(self.sure.of[thread])
        for name in names:
            self.both("acquire", thread, name)

    def release(self, thread, name):
        self.both("release", thread, name)

    def replace(self, thread, name):
        self.both("replace", thread, name)

    def perhaps(self, thread, name):
        """An order that nobody promises and a detector may see: among all that come by this name."""
        self.possible.acquire(thread, name)
        self.possible.release(thread, name)

    def depends(self, thread, variable):
        """Has the variable no race, and would this thread's access be one without what it has come after last?"""
        accesses, earlier = self.accesses[variable], self.earlier.get(thread, {})
        return (variable not in self.may and all(self.sure.knows(thread, old.thread, old.sure) for old in accesses)
                and any(old.thread != thread and earlier.get(old.thread, 0) < old.sure for old in accesses))

    def access(self, thread, variable, writes, atomic, step, in_child=False):
        """Notes an access, and which earlier ones it races with. One in the child of a fork is a copy's, which later ones know nothing of."""
        if not in_child:
            self.both("tick", thread)
        moment = [clocks.of[thread].get(thread, 0) for clocks in (self.sure, self.possible)]
        new = Access(thread, writes, atomic, *moment, step)
        for old in self.accesses[variable]:
            if old.conflicts(new):
                if not self.sure.knows(thread, old.thread, old.sure):
                    self.may.setdefault(variable, []).append((old.step, step))
                if not in_child and not self.possible.knows(thread, old.thread, old.possible):
                    self.must.setdefault(variable, []).append((old.step, step))
        if atomic:  # relaxed, and yet a detector may have it order
            self.perhaps(thread, f"variable {variable}")
        if not in_child:
            self.accesses[variable].append(new)
