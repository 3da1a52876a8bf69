# SPDX-License-Identifier: Apache-2.0
"""Random scenarios for Go: goroutines that take turns, in one order, at operations of channels, sync and sync/atomic, and at accesses to variables. Who comes
after whom is known from two vector clocks per goroutine: `least`, what Go's memory model orders, and `most`, what sync and the runtime tell a race detector, which
is a little more (each operation of a sync.Mutex is an acquire and a release, for instance). A pair of accesses that `most` does not order has to be reported,
and one that `least` orders must not be."""

import random

WRITES = {"write", "atomic write"}


class Clock:
    """least and most: {worker: how far}."""

    def __init__(self, least=None, most=None):
        self.least, self.most = dict(least or {}), dict(most or {})

    def copy(self):
        return Clock(self.least, self.most)

    def join(self, other, least=True):
        for mine, its in ((self.least, other.least), (self.most, other.most)) if least else ((self.most, other.most),):
            for worker, far in its.items():
                mine[worker] = max(mine.get(worker, 0), far)


class Access:
    def __init__(self, scenario, step, worker, clock, kind):
        self.scenario, self.step, self.worker, self.kind, self.line = scenario, step, worker, kind, None
        self.far = clock.least[worker]
        self.least, self.most = dict(clock.least), dict(clock.most)

    def after(self, earlier, which):
        return self.worker == earlier.worker or getattr(self, which).get(earlier.worker, 0) >= earlier.far


class Object:
    """A thing that orders: its name, its kind, and what the simulation knows of it."""

    def __init__(self, kind, name):
        self.kind, self.name = kind, name
        self.clock, self.other = Clock(), Clock()
        self.holder, self.readers, self.waiting = None, set(), []
        self.count, self.closed, self.done = 0, False, False
        self.capacity, self.size, self.slots, self.queue, self.received = 0, 8, [], [], 0
        self.keys = {}
        self.uses = []  # accesses to itself that a detector is told: sends and closes of a channel


