# SPDX-License-Identifier: Apache-2.0
"""A random script for lockorder.c, and the reports that it must lead to. The rules are those of docs/misuse.md:

- who waits for a lock adds an edge to it from each lock that its thread holds, of those the last 64; who tries it or waits for a limited time adds none;
- an edge has four kinds: held for writing or not, wanted for writing or not; each that is new is looked at once;
- it is reported if it closes a cycle of different locks, 32 at most, where at each lock the holder or the one that waits is a writer; told is a shortest one;
- each edge of it comes with the thread that added it first, and where that waited and had taken the lock that it held;
- a lock that is destroyed leaves the graph."""

import random

COMPARED, LONGEST = 64, 32
SITES = 6
GROWS = 600  # so many locks held at once make more edges than the table has room for in the beginning
MAYBE = -1  # in place of a length
BY_WRITER = {"l": True, "y": True, "t": True, "v": True, "L": True, "R": False, "Y": False, "T": False}
WAITING = "lRvL"
BRUTE_FORCE = 7  # so many locks: all paths without a lock that comes twice are tried


class Edge:
    def __init__(self, number, source, target, held_to_write, wanted_to_write, thread, site, held_sites):
        self.number, self.source, self.target = number, source, target
        self.held_to_write, self.wanted_to_write = held_to_write, wanted_to_write
        self.thread, self.site, self.held_sites = thread, site, held_sites

    @property
    def key(self):
        return (self.source, self.target, self.held_to_write, self.wanted_to_write)


class Lock:
    def __init__(self, number, kind):
        self.number, self.kind = number, kind
        self.out = []  # edges
        self.into = []


class Graph:
    def __init__(self):
        self.edges = {}

    def add(self, edge):
        self.edges[edge.key] = edge
        edge.source.out.append(edge)
        edge.target.into.append(edge)

    def remove(self, lock):
        for edge in lock.out + lock.into:
            if self.edges.pop(edge.key, None):
                if edge.source is not lock:
                    edge.source.out.remove(edge)
                if edge.target is not lock:
                    edge.target.into.remove(edge)
        lock.out, lock.into = [], []

    @staticmethod
    def goes_on(edge, following):
        return edge.wanted_to_write or following.held_to_write

    def shortest(self, closing, small):
        """The length of the shortest cycle with this edge; 0: none."""
        return self.by_trying(closing) if small else self.by_breadth(closing)

    def by_trying(self, closing):
        best = 0

        def walk(edge, passed, length):
            nonlocal best
            for following in edge.target.out:
                if not self.goes_on(edge, following) or (best and length + 1 >= best):
                    continue
                if following.target is closing.source:
                    if self.goes_on(following, closing) and length < LONGEST:
                        best = length + 1
                elif following.target not in passed:
                    walk(following, passed | {following.target}, length + 1)

        walk(closing, {closing.source, closing.target}, 1)
        return best

    def by_breadth(self, closing):
        """With many locks. MAYBE where the first way that is found has a lock twice: there may be another one, longer, that has not."""
        front, seen, length = [(closing, (closing.source, closing.target))], {(closing.target, closing.wanted_to_write)}, 1
        while front and length < LONGEST:
            length += 1
            following, found = [], 0
            for edge, passed in front:
                for after in edge.target.out:
                    if not self.goes_on(edge, after):
                        continue
                    if after.target is closing.source:
                        if self.goes_on(after, closing):
                            if len(set(passed)) == len(passed):
                                return length
                            found = MAYBE
                    elif (after.target, after.wanted_to_write) not in seen:
                        seen.add((after.target, after.wanted_to_write))
                        following.append((after, passed + (after.target,)))
            if found:
                return found
            front = following
        return 0


class Hold:
    def __init__(self, lock, to_write, site):
        self.lock, self.to_write, self.sites, self.depth = lock, to_write, {site}, 1


class Thread:
    def __init__(self, number):
        self.number = number
        self.holds = []  # in the order of taking

    def hold(self, lock):
        return next((hold for hold in self.holds if hold.lock is lock), None)


