# SPDX-License-Identifier: Apache-2.0
"""A program that grows step by step: the C of its threads, handlers and variables, and beside it the order (model.py) from which its races follow. A step of a
thread is one or more lines of C that run when it is that step's turn; what kinds of steps there are is in threads.py, signals.py, processes.py and memory.py."""

import random

from model import Order

MAIN = 0
KINDS = ["global", "global", "heap", "heap", "byte", "byte", "map", "shared", "stack"]
READS_AND_WRITES = ["read", "write", "write", "atomic_read", "atomic_write", "copy", "fill"]
AT_MOST = [2, 3, 4, 6]  # accesses of one variable; then another one takes its place


class Variable:
    def __init__(self, number, kind, at_most):
        self.number, self.kind, self.at_most = number, kind, at_most
        self.functions = set()  # the kinds of access that the program has a function for
        self.uses = 0
        self.ended = False  # is not to be accessed any more


class Thread:
    """made_by: pthread_create ("posix"), thrd_create ("c11"), libc, for a notification; or a fiber, which runs on others."""

    def __init__(self, number, made_by):
        self.number, self.made_by = number, made_by
        self.lines = []
        self.blocked = False  # waits in a call for what another thread will do
        self.stack_variables = []


class Program:
    def __init__(self, seed, threads, variables):
        self.random = random.Random(seed)
        self.order = Order()
        self.now, self.counter = 0, 0
        self.declarations, self.functions, self.begin = [], [], []  # before the functions of accesses; after them; what main does first
        self.handlers, self.story = [], []
        self.variables, self.threads = [], []
        self.objects = {}  # what kinds of steps remember of the program
        for number in range(threads):
            self.add_thread(None if number == MAIN else MAIN, "posix" if number == MAIN else self.random.choice(["posix", "posix", "c11"]))
        self.first = list(self.threads)  # those that live from the beginning to the end
        self.alive = list(self.threads)
        for _ in range(variables):
            self.add_variable(self.random.choice(KINDS))
        for thread in self.first[1:]:
            self.step(thread, f"hidden_pointer(&threads[{thread.number}], (void *)pthread_self());")

    def chooses(self, first, second, one):
        """May steps of the kind `one` be in this program? Of two kinds that do not go together only that which comes first is."""
        return self.objects.setdefault(f"{first} or {second}", one) == one

    def chance(self, probability):
        return self.random.random() < probability

    def unique(self):
        """A number for the names of one step's objects."""
        self.counter += 1
        return self.counter

    # ---- threads and steps

    def add_thread(self, parent, made_by):
        thread = Thread(len(self.threads), made_by)
        self.threads.append(thread)
        self.order.start(thread.number, parent)
        return thread

    def ready(self):
        return [thread for thread in self.alive if not thread.blocked]

    def some_thread(self):
        return self.random.choice(self.ready())

    def two_threads(self, among=None):
        """Two threads, of which the second is one of `among`, so that a third one remains; or None."""
        ready = self.ready()
        second = [thread for thread in ready if among is None or thread in among]
        if len(ready) < 3 or not second:
            return None
        chosen = self.random.choice(second)
        return self.random.choice([thread for thread in ready if thread is not chosen]), chosen

    def tell(self, thread, code):
        self.story.append((self.now, thread.number, code))
        self.now += 1

    def turn(self, code):
        """C that runs when it is the turn of this step, and lets the next one follow."""
        return f"turn_wait({self.now}); {code} turn_pass();"

    def step(self, thread, code):
        thread.lines.append(self.turn(code))
        self.tell(thread, code)

    def blocking_step(self, thread, code):
        """The next step follows before the code, which waits for it or a later one."""
        thread.lines.append(f"turn_wait({self.now}); turn_pass(); {code}")
        thread.blocked = True
        self.tell(thread, "waits in: " + code)

    def elsewhere(self, thread, code):
        """A step of a thread whose code stands in a function that something calls; returns what belongs there."""
        text = self.turn(code)
        self.tell(thread, "elsewhere: " + code)
        return text

    def others(self):
        """Up to two accesses by whoever is ready."""
        for _ in range(self.random.randint(0, 2)):
            thread = self.some_thread()
            self.step(thread, self.access(thread))

    # ---- variables and accesses

    def add_variable(self, kind):
        number = len(self.variables)
        variable = Variable(number, kind, self.random.choice(AT_MOST))
        self.variables.append(variable)
        self.order.accesses[number] = []
        make = {"heap": f"malloc({self.random.choice([4, 8, 24, 40, 100])})", "map": "new_page(MAP_PRIVATE)", "shared": "new_page(MAP_SHARED)"}
        if kind == "global":
            self.declarations.append(f"static int global{number};")
            self.points_to(variable, f"&global{number}")
        elif kind == "byte":
            self.declarations.append(f"_Alignas(16) static char bytes{number}[16];")
            self.points_to(variable, f"&bytes{number}[{self.random.randrange(16)}]")
        elif kind == "stack":
            self.begin.append(f"int local{number} = 0;")
            self.points_to(variable, f"&local{number}")
        elif kind in make:
            self.points_to(variable, make[kind])
        return variable

    def points_to(self, variable, place):
        self.begin.append(self.pointing(variable, place))

    @staticmethod
    def pointing(variable, place):
        return f"hidden_pointer(&variables[{variable.number}], {place});"

    @staticmethod
    def pointer(variable):
        return f"pointer_of(&variables[{variable.number}])"

    def usable(self, *kinds):
        return [v for v in self.variables if not v.ended and (not kinds or v.kind in kinds)]

    def some_variable(self, thread):
        """Any; or rather one that would race if this thread had not come after another one just before: so each order counts."""
        depends = [v for v in self.usable() if self.order.depends(thread.number, v.number)]
        return self.random.choice(depends if depends and self.chance(0.7) else self.usable())

    def access(self, thread, variable=None, kind=None):
        """The call of a function that accesses a variable. It is to stand in the program where it stands in the order."""
        variable = variable or self.some_variable(thread)
        kind = kind or self.random.choice(READS_AND_WRITES[:2] if variable.kind == "byte" else READS_AND_WRITES)
        if thread.made_by == "libc" and kind in ("copy", "fill"):
            kind = "read" if kind == "copy" else "write"
        writes = kind in ("write", "atomic_write", "fill", "give_up")
        self.order.access(thread.number, variable.number, writes, kind.startswith("atomic"), self.now)
        variable.functions.add(kind)
        variable.uses += 1
        if variable.uses >= variable.at_most:
            variable.ended = True
        while len(self.usable()) < 4:
            self.add_variable(self.random.choice(KINDS))
        return f"v{variable.number}_{kind}();"

    def sometimes(self, thread, probability=0.7):
        return self.access(thread) if self.chance(probability) else ""

    # ---- the text

    def access_functions(self):
        """One function for each kind of access of each variable, so that a report names them."""
        for variable in self.variables:
            place = self.pointer(variable)
            value = f"*({'char' if variable.kind == 'byte' else 'int'} *){place}"
            bodies = {"read": f"USE({value});", "write": f"{value} = 1;",
                      "atomic_read": f"(void)__atomic_load_n(&{value}, __ATOMIC_RELAXED);", "atomic_write": f"__atomic_store_n(&{value}, 3, __ATOMIC_RELAXED);",
                      "copy": f"int copy; memcpy(&copy, {place}, UNKNOWN(4)); USE(copy);", "fill": f"memset({place}, 1, UNKNOWN(4));",
                      "give_up": f"free({place});"}
            for kind in sorted(variable.functions):
                yield f"NOINLINE static void v{variable.number}_{kind}(void) {{ {bodies[kind]} }}"

    def body(self, thread):
        lines = list(thread.lines)
        if thread in self.first:
            lines.append(f"turn_wait({self.now});")
        text = "\n    ".join(lines)
        if thread.made_by == "fiber":
            return f"static void body{thread.number}(void) {{\n    {text}\n    hidden_forever();\n}}"
        return f"static void *body{thread.number}(void *argument) {{\n    int local = 0;\n    {text}\n    USE(&local);\n    return NULL;\n}}"

    def text(self):
        started = [thread for thread in self.threads if thread.number != MAIN and thread.made_by != "libc"]
        out = ['#include "tests/mixed/mixed.h"', *self.declarations, *self.access_functions()]
        out += [f"static void *body{thread.number}(void *);" for thread in started if thread.made_by != "fiber"]
        out += self.functions
        cases = " ".join(f"case {number}: {{ {code} }} break;" for number, code in enumerate(self.handlers))
        out.append(f"static void handle(long which) {{ switch (which) {{ {cases} }} }}")
        out += [self.body(thread) for thread in started]
        out.append("int main(void) {\n    begin();\n    " + "\n    ".join(self.begin))
        for thread in self.first[1:]:
            out.append("    " + self.creation(thread))
        out.append("    " + "\n    ".join(self.first[MAIN].lines))
        for thread in self.first[1:]:
            out.append("    " + self.joining(thread))
        out.append('    fprintf(stderr, "END\\n");\n    exit(0);\n}')
        return "\n".join(out) + "\n"

    def creation(self, thread, attributes="NULL"):
        n = thread.number
        if thread.made_by == "c11":
            return f"{{ thrd_t new; MUST(thrd_create(&new, (thrd_start_t)(void *)body{n}, NULL) == thrd_success); hidden_pointer(&threads[{n}], (void *)new); }}"
        return f"{{ pthread_t new; MUST(!pthread_create(&new, {attributes}, body{n}, NULL)); hidden_pointer(&threads[{n}], (void *)new); }}"

    def joining(self, thread):
        who = f"THREAD_OF({thread.number})"
        return f"MUST(thrd_join({who}, NULL) == thrd_success);" if thread.made_by == "c11" else f"MUST(!pthread_join({who}, NULL));"
