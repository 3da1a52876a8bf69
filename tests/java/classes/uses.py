# SPDX-License-Identifier: Apache-2.0
"""The ways in which a program uses a class: those that initialize it, those that do not, and those that also access a static field."""

from world import RUNNING


class Use:
    """initializes: JLS 12.4.1 says so, or what the JDK does. inherits: by the name of a class below. is_noisy: what else the JDK does there may order. is_helped: its Java
    stands in a method of its own, since it throws what an initializer may not."""

    def __init__(self, name, code, fits=None, initializes=True, inherits=False, is_noisy=False, is_helped=False, is_common=False, constructs=False):
        self.name, self.java, self.fitting = name, code, fits
        self.initializes, self.inherits, self.is_noisy, self.is_helped, self.is_common = initializes, inherits, is_noisy, is_helped, is_common
        self.constructs = constructs

    def fits(self, scenario, one, thread):
        return self.fitting is None or self.fitting(scenario, one, thread)

    def code(self, scenario, one, through):
        return self.java(scenario, (through or one).name, one)


class Access(Use):
    """Code with the variable and what is written, or None."""

    def access(self, scenario, variable, write, through):
        return self.java(scenario, (through or variable.one).name if self.inherits else variable.one.name, variable, scenario.value(variable) if write else None)


def kinds(*named):
    return lambda s, one, thread: one.kind in named


def finished_enum(s, one, thread):
    """Its constants are there; and nothing fails, which the JDK would tell by other exceptions."""
    return one.kind == "enum" and not s.fails and not (one.state == RUNNING and one.by is thread)


def no_failure(*named):
    return lambda s, one, thread: one.kind in named and not s.fails


def serial(s, one, thread):
    above = one.above
    while above:
        if above.is_serial:
            return False
        above = above.above
    return one.is_serial and not s.fails and not (one.state == RUNNING and one.by is thread)


def new(s, name, one):
    return f"use(new {name}({'1' if one.kind == 'record' else ''}));"


def prepared(declaration, code, java):
    """Java with {} for what was prepared before threads started."""

    def make(s, name, one):
        at = s.prepare(declaration + "|" + code.format(name=name, n=one.number), code.format(name=name, n=one.number))
        return java.format(f"{s.name}.{at}", name=name)

    return make


LOOKUP = "java.lang.invoke.MethodHandles.lookup()"
METHOD = 'method({name}.class, "method{n}")'
NEW = Use("new", new, kinds("class", "record", "exception"), is_common=True, constructs=True)