class Script:
    def __init__(self, seed):
        self.seed, self.random = seed, random.Random(seed)
        self.lines = []
        self.graph = Graph()
        self.locks = {}  # number: Lock
        self.threads = [Thread(0)]  # that are there, each inside the one before
        self.made = 1
        self.expected = {}  # step: [(Edge, length of the cycle)]
        self.graph_at = {}  # step: its edges' keys, where something is expected
        self.free_numbers, self.most = [], 0
        for _ in range(self.random.choice([1, 3, 6])):
            self.world()

    def chance(self, probability):
        return self.random.random() < probability

    def write(self, line):
        self.lines.append(line)
        return len(self.lines)

    # ---- what a program is made of

    def world(self):
        """Some locks, from their beginning to their end."""
        self.small = self.chance(0.7)
        many = 0 if self.small or self.chance(0.6) else self.random.choice([70] * 3 + [150] + [GROWS])
        kinds = self.random.choice(["m", "ms", "mre", "w", "mw", "mserwpc"])
        number = self.random.randint(2, BRUTE_FORCE if self.small else 14)
        self.tries, self.deep = self.random.choice([0, 0.1, 0.4]), self.random.choice([2, 4, 8])
        self.ends = self.random.choice([0, 0.02, 0.08])
        self.live = [self.make(kinds) for _ in range(number)]
        self.row = [self.make("m" if self.chance(0.5) else kinds.replace("w", "m")) for _ in range(many)] if many else []
        row = self.row
        for _ in range(self.random.choice([30, 80, 200])):
            self.act(kinds)
        if self.row:
            self.go_through_row()
            if many == GROWS:  # what was there before is to be there still
                self.give_up_all()
                self.row = []
            for _ in range(self.random.choice([20, 120])):
                self.act(kinds)
        while len(self.threads) > 1:
            self.end_thread()
        self.give_up_all()
        for lock in self.live + row:
            self.destroy(lock)

    def make(self, kinds):
        if self.free_numbers and not self.row_is_made():
            number = self.free_numbers.pop()
        else:
            number, self.most = self.most, self.most + 1
        lock = Lock(number, self.random.choice(kinds))
        self.locks[number] = lock
        self.write(f"i {number} {lock.kind}")
        return lock

    def row_is_made(self):
        return len(getattr(self, "live", [])) > 0 and not self.small

    def destroy(self, lock):
        self.graph.remove(lock)
        del self.locks[lock.number]
        self.free_numbers.append(lock.number)
        self.write(f"{self.random.choice('df')} {lock.number}")

    def act(self, kinds):
        thread = self.threads[-1]
        roll = self.random.random()
        if roll < 0.06 and len(self.threads) < 4:
            self.write("{")
            self.threads.append(Thread(self.made))
            self.made += 1
        elif roll < 0.12 and len(self.threads) > 1:
            self.end_thread()
        elif roll < 0.12 + self.ends:
            lock = self.random.choice(self.live)
            if not any(other.hold(lock) for other in self.threads):
                self.destroy(lock)
                self.live[self.live.index(lock)] = self.make(kinds)
        elif thread.holds and self.chance(len(thread.holds) / (self.deep + 1)):
            self.give_up(thread, self.random.choice(thread.holds) if self.chance(0.4) else thread.holds[-1])
        else:
            self.take(thread, self.random.choice(self.row if 0 < len(self.row) < GROWS and self.chance(0.1) else self.live))

    def end_thread(self):
        self.give_up_all()
        self.threads.pop()
        self.write("}")

    def give_up_all(self):
        thread = self.threads[-1]
        while thread.holds:
            self.give_up(thread, self.random.choice(thread.holds))

    def give_up(self, thread, hold):
        self.write(f"u {hold.lock.number}")
        hold.depth -= 1
        if not hold.depth:
            thread.holds.remove(hold)

    def go_through_row(self):
        """Takes them all, each while it holds those before."""
        thread = self.threads[-1]
        row = [lock for lock in self.row if not any(other.hold(lock) for other in self.threads)]
        first = row[0].number
        row = [lock for at, lock in enumerate(row) if lock.number == first + at]
        site = self.random.randrange(SITES)
        step = self.write(f"L {first} {first + len(row)} {site}")
        for lock in row:
            self.wants(thread, lock, True, site, step)
            thread.holds.append(Hold(lock, True, site))
        for _ in range(self.random.choice([0, 40]) if len(row) < GROWS // 2 else 0):  # with many held, some given up in between
            if thread.holds and self.chance(0.5):
                self.give_up(thread, self.random.choice(thread.holds))
            else:
                self.take(thread, self.random.choice(self.row + self.live))

    # ---- taking

    def take(self, thread, lock):
        kind, site = lock.kind, self.random.randrange(SITES)
        hold = thread.hold(lock)
        others = [other.hold(lock) for other in self.threads if other is not thread and other.hold(lock)]
        how = "l"
        if hold and kind in "msrec" and kind != "c" and hold.depth == 1 and self.chance(0.5):
            self.wait(thread, hold, site)
            return
        if kind == "w" and self.chance(0.5):
            how = "R"
        if self.chance(self.tries):
            how = {"l": "yt", "R": "YT"}[how][self.random.randrange(1 if kind == "p" else 2)]
        writer = BY_WRITER[how]
        is_free = not others or (not writer and not any(other.to_write for other in others))
        if hold:
            again = kind == "r" or (kind == "w" and not writer and not hold.to_write)
            if not again:
                if how in "yY":
                    self.write(f"{how} {lock.number} {site}")  # it fails
                return
            self.write(f"{how} {lock.number} {site}")
            hold.depth += 1
            for holds in [hold, *others]:
                holds.sites.add(site)
            return
        if not is_free:
            if how in "yY":
                self.write(f"{how} {lock.number} {site}")
            return
        step = self.write(f"{how} {lock.number} {site}")
        if how in WAITING:
            self.wants(thread, lock, writer, site, step)
        for other in others:  # of a lock that several have taken for reading the report shows where the last one did
            other.sites.add(site)
        thread.holds.append(Hold(lock, writer, site))

    def wait(self, thread, hold, site):
        """For a condition: its mutex is given up, and taken again."""
        step = self.write(f"v {hold.lock.number} {site}")
        thread.holds.remove(hold)
        self.wants(thread, hold.lock, True, site, step)
        thread.holds.append(Hold(hold.lock, True, site))

    def wants(self, thread, lock, writer, site, step):
        for hold in thread.holds[-COMPARED:]:
            edge = Edge(len(self.graph.edges), hold.lock, lock, hold.to_write, writer, thread.number, site, set(hold.sites))
            if edge.key in self.graph.edges:
                continue
            self.graph.add(edge)
            length = self.graph.shortest(edge, self.small)
            if length:
                self.expected.setdefault(step, []).append((edge, length))
                self.graph_at.setdefault(step, []).append(self.snapshot() if self.small else None)

    def snapshot(self):
        """{(held, wanted): [(thread, site, sites of the hold, held to write, wanted to write)]}, by the numbers of locks."""
        found = {}
        for edge in self.graph.edges.values():
            found.setdefault((edge.source.number, edge.target.number), []).append((edge.thread, edge.site, edge.held_sites, edge.held_to_write, edge.wanted_to_write))
        return found

    def text(self):
        return "\n".join(self.lines) + "\n"
