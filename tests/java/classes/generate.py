#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One scenario: a Java class S<seed> and the classes that its threads initialize and use. Run as a program it prints the source of the given seed, with --races what
races."""

import random
import sys

import uses
from model import MAY, SURE, needed
from world import BROKEN, RUNNING, Class, World

STEPS = [25, 40, 60, 80]


class Variable:
    """kind: static (a field of Data), field, element; own (a static field of the class `one`), object (a field of what its initializer makes)."""

    def __init__(self, scenario, number, kind, type_name, one, at_most):
        self.scenario, self.number, self.kind, self.type, self.one, self.at_most = scenario.name, number, kind, type_name, one, at_most
        self.reserved = None  # a thread that accesses it at a time that is not known
        self.is_made = False  # an object that others can reach
        self.constructor = None  # the access by the constructor

    def __str__(self):
        return f"v{self.number}"

    def place(self, through=None):
        """The Java expression, by the name of the class `through`, which inherits it."""
        owner = (through or self.one).name if self.one else self.scenario + ".Data"
        end = {"static": "", "own": "", "field": ".x", "object": ".x", "element": f"[{self.number % 3}]"}[self.kind]
        return f"{owner}.v{self.number}{end}"

    def hidden(self):
        return f"(({self.scenario}.X{self.number}) hidden({self.number})).x"

    def made(self, world, thread):
        self.constructor = world.order.access(thread.number, self, True, world.now - 1)
        self.is_made = True
        self.reserved = thread if thread.floats else None


class Scenario(World):
    def __init__(self, seed):
        super().__init__()
        self.seed, self.name = seed, f"S{seed}"
        self.random = random.Random(seed)
        self.variables, self.helpers, self.prepared = [], [], {}
        self.counter = 0
        self.fresh = []  # accesses that the thread of the last step has just come after
        self.wanted = [use for use in uses.ALL if use.is_common or self.random.random() < 0.5]
        for _ in range(self.random.randint(3, 8)):
            self.add_class()
        for _ in range(self.random.randint(6, 14)):
            self.add_variable(self.random.choice(["static", "static", "field", "element"]), None)
        for _ in range(self.random.randint(2, 4)):
            self.add_thread(None)
        self.first = len(self.threads)
        self.fails = self.random.choice([0, 0, 0, 0.3])
        self.waits = self.random.choice([0.1, 0.5])
        self.grow()

    def chance(self, probability):
        return self.random.random() < probability

    # ---- what there is

    def add_class(self):
        number = len(self.classes)
        kind = self.random.choice(["class"] * 5 + ["interface", "interface", "enum", "record", "exception"])
        nested = self.chance(0.6)
        name = self.name + ("." if nested else "_") + f"C{number}" + ("Exception" if kind == "exception" else "")
        above, interfaces = None, []
        if kind in ("class", "exception") and self.chance(0.7):
            candidates = [one for one in self.classes if one.kind == kind]
            above = self.random.choice(candidates) if candidates else None
        for one in self.classes:
            if one.kind == "interface" and self.chance(0.4):
                interfaces.append(one)
        one = Class(number, kind, name, nested, kind == "enum" or self.chance(0.7), above, interfaces)
        one.has_default = kind == "interface" and self.chance(0.7)
        one.is_serial = kind == "class" and self.chance(0.3)
        one.bodies = kind == "enum" and self.chance(0.3)
        self.classes.append(one)
        if kind != "interface":
            self.add_variable("own", one)
        if one.initializer and self.chance(0.6):
            one.object = self.add_variable("object", one)

    def add_variable(self, kind, one):
        type_name = self.random.choice(["int", "int", "long", "double", "byte", "Object"])
        variable = Variable(self, len(self.variables), kind, type_name, one, self.random.choice([1, 2, 3, 4, 6]))
        self.variables.append(variable)
        return variable

    def unique(self):
        self.counter += 1
        return self.counter

    def prepare(self, declaration, code):
        """A static field of S<seed> that is set before the threads start; returns its name."""
        if declaration not in self.prepared:
            self.prepared[declaration] = (f"p{len(self.prepared)}", code)
        return self.prepared[declaration][0]

    # ---- what happens

    def grow(self):
        budget = self.random.choice(STEPS)
        while True:
            ready = [thread for thread in self.threads if not thread.waits_for]
            ending = self.now >= budget
            if ending:
                ready = [thread for thread in ready if len(thread.frames) > 1]
                if not ready:
                    break
            thread = self.random.choice(ready)
            if len(thread.frames) > 1 and (ending or self.chance(0.2)):
                self.end_frame(thread, not self.chance(self.fails))
            elif ending or not self.act(thread):
                continue
            while self.fresh and not thread.waits_for and self.chance(0.7):
                self.fresh = [old for old in self.fresh if old.variable in self.reachable(thread)]
                if not self.fresh or not self.access(thread, self.random.choice(self.fresh).variable):
                    break
                self.fresh = self.fresh[:-1]
            self.fresh = []

    def act(self, thread):
        roll = self.random.random()
        if roll < 0.45:
            reachable = self.reachable(thread)
            return bool(reachable) and self.access(thread, self.random.choice(reachable))
        if roll < 0.48 and len(self.threads) < 7:
            return self.start_thread(thread)
        return self.use_some(thread)

    def start_thread(self, thread):
        child = self.add_thread(thread)
        one = thread.inside[-1] if thread.inside else None
        self.order.noise(thread.number)
        lambdas = one and one.kind != "interface" and thread.frames[-1][0] is one.code and self.chance(0.4)
        if lambdas:  # its code is a static method of the class that is being initialized: the thread's first act is to wait for that
            self.step(thread, f"start(new Thread(() -> {self.name}.thread{child.number}()));")
            child.last = thread.last  # blocks at once, in no step of its own
            child.floats = True
            child.waits_for = one
            one.waiters.append((child, lambda: self.use(child, one, lambda succeeded: self.gone(child, succeeded))))
        else:
            self.step(thread, f"start(new Thread(new {self.name}.R{child.number}()));")
        return True

    def gone(self, child, succeeded):
        """A thread whose method is one of a class that cannot be used ends at once."""
        if not succeeded:
            child.waits_for = "its end"

    def use_some(self, thread):
        one = self.random.choice(self.classes)
        use = self.random.choice(self.wanted)
        if not use.fits(self, one, thread):
            return False
        if use.initializes and not self.may_use(one, thread, self.chance(self.waits)):
            return False
        through = None
        if use.inherits:
            below = [other for other in self.classes if other.is_below(one) or one in other.interfaces]
            if not below:
                return False
            through = self.random.choice(below)
        self.at(thread, use, use.code(self, one, through), one, None)
        return True

    def at(self, thread, use, text, one, access):
        """A step with a use of the class; access: (variable, write) that follows it, in the same line."""
        number = thread.number
        step = self.step(thread, text)
        if use.is_helped:
            step.helper = [step.text]
        if use.is_noisy:
            self.order.noise(number)
        if not use.initializes:  # what would be ordered, if it were a use that initializes
            end = self.order.channels[SURE].get(one, {})
            self.fresh = [old for old in self.all_accesses()
                          if old.thread != number and not self.order.is_before(old, number, MAY) and old.times[SURE] <= end.get(old.thread, 0)]
            return
        before = [dict(clocks[number]) for clocks in self.order.clocks]

        def after(succeeded):
            if use.is_noisy or not succeeded:
                self.order.noise(number)
            above = one.above if use.constructs and succeeded else None
            while above:  # the agent takes the superclass's constructor for a use of that class, which matters where the subclass was initialized before it
                self.order.acquire(number, above, (MAY,))
                above = above.above
            if not succeeded:
                step.refused = True
            elif access:
                self.touch(thread, step, *access)
            if not thread.waits_for:
                self.fresh = [old for old in self.all_accesses() if old.thread != number and old.times[SURE] > before[SURE].get(old.thread, 0) and
                              self.order.is_before(old, number, SURE)]

        self.use(thread, one, after)

    def all_accesses(self):
        return [access for accesses in self.order.accesses.values() for access in accesses]

    def touch(self, thread, step, variable, write):
        step.access = self.order.access(thread.number, variable, write, step.number)
        variable.reserved = thread if thread.floats else None

    # ---- accesses

    def reachable(self, thread):
        found = []
        for variable in self.variables:
            one = variable.one
            if variable.reserved not in (None, thread) and variable.reserved.floats:
                continue
            if len(self.order.accesses.get(variable, [])) >= variable.at_most + (variable.kind == "object"):
                continue
            if variable.kind == "object" and one.state == RUNNING and not variable.is_made:
                continue  # its class waits for its superclass
            if one and (one.state == BROKEN or not self.may_use(one, thread, False)) and not (variable.kind == "object" and variable.is_made):
                continue
            found.append(variable)
        return found

    def access(self, thread, variable):
        write, one = self.chance(0.5), variable.one
        by_hidden = variable.kind == "object" and variable.is_made and (one.state == BROKEN or not self.may_use(one, thread, False) or self.chance(0.5))
        if one is None or by_hidden:
            place = variable.hidden() if by_hidden else variable.place()
            if one is None and not write and self.chance(0.2) and variable.type != "Object":
                made = [other for other in self.classes if other.kind == "class" and other.state != BROKEN and self.may_use(other, thread, False)]
                if made:  # `new` uses the class before it computes the arguments
                    other = self.random.choice(made)
                    self.at(thread, uses.NEW, f"use(new {other.name}({self.cast(variable)}{place}));", other, (variable, False))
                    return True
            step = self.step(thread, self.read_or_write(variable, place, write))
            self.touch(thread, step, variable, write)
            return True
        if variable.kind == "object" and one.state == RUNNING and one.by is not thread:
            return False
        how = uses.ACCESS
        through = None
        if variable.kind == "own":
            how = self.random.choice([use for use in uses.ACCESSES if use.is_common or use in self.wanted])
            below = [other for other in self.classes if other.is_below(one)]
            if below and self.chance(0.3):
                through = self.random.choice(below)
        self.at(thread, how, how.access(self, variable, write, through), one, (variable, write))
        return True

    @staticmethod
    def cast(variable):
        return "" if variable.type == "int" else "(int) "

    def value(self, variable):
        if variable.type == "Object":
            return '"text"'
        return ("(byte) " if variable.type == "byte" else "") + str(self.random.randint(1, 100))

    def read_or_write(self, variable, place, write):
        return f"{place} = {self.value(variable)};" if write else f"use({place});"

    # ---- Java

    def text(self):
        lines = []
        self.helpers = []

        def out(text):
            lines.append(text)
            return len(lines)

        out("import static goldilocks.test.Hidden.*;")
        out("import static goldilocks.test.Order.await;")
        out("import static goldilocks.test.Order.begin;")
        out("import static goldilocks.test.Order.pass;")
        out("import static goldilocks.test.Order.use;")
        out('@SuppressWarnings("all")')
        out(f"public final class {self.name} {{")
        out("    static class Data {")
        for v in self.variables:
            if v.kind == "static":
                out(f"        static {v.type} v{v.number};")
            elif v.kind == "field":
                out(f"        static final X{v.number} v{v.number} = new X{v.number}();")
            elif v.kind == "element":
                out(f"        static final {v.type}[] v{v.number} = new {v.type}[3];")
        out("        static int any;")
        out("    }")
        for v in self.variables:
            if v.kind in ("field", "object"):
                out(f"    static class X{v.number} {{")
                out(f"        {v.type} x;")
                if v.kind == "object":
                    out(f"        X{v.number}() {{")
                    line = out(f"            x = {self.value(v)};")
                    if v.constructor:
                        v.constructor.line = line
                    out("        }")
                    out(f"        X{v.number}(int none) {{}}")
                out("    }")
        for one in self.classes:
            if one.is_nested:
                self.class_text(one, out, "    ")
        for thread in self.threads:
            out(f"    static final class R{thread.number} implements Runnable {{")
            out("        public void run() {")
            out(f"            thread{thread.number}();")
            out("        }")
            out("    }")
            out(f"    static void thread{thread.number}() {{")
            self.code_text(thread.code, out, "        ")
            out(f"        {'pass(); ' if thread.owes else ''}await({self.now});")
            out("    }")
        for one in self.classes:
            if one.kind == "interface" and one.initializer:
                out(f"    static Object initializes{one.number}() {{")
                self.code_text(one.code, out, "        ")
                out('        return "";')
                out("    }")
        for declaration, (name, _) in self.prepared.items():
            out(f"    static {declaration.split('|')[0]} {name};")
        out("    public static void run() throws Throwable {")
        names = [one.binary_name for one in self.classes] + [f"{self.name}$X{v.number}" for v in self.variables if v.kind in ("field", "object")]
        names += [f"{self.name}$R{thread.number}" for thread in self.threads] + [f"{self.name}$Data"]
        out("        load(" + ", ".join(f'"{name}"' for name in names) + ");")
        out("        use(Data.any);")
        out(f"        {self.name}_Helpers.none();")
        for v in self.variables:
            if v.kind == "object":
                out(f"        use(new X{v.number}(0));")
        for _, (name, code) in self.prepared.items():
            out(f"        {name} = {code};")
        for thread in self.threads[:self.first]:
            out(f"        Thread t{thread.number} = new Thread(new R{thread.number}());")
        out("        begin();")
        for thread in self.threads[:self.first]:
            out(f"        start(t{thread.number});")
        out("        joinAll();")
        out("    }")
        out("}")
        for one in self.classes:
            if not one.is_nested:
                self.class_text(one, out, "")
        self.helpers_text(out)
        return "\n".join(lines) + "\n"

    def helpers_text(self, out):
        out(f"final class {self.name}_Helpers {{")
        out("    static void none() {}")
        for number, step in enumerate(self.helpers):
            out(f"    static void helper{number}() {{")
            out("        try {")
            line = out("            " + step.text)
            if step.access:
                step.access.line = line
            out("        } catch (Throwable e) {")
            out("            throw sneaky(e);")
            out("        }")
            out("    }")
        out("}")

    def code_text(self, code, out, indent):
        for step in code:
            text = step.text
            if step.helper:
                text = f"{self.name}_Helpers.helper{len(self.helpers)}();"
                self.helpers.append(step)
            if step.refused:
                text = f"try {{ {text} fail(new AssertionError(\"step {step.number}\")); }} catch (Throwable e) {{ refused(e); }}"
            line = out(f"{indent}{'pass(); ' if step.passes_before else ''}await({step.number}); {'pass(); ' if step.early else ''}{text}")
            if step.access and not step.helper:
                step.access.line = line

    def class_text(self, one, out, indent):
        simple = one.name.split(".")[-1]
        static = "static " if one.is_nested else ""
        of = ", ".join(i.name for i in one.interfaces)
        n = one.number
        own = next((v for v in self.variables if v.one is one and v.kind == "own"), None)
        if one.kind == "interface":
            out(f"{indent}{static}interface {simple}{' extends ' + of if of else ''} {{")
            if one.object:
                v = one.object
                out(f"{indent}    {self.name}.X{v.number} v{v.number} = ({self.name}.X{v.number}) hide({v.number}, new {self.name}.X{v.number}());")
            if one.initializer:
                out(f"{indent}    Object result{n} = {self.name}.initializes{n}();")
            if one.has_default:
                out(f"{indent}    default void usual{n}() {{}}")
        else:
            head = {"class": "class", "exception": "class", "enum": "enum", "record": "record"}[one.kind]
            above = one.above.name if one.above else "RuntimeException" if one.kind == "exception" else None
            what = f" extends {above}" if above else ""
            implements = ", ".join(filter(None, [of, "java.io.Serializable" if one.is_serial else ""]))
            out(f"{indent}{static}{head} {simple}{'(int given)' if one.kind == 'record' else ''}{what}{' implements ' + implements if implements else ''} {{")
            if one.kind == "enum":
                out(f"{indent}    A{' {}' if one.bodies else ''}, B;")
            if one.kind == "class":
                out(f"{indent}    {simple}() {{}}")
                out(f"{indent}    {simple}(int given) {{}}")
            if one.is_serial:
                out(f"{indent}    private static final long serialVersionUID = 1;")
            if one.object:
                v = one.object
                out(f"{indent}    static final {self.name}.X{v.number} v{v.number} = ({self.name}.X{v.number}) hide({v.number}, new {self.name}.X{v.number}());")
            if own:
                out(f"{indent}    static {own.type} v{own.number};")
            out(f"{indent}    void instance{n}() {{}}")
            if one.initializer:
                out(f"{indent}    static {{")
                self.code_text(one.code, out, indent + "        ")
                out(f"{indent}    }}")
        out(f"{indent}    static final int K{n} = 7;" if one.kind != "interface" else f"{indent}    int K{n} = 7;")
        out(f"{indent}    static void method{n}() {{}}")
        out(f"{indent}}}")


def describe(scenario, variable):
    accesses = scenario.order.accesses[variable]
    parts = []
    for access in accesses:
        parts.append(str(access))
        for old in access.may_race:
            parts.append(f"    {'races' if old in access.must_race else 'may race'} with {old}")
    return "\n".join(parts)


def main():
    scenario = Scenario(int(sys.argv[1]))
    text = scenario.text()
    if "--races" not in sys.argv:
        print(text, end="")
        return
    for variable in scenario.order.accesses:
        print(describe(scenario, variable))
        second = needed(scenario.order.accesses[variable])
        print(f"  must be reported: {second}\n" if second else "")


if __name__ == "__main__":
    main()