class Scenario:
    def __init__(self, number, seed):
        self.rng = random.Random(seed)
        self.number = number
        self.code, self.clocks, self.blocked = [[]], [Clock({0: 1}, {0: 1})], [False]
        self.step, self.points, self.objects, self.accesses = 0, [], [], []
        self.variables = []  # [[Access, Access]]
        self.timers = Clock()
        self.declarations = []
        self.make_objects()
        self.simulate()
        self.make_variables()

    # ---- objects ----

    def make_objects(self):
        rng = self.rng
        kinds = ["chan", "chan", "buffer", "buffer", "mutex", "rwmutex", "once", "wait", "atomic32", "atomic64", "value", "cond", "map", "context"]
        for i, kind in enumerate(rng.sample(kinds, rng.randint(1, 4))):
            o = Object(kind, f"o{i}")
            if kind in ("chan", "buffer"):
                element = rng.choice(["int", "byte", "struct{}", "[3]int", "string"])
                o.capacity = rng.randint(1, 3) if kind == "buffer" else 0
                o.size = 0 if element == "struct{}" else 8
                o.slots = [Clock() for _ in range(o.capacity)]
                o.all = Clock()
                o.value = {"int": "7", "byte": "7", "struct{}": "struct{}{}", "[3]int": "[3]int{1}", "string": '"a"'}[element]
                self.declarations.append(f"{o.name} := make(chan {element}, {o.capacity})")
            elif kind == "context":
                self.declarations.append(f"{o.name}, {o.name}Cancel := context.WithCancel(context.Background())")
            elif kind == "cond":
                self.declarations.append(f"{o.name}Mutex := new(sync.Mutex)")
                self.declarations.append(f"{o.name} := sync.NewCond({o.name}Mutex)")
            else:
                types = {"mutex": "sync.Mutex", "rwmutex": "sync.RWMutex", "once": "sync.Once", "wait": "sync.WaitGroup", "atomic32": "int32", "atomic64": "int64",
                         "value": "atomic.Value", "map": "sync.Map"}
                self.declarations.append(f"{o.name} := new({types[kind]})")
            self.objects.append(o)

    # ---- steps ----

    def say(self, w, text):
        self.code[w].append(text)

    def turn(self, w):
        self.say(w, f"at({self.step})")
        self.step += 1

    def advance(self, w):
        """A new part of the worker's life, after something that others may come after."""
        c = self.clocks[w]
        c.least[w] += 1
        c.most[w] = c.least[w]

    def atom(self, w, *texts):
        """A step that does not block."""
        self.turn(w)
        for text in texts:
            self.say(w, text)
        self.say(w, "next()")
        self.advance(w)

    def begins(self, w, text):
        """A step that blocks: others go on once it does (park()), until ends(), called in the step that ends it or after it."""
        self.turn(w)
        self.say(w, "park()")
        self.say(w, text)
        self.blocked[w] = True

    def ends(self, w):
        self.turn(w)
        self.say(w, "next()")
        self.blocked[w] = False
        self.advance(w)

    def point(self, w):
        self.turn(w)
        self.points.append((w, len(self.code[w]), self.clocks[w].copy(), self.step))
        self.say(w, None)  # make_variables()
        self.say(w, "next()")

    def use(self, o, w, kind, text):
        a = Access(self.number, self.step, w, self.clocks[w], kind)
        o.uses.append(a)
        return (text, a)

    def simulate(self):
        rng = self.rng
        for _ in range(rng.randint(2, 4)):
            self.spawn(0)
        for _ in range(rng.randint(20, 80)):
            w = rng.choice([w for w in range(len(self.code)) if not self.blocked[w]])
            if rng.random() < 0.3:
                self.point(w)
            elif rng.random() < 0.06 and len(self.code) < 8:
                self.spawn(w)
            else:
                o = rng.choice(self.objects)
                getattr(self, "do_" + o.kind.rstrip("0123456789"))(w, o)
        for w in range(len(self.code)):
            if not self.blocked[w]:
                self.point(w)

    def spawn(self, w):
        new = len(self.code)
        self.code.append([])
        self.blocked.append(False)
        clock = self.clocks[w].copy()
        timer = self.rng.random() < 0.1
        if timer:
            self.timers.join(clock)
            clock.join(self.timers, least=False)
        clock.least[new] = clock.most[new] = 1
        self.clocks.append(clock)
        self.atom(w, f"time.AfterFunc(0, w{new})" if timer else f"go w{new}()")

    # ---- channels ----

    def slot_swap(self, w, o, slot):
        """releaseacquire of a slot: comes after who had it, and leaves what itself did before."""
        mine = self.clocks[w].copy()
        if o.size == 0:
            self.clocks[w].join(o.slots[slot])
            self.clocks[w].join(o.all, least=False)
            o.all = self.clocks[w].copy()
        else:
            self.clocks[w].join(o.slots[slot])
        o.slots[slot] = mine

    def meet(self, a, b):
        mine = self.clocks[a].copy()
        self.clocks[a].join(self.clocks[b])
        self.clocks[b].join(mine)

    def send_text(self, o):
        if self.rng.random() < 0.2:
            return f"select {{ case {o.name} <- {o.value}: }}" if self.rng.random() < 0.5 else f"select {{ case {o.name} <- {o.value}: case <-never: }}"
        return f"{o.name} <- {o.value}"

    def receive_text(self, o):
        return self.rng.choice([f"<-{o.name}"] * 3 + [f"_, _ = <-{o.name}", f"select {{ case <-{o.name}: case <-never: }}", f"select {{ case _, _ = <-{o.name}: }}"])

    def do_chan(self, w, o):
        rng = self.rng
        if o.closed:
            self.clocks[w].join(o.clock)
            return self.atom(w, self.receive_text(o))
        if rng.random() < 0.1 and not any(kind == "send" for _, kind in o.waiting):
            return self.close(w, o)
        if rng.random() < 0.1 and not o.waiting:
            return self.atom(w, f"select {{ case <-{o.name}: default: }}")
        kind = rng.choice(["send", "receive"])
        if o.waiting and o.waiting[0][1] != kind:
            partner = o.waiting.pop(0)[0]
            self.meet(w, partner)
            text = self.use(o, w, "read", self.send_text(o)) if kind == "send" else self.receive_text(o)
            self.atom(w, text)
            self.ends(partner)
        elif w and len(o.waiting) < 2:
            text = self.use(o, w, "read", self.send_text(o)) if kind == "send" else self.receive_text(o)
            o.waiting.append((w, kind))
            self.begins(w, text)

    def do_buffer(self, w, o):
        rng = self.rng
        if rng.random() < 0.08 and not o.closed and not any(kind == "send" for _, kind in o.waiting):
            return self.close(w, o)
        if rng.random() < 0.5 and not o.closed:
            if len(o.queue) < o.capacity and not o.waiting:
                text = self.use(o, w, "read", self.send_text(o))
                slot = (o.received + len(o.queue)) % o.capacity
                self.slot_swap(w, o, slot)
                o.queue.append(slot)
                return self.atom(w, text)
            if o.waiting and o.waiting[0][1] == "receive":
                text = self.use(o, w, "read", self.send_text(o))
                partner = o.waiting.pop(0)[0]
                slot = o.received % o.capacity
                self.slot_swap(w, o, slot)
                self.slot_swap(partner, o, slot)
                o.received += 1
                self.atom(w, text)
                return self.ends(partner)
            if w and not o.waiting:
                o.waiting.append((w, "send"))
                return self.begins(w, self.use(o, w, "read", self.send_text(o)))
            return None
        if o.queue:
            slot = o.queue.pop(0)
            o.received += 1
            self.slot_swap(w, o, slot)
            self.atom(w, self.receive_text(o))
            if o.waiting:  # a sender
                partner = o.waiting.pop(0)[0]
                self.slot_swap(partner, o, slot)
                o.queue.append(slot)
                self.ends(partner)
        elif o.closed:
            self.clocks[w].join(o.clock)
            if o.size == 0:  # its slots and its end are told by one address
                self.clocks[w].join(o.all, least=False)
            self.atom(w, self.receive_text(o))
        elif w and not o.waiting:
            o.waiting.append((w, "receive"))
            self.begins(w, self.receive_text(o))
        return None

    def close(self, w, o):
        text = self.use(o, w, "write", f"close({o.name})")
        o.closed = True
        o.clock.join(self.clocks[w])
        o.all = self.clocks[w].copy()
        if o.kind == "buffer" and o.size == 0:  # one address: what the senders left there is told no more.  Their sends race with this, or come before it
            o.slots = [Clock() for _ in o.slots]
        self.atom(w, text)
        for partner, _ in o.waiting:
            self.clocks[partner].join(o.clock)
            self.ends(partner)
        o.waiting = []

    # ---- sync ----

    def lock(self, w, o):
        self.clocks[w].join(o.clock)
        self.clocks[w].join(o.other, least=False)
        o.other.join(self.clocks[w])
        o.holder = w

    def unlock(self, w, o):
        self.clocks[w].join(o.other, least=False)
        o.clock = self.clocks[w].copy()
        o.other.join(self.clocks[w])
        o.holder = None

    def do_mutex(self, w, o):
        if o.holder is None:
            self.lock(w, o)
            self.atom(w, self.rng.choice([f"{o.name}.Lock()", f"{o.name}.Lock()", f"taken({o.name}.TryLock())"]))
        elif o.holder == w or self.rng.random() < 0.1:  # anybody may unlock it
            self.unlock(w, o)
            self.atom(w, f"{o.name}.Unlock()")
            if o.waiting:
                partner = o.waiting.pop(0)
                self.lock(partner, o)
                self.ends(partner)
        elif self.rng.random() < 0.2:
            self.clocks[w].join(o.other, least=False)
            o.other.join(self.clocks[w])
            self.atom(w, f"{o.name}.TryLock()")
        elif w and not o.waiting:
            o.other.join(self.clocks[w])
            o.waiting.append(w)
            self.begins(w, f"{o.name}.Lock()")

    def do_rwmutex(self, w, o):
        """clock: of the last Unlock; other: of all RUnlocks."""
        if o.holder == w:
            o.clock = self.clocks[w].copy()
            o.holder = None
            self.atom(w, f"{o.name}.Unlock()")
            for partner in o.waiting:
                self.clocks[partner].join(o.clock)
                o.readers.add(partner)
                self.ends(partner)
            o.waiting = []
        elif w in o.readers:
            o.other.join(self.clocks[w])
            o.readers.remove(w)
            self.atom(w, f"{o.name}.RUnlock()")
        elif o.holder is not None:
            if w:
                o.waiting.append(w)
                self.begins(w, f"{o.name}.RLock()")
        elif o.readers or self.rng.random() < 0.5:
            self.clocks[w].join(o.clock)
            o.readers.add(w)
            self.atom(w, self.rng.choice([f"{o.name}.RLock()", f"{o.name}.RLocker().Lock()", f"taken({o.name}.TryRLock())"]))
        else:
            self.clocks[w].join(o.clock)
            self.clocks[w].join(o.other)
            o.holder = w
            self.atom(w, self.rng.choice([f"{o.name}.Lock()", f"taken({o.name}.TryLock())"]))

    def do_once(self, w, o):
        if not o.done:
            o.done = True
            o.clock = self.clocks[w].copy()
        else:
            self.clocks[w].join(o.clock)
        self.atom(w, f"{o.name}.Do(func() {{}})")

    def do_wait(self, w, o):
        if o.count and self.rng.random() < 0.5:
            o.clock.join(self.clocks[w])
            o.count -= 1
            self.atom(w, f"{o.name}.Done()")
            for partner in o.waiting if o.count == 0 else []:
                self.clocks[partner].join(o.clock)
                self.ends(partner)
            if o.count == 0:
                o.waiting = []
        elif o.count and w and not o.waiting and self.rng.random() < 0.5:
            o.waiting.append(w)
            self.begins(w, self.use(o, w, "write", f"{o.name}.Wait()"))
        elif o.count == 0 and self.rng.random() < 0.5:
            self.clocks[w].join(o.clock, least=o.done)
            self.atom(w, f"{o.name}.Wait()")
        elif not o.waiting:
            n = self.rng.randint(1, 2)
            text = f"{o.name}.Add({n})"
            if o.count == 0:
                text = self.use(o, w, "read", text)
            o.count += n
            self.atom(w, text)

    def do_cond(self, w, o):
        if o.holder is None and len(o.waiting) < 2 and w and self.rng.random() < 0.4:
            self.lock(w, o)
            self.atom(w, f"{o.name}Mutex.Lock()")
            self.unlock(w, o)
            o.waiting.append(w)
            self.begins(w, f"{o.name}.Wait()")
        elif o.holder is None:
            self.lock(w, o)
            self.atom(w, f"{o.name}Mutex.Lock()")
        elif o.holder == w:
            woken = []
            if self.rng.random() < 0.7:
                broadcast = self.rng.random() < 0.5
                woken = o.waiting if broadcast else o.waiting[:1]
                self.atom(w, f"{o.name}.{'Broadcast' if broadcast else 'Signal'}()")
                if len(woken) > 1:  # which one is first is not known
                    woken = None
            if woken is None:
                for partner in o.waiting:  # they lock it one after the other, never to be seen again
                    o.other.join(self.clocks[partner])
                o.waiting, o.holder = [], "gone"
                self.say(w, f"// {o.name} is left alone")
                return
            o.waiting = o.waiting[len(woken):]
            for partner in woken:
                o.other.join(self.clocks[partner])
            self.unlock(w, o)
            self.atom(w, f"{o.name}Mutex.Unlock()")
            for partner in woken:
                self.lock(partner, o)
                self.ends(partner)

    # ---- atomics ----

    def do_atomic(self, w, o):
        bits = 32 if o.kind == "atomic32" else 64
        op = self.rng.choice(["load", "load", "store", "add", "swap", "cas", "failed"])
        if op != "store":
            self.clocks[w].join(o.clock)
        if op not in ("load", "failed"):
            o.clock = self.clocks[w].copy()
        n = o.count
        if op == "store":
            o.count = 1
        elif op == "add":
            o.count += 2
        elif op == "swap":
            o.count = 5
        elif op == "cas":
            o.count = n + 1
        self.atom(w, {"load": f"taken(atomic.LoadInt{bits}({o.name}) == {n})", "store": f"atomic.StoreInt{bits}({o.name}, 1)",
                      "add": f"taken(atomic.AddInt{bits}({o.name}, 2) == {o.count})", "swap": f"taken(atomic.SwapInt{bits}({o.name}, 5) == {n})",
                      "cas": f"taken(atomic.CompareAndSwapInt{bits}({o.name}, {n}, {n + 1}))",
                      "failed": f"taken(!atomic.CompareAndSwapInt{bits}({o.name}, {n + 1}, 0))"}[op])

    def do_value(self, w, o):
        self.clocks[w].join(o.other, least=False)  # who stored first
        if self.rng.random() < 0.5:
            self.clocks[w].join(o.clock)
            return self.atom(w, f"{o.name}.Load()")
        if not o.done:
            o.done = True
            o.other = self.clocks[w].copy()
        o.clock = self.clocks[w].copy()
        return self.atom(w, f"{o.name}.Store(1)")

    def do_map(self, w, o):
        key = self.rng.randint(0, 1)
        self.clocks[w].join(o.other, least=False)
        if self.rng.random() < 0.5:
            o.keys[key] = self.clocks[w].copy()
            self.atom_before(o, w, f"{o.name}.Store({key}, 1)")
        else:
            if key in o.keys:
                self.clocks[w].join(o.keys[key])
            self.atom_before(o, w, f"{o.name}.Load({key})")

    def atom_before(self, o, w, text):
        o.other.join(self.clocks[w])
        self.atom(w, text)

    def do_context(self, w, o):
        self.clocks[w].join(o.other, least=False)
        o.other.join(self.clocks[w])
        if not o.done and self.rng.random() < 0.4:
            o.done = True
            o.clock = self.clocks[w].copy()
            self.atom(w, f"{o.name}Cancel()")
        elif o.done:
            self.clocks[w].join(o.clock)
            self.atom(w, self.rng.choice([f"<-{o.name}.Done()", f"taken({o.name}.Err() != nil)"]))
        else:
            self.atom(w, f"taken({o.name}.Err() == nil)")

    # ---- variables ----

    SHAPES = {  # declaration of all, {kind: texts}; V is the variable, F a field or an element of it
        "int": ("int", {"read": ["use(V)"], "write": ["V = 1", "V++"]}),
        "byte": ("[8]byte", {"read": ["use(int(V[F]))"], "write": ["V[F] = 1"]}),
        "field": ("struct{ a, b byte; c int16; d int32 }", {"read": ["use(int(V.F))"], "write": ["V.F = 1"]}),
        "whole": ("[4]int32", {"read": ["copied = V", "use(int(V[F]))"], "write": ["V = [4]int32{1}", "V[F] = 2"]}),
        "string": ("string", {"read": ["use(len(V))"], "write": ['V = "x"']}),
        "any": ("any", {"read": ["use2(V)"], "write": ["V = 1"]}),
        "slice": ("[]int", {"read": ["use(len(V))"], "write": ["V = nil"]}),
        "map": ("map[int]int", {"read": ["use(V[1])", "use(len(V))"], "write": ["V[1] = 2", "delete(V, 1)"]}),
        "atomic": ("int64", {"read": ["use(int(V))"], "write": ["V = 1"], "atomic read": ["load(&V)"], "atomic write": ["store(&V)", "add(&V)"]}),
        "copy": ("[8]byte", {"read": ["copy(scratch(), V[:])"], "write": ["copy(V[:], scratch())"]}),
    }

    def make_variables(self):
        rng = self.rng
        lines = {}
        pairs = [(a, b) for i, a in enumerate(self.points) for b in self.points[i + 1:] if a[0] != b[0]]
        rng.shuffle(pairs)
        self.shapes = []
        for a, b in pairs[:100]:
            shape = rng.choice(list(self.SHAPES))
            texts = self.SHAPES[shape][1]
            one, two = rng.choice(list(texts)), rng.choice(list(texts))
            if shape == "atomic" and one.startswith("atomic") and two.startswith("atomic"):
                one = "write"  # else it would order
            v = len(self.variables)
            field = {"byte": str(rng.randrange(8)), "field": rng.choice("abcd"), "whole": str(rng.randrange(4))}.get(shape, "")
            place = rng.choice(["global", "heap", "local"])
            name = {"global": f"v{self.number}_{v}", "heap": f"h.v{v}", "local": f"v{v}"}[place]
            self.shapes.append((shape, place))
            accesses = []
            for (w, at, clock, step), kind in ((a, one), (b, two)):
                access = Access(self.number, step, w, clock, kind)
                text = rng.choice(texts[kind])
                accesses.append(access)
                lines.setdefault((w, at), []).append((text.replace("V", name).replace("F", field), access))
            self.variables.append(accesses)
        for (w, at), said in lines.items():
            self.code[w][at] = said

    # ---- text ----

    def text(self, out):
        """Appends lines; each Access gets its number."""
        n = self.number
        heap = [f"v{v} {self.SHAPES[shape][0]}" for v, (shape, place) in enumerate(self.shapes) if place == "heap"]
        for v, (shape, place) in enumerate(self.shapes):
            if place == "global":
                out.append(f"var v{n}_{v} {self.SHAPES[shape][0]}" + (" = map[int]int{1: 1}" if shape == "map" else ""))
        out.append(f"func s{n}() {{")
        out.append("	h := new(struct{ " + "; ".join(heap) + " })" if heap else "	var h int")
        out.append("	use2(h)")
        for v, (shape, place) in enumerate(self.shapes):
            name = f"h.v{v}" if place == "heap" else f"v{v}"
            if place == "local":
                out.append(f"	var {name} {self.SHAPES[shape][0]}; use2(&{name})")
            if shape == "map" and place != "global":
                out.append(f"	{name} = map[int]int{{1: 1}}")
        for line in self.declarations:
            out.append("	" + line)
        for name in [o.name for o in self.objects] + [o.name + "Cancel" for o in self.objects if o.kind == "context"]:
            out.append(f"	use2({name})")
        workers = ", ".join(f"w{w}" for w in range(1, len(self.code)))
        out.append(f"	var {workers} func()")
        for w in list(range(1, len(self.code))) + [0]:
            out.append(f"	w{w} = func() {{" if w else "	{")
            out.append("		var copied [4]int32; use2(copied)")
            for said in self.code[w]:
                for item in said if isinstance(said, list) else [said]:
                    if isinstance(item, tuple):
                        item, access = item
                        access.line = len(out) + 1
                    if item is not None:
                        out.append("		" + item)
            out.append("	}")
        out.append(f"	at({self.step})")
        out.append("}")