ALL = [
    NEW,
    Use("call", lambda s, name, one: f"{name}.method{one.number}();", is_common=True),
    Use("call below", lambda s, name, one: f"{name}.method{one.number}();", kinds("class", "exception"), inherits=True),
    Use("field", lambda s, name, one: f"use({name}.result{one.number});", lambda s, one, thread: one.kind == "interface" and one.initializer, is_common=True),
    Use("field below", lambda s, name, one: f"use({name}.result{one.number});", lambda s, one, thread: one.kind == "interface" and one.initializer, inherits=True),
    Use("constant of an enum", lambda s, name, one: f"use({name}.A);", kinds("enum"), is_common=True),
    Use("values", lambda s, name, one: f"use({name}.values());", finished_enum),
    Use("valueOf", lambda s, name, one: f'use({name}.valueOf("B"));', finished_enum, is_noisy=True),
    Use("Enum.valueOf", lambda s, name, one: f'use(Enum.valueOf({name}.class, "B"));', finished_enum, is_noisy=True),
    Use("getEnumConstants", lambda s, name, one: f"use({name}.class.getEnumConstants());", finished_enum, is_noisy=True),
    Use("EnumSet", lambda s, name, one: f"use(java.util.EnumSet.noneOf({name}.class));", finished_enum, is_noisy=True),
    Use("EnumMap", lambda s, name, one: f"use(new java.util.EnumMap<{name}, Object>({name}.class));", finished_enum, is_noisy=True),
    Use("forName", lambda s, name, one: f'use(Class.forName("{one.binary_name}"));', is_helped=True, is_common=True),
    Use("forName true", lambda s, name, one: f'use(Class.forName("{one.binary_name}", true, {s.name}.class.getClassLoader()));', is_helped=True),
    Use("ensureInitialized", lambda s, name, one: f"use({LOOKUP}.ensureInitialized({name}.class));", is_helped=True),
    Use("allocateInstance", prepared("sun.misc.Unsafe", "unsafe()", "use({}.allocateInstance({name}.class));"), kinds("class", "record", "exception"), is_helped=True),
    Use("Method", prepared("java.lang.reflect.Method", METHOD, "use({}.invoke(null));"), is_noisy=True, is_helped=True),
    Use("Constructor", prepared("java.lang.reflect.Constructor<?>", "constructor({name}.class)", "use({}.newInstance());"), kinds("class", "exception"), is_noisy=True,
        is_helped=True, constructs=True),
    Use("MethodHandle", prepared("java.lang.invoke.MethodHandle", f"{LOOKUP}.unreflect({METHOD})", "{}.invoke();"), is_noisy=True, is_helped=True),
    Use("MethodHandle of a constructor",
        prepared("java.lang.invoke.MethodHandle", f"{LOOKUP}.unreflectConstructor(constructor({{name}}.class))", "use((Object) {}.invoke());"),
        kinds("class", "exception"), is_noisy=True, is_helped=True, constructs=True),
    Use("deserialization", lambda s, name, one: "use(new java.io.ObjectInputStream(new java.io.ByteArrayInputStream("
        + s.name + "." + s.prepare(f"byte[]|{name}", f'serialized("{one.binary_name}")') + ")).readObject());", serial, is_noisy=True, is_helped=True, constructs=True),
    Use("reference to a method", lambda s, name, one: f"calls({name}::method{one.number});", no_failure("class", "record", "enum", "exception", "interface"), is_noisy=True),
    Use("reference to a constructor", lambda s, name, one: f"makes({name}::new);", no_failure("class", "exception"), is_noisy=True, constructs=True),
    # What initializes nothing, and orders nothing.
    Use("array", lambda s, name, one: f"use(new {name}[1]);", initializes=False, is_common=True),
    Use("literal", lambda s, name, one: f"use({name}.class);", initializes=False),
    Use("constant", lambda s, name, one: f"use({name}.K{one.number});", initializes=False, is_common=True),
    Use("constant below", lambda s, name, one: f"use({name}.K{one.number});", initializes=False, inherits=True),
    Use("instanceof", lambda s, name, one: f"use(hidden(0) instanceof {name});", initializes=False),
    Use("forName false", lambda s, name, one: f'use(Class.forName("{one.binary_name}", false, {s.name}.class.getClassLoader()));', initializes=False, is_helped=True),
    Use("array by reflection", lambda s, name, one: f"use(java.lang.reflect.Array.newInstance({name}.class, 1));", initializes=False),
]


def directly(s, name, v, value):
    return f"{name}.v{v.number} = {value};" if value else f"use({name}.v{v.number});"


def by_var_handle(s, name, v, value):
    handle = f'{LOOKUP}.findStaticVarHandle({name}.class, "v{v.number}", {v.type}.class)'
    return f"{handle}.set(({v.type}) {value});" if value else f"use(({v.type}) {handle}.get());"


def by_handle(s, name, v, value):
    of = f'({name}.class, "v{v.number}", {v.type}.class)'
    return f"{LOOKUP}.findStaticSetter{of}.invoke(({v.type}) {value});" if value else f"use(({v.type}) {LOOKUP}.findStaticGetter{of}.invoke());"


def by_reflection(s, name, v, value):
    at = s.name + "." + s.prepare(f"java.lang.reflect.Field|{name}.v{v.number}", f'field({name}.class, "v{v.number}")')
    return f"{at}.set(null, {value});" if value else f"use({at}.get(null));"


ACCESS = Access("object", lambda s, name, v, value: f"{v.place()} = {value};" if value else f"use({v.place()});", is_common=True)
ACCESSES = [
    Access("directly", directly, inherits=True, is_common=True),
    Access("VarHandle", by_var_handle, is_noisy=True, is_helped=True),
    Access("static getter", by_handle, is_noisy=True, is_helped=True),
    Access("Field", by_reflection, is_noisy=True, is_helped=True),
]
