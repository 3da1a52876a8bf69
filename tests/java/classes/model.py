# SPDX-License-Identifier: Apache-2.0
"""What is ordered, by vector clocks, in two ways at once: `sure` has the order that Java promises and docs/java.md says is followed, `may` also what a detector may see
beyond (locks and maps inside the JDK, what the documents leave open). A pair of accesses that is ordered in `sure` must not be reported; one that is unordered even in
`may` must be."""

SURE, MAY = 0, 1


class Order:
    def __init__(self):
        self.clocks = ([], [])  # of each thread: {thread: time}
        self.channels = ({}, {})
        self.accesses = {}  # variable: [Access]

    def start(self, thread, parent):
        for clocks in self.clocks:
            clocks.append({thread: 1})
            if parent is not None:
                self._join(clocks[thread], clocks[parent])
                clocks[parent][parent] += 1

    @staticmethod
    def _join(clock, other):
        for thread, time in other.items():
            clock[thread] = max(clock.get(thread, 0), time)

    def release(self, thread, channel, ways=(SURE, MAY)):
        for way in ways:
            self._join(self.channels[way].setdefault(channel, {}), self.clocks[way][thread])
            self.clocks[way][thread][thread] += 1

    def acquire(self, thread, channel, ways=(SURE, MAY)):
        for way in ways:
            self._join(self.clocks[way][thread], self.channels[way].get(channel, {}))

    def noise(self, thread):
        """Something inside the JDK that may order whoever does the like."""
        self.acquire(thread, "jdk", (MAY,))
        self.release(thread, "jdk", (MAY,))

    def is_before(self, access, thread, way):
        return access.times[way] <= self.clocks[way][thread].get(access.thread, 0)

    def access(self, thread, variable, write, step):
        """Remembers it; tells with which earlier accesses it races."""
        new = Access(len(self.accesses.setdefault(variable, [])), thread, variable, write, step, [clocks[thread][thread] for clocks in self.clocks])
        for old in self.accesses[variable]:
            if old.thread != thread and (old.write or write):
                if not self.is_before(old, thread, SURE):
                    new.may_race.append(old)
                if not self.is_before(old, thread, MAY):
                    new.must_race.append(old)
        self.accesses[variable].append(new)
        return new


class Access:
    def __init__(self, number, thread, variable, write, step, times):
        self.number, self.thread, self.variable, self.write, self.step, self.times = number, thread, variable, write, step, times
        self.may_race, self.must_race = [], []  # earlier accesses
        self.line = 0  # of the file

    def __str__(self):
        return f"{'write' if self.write else 'read'} of {self.variable} by t{self.thread}, step {self.step}, line {self.line}"


def needed(accesses):
    """Of one variable's accesses the one that must be reported as the second of a race; None: there is no such. The first race is always found; what follows it
    depends on what is remembered."""
    for access in accesses:
        if access.must_race:
            return access
        if access.may_race:
            return None
    return None