HEAD = """// Made by random.py
package main

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

var turn int
var never chan int

//go:norace
//go:noinline
func now() int { return turn }

//go:norace
func at(n int) {
	for i := 0; now() != n; i++ {
		if i > 20000000 {
			hung = true
			panic("hangs")
		}
		if i%64 == 63 {
			time.Sleep(50 * time.Microsecond)
		} else {
			runtime.Gosched()
		}
	}
	for parking != 0 && !blocks() {
		runtime.Gosched()
	}
	parking = 0
	for i := 0; i < MORE; i++ {
		runtime.Gosched()
	}
}

//go:norace
//go:noinline
func next() { turn++ }

// The number of the goroutine that is about to block. The next step waits until it does, however long its thread is kept from running.
var parking int
var stacks [1 << 16]byte

//go:norace
//go:noinline
func park() {
	runtime.Stack(stacks[:], false)
	parking, _ = goroutine(0)
	turn++
}

// The number in "goroutine NUMBER [STATE" at this place of stacks, and where the state is; 0 if something else is there. No
// function of the library: their accesses would be seen.
//
//go:norace
//go:noinline
func goroutine(i int) (int, int) {
	number := 0
	for k := 0; k < 10; k++ {
		if stacks[i+k] != "goroutine "[k] {
			return 0, 0
		}
	}
	for i += 10; stacks[i] >= '0' && stacks[i] <= '9'; i++ {
		number = number*10 + int(stacks[i]-'0')
	}
	return number, i + 2
}

//go:norace
//go:noinline
func blocks() bool {
	n := runtime.Stack(stacks[:], true)
	if n > len(stacks)-100 {
		panic("no room for the stacks")
	}
	for i := 0; i < n; i++ {
		if i == 0 || stacks[i-1] == 10 {
			if number, state := goroutine(i); number == parking {
				return starts(state, "chan ") || starts(state, "select") || starts(state, "sema") || starts(state, "sync.")
			}
		}
	}
	panic("who is about to block is gone")
}

//go:norace
//go:noinline
func starts(i int, text string) bool {
	for k := 0; k < len(text); k++ {
		if stacks[i+k] != text[k] {
			return false
		}
	}
	return true
}

var hung bool

//go:norace
//go:noinline
func use(int) {}

//go:norace
//go:noinline
func use2(any) {}

// The line that calls sync/atomic is not told.
//
//go:noinline
func load(p *int64) { atomic.LoadInt64(p) }

//go:noinline
func store(p *int64) { atomic.StoreInt64(p, 1) }

//go:noinline
func add(p *int64) { atomic.AddInt64(p, 1) }

func scratch() []byte { return make([]byte, 8) }

//go:norace
func taken(is bool) {
	if !is {
		panic("not as it was foreseen")
	}
}

//go:norace
func begin() { turn = 0 }

var _ sync.Mutex
var _ atomic.Value
var _ context.Context
"""


def program(first, count):
    """The text of a program of so many scenarios, and they."""
    more = random.Random(first).choice([0, 0, 1, 3])
    scenarios = [Scenario(n, n) for n in range(first, first + count)]
    out = HEAD.replace("MORE", str(more)).split("\n")
    for s in scenarios:
        s.text(out)
    out.append("func main() {")
    for s in scenarios:
        out.append("	begin()")
        out.append(f"	s{s.number}()")
    out.append('	println("END")')
    out.append("}")
    return "\n".join(out) + "\n", scenarios


def judge(scenarios, reports):
    """reports: [(line, line)], the later access first. What is wrong: [why]."""
    wrong, by_line, seen, raced = [], {}, set(), set()
    groups = [(s, f"v{v}", pair) for s in scenarios for v, pair in enumerate(s.variables)]
    groups += [(s, o.kind + " " + o.name, sorted(o.uses, key=lambda a: a.step)) for s in scenarios for o in s.objects if o.uses]
    for number, (_, _, accesses) in enumerate(groups):
        for a in accesses:
            by_line[a.line] = (number, a)
    for later, earlier in reports:
        if later not in by_line or earlier not in by_line or by_line[later][0] != by_line[earlier][0]:
            wrong.append(f"other: lines {later} and {earlier}")
            continue
        number, b = by_line[later]
        a = by_line[earlier][1]
        seen.add((number, b.line))
        raced.add((number, b.line, a.worker))
        if a.step > b.step or not conflict(a, b):
            wrong.append(f"other: s{groups[number][0].number} {groups[number][1]} lines {later} {earlier}")
        elif b.after(a, "least"):
            wrong.append(f"false: s{groups[number][0].number} {groups[number][1]} lines {later} {earlier}")
    for number, (s, name, accesses) in enumerate(groups):
        for i, b in enumerate(accesses):
            # One pair of a racing access is told, and what a goroutine does before it synchronizes races with an earlier access once.
            told = any(c.worker == b.worker and (number, c.line, d.worker) in raced for c in accesses[:i] for d in accesses[:i] if conflict(c, d))
            before = []
            for a in reversed(accesses[:i]):
                before.append(a)
                if a.kind in WRITES:
                    break
            # What a goroutine does again to a word may be taken for what it did before, with which the other's access has raced.
            missed = [a for a in before if conflict(a, b) and not b.after(a, "most") and (number, a.line, b.worker) not in raced]
            if missed and not told and (number, b.line) not in seen:
                wrong.append(f"missed: s{s.number} {name} lines {b.line} {[a.line for a in missed]}")
    return wrong


def conflict(a, b):
    atomic = a.kind.startswith("atomic") and b.kind.startswith("atomic")
    return a.worker != b.worker and not atomic and (a.kind in WRITES or b.kind in WRITES)
