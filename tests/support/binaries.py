# SPDX-License-Identifier: Apache-2.0
"""Builds the programs of tests/programs: several in one call of the compiler, since starting it and asking which one it is
takes longer than such a program; and not again what was built before. Kept binaries lie in tests/programs of a build folder and are
taken when their source, all headers of ours and what `goldilocks cc` tells the compiler are the same; the runtime is a shared library, so a
new one needs no new binaries. Used by tests/programs/run and tests/record/run."""

import glob
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import threading

import emulator

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = os.path.join(ROOT, "tests", "programs")
LIBRARIES = ["-lpthread"]
TIMEOUT = 300
AT_ONCE = 8  # programs in one call
TEMPORARY = rf"{re.escape(tempfile.gettempdir())}/[^/\s\"']+(?=[\s\"'])"  # files of the compiler, named anew each time
SHARED_RUNTIME = re.compile(r"-ltsan\b|/libtsan\.so\b")  # as gcc and clang name it to the linker
ONLY_COMPILED = re.compile(r"-(?:[fmDOWg]|std=)")  # flags of which linking knows nothing, or that it needs too
SHARED = re.compile(r'^#include "tests/programs/(\w+\.h)"\n\Z', re.M)  # the last line: all code is in there
DIRECTIVE = re.compile(r"^// (racy-exit|racy-text|only|skip|peer-skip|flags|library|output|exit|report|reports|options)(?: ([^:]*))?:\s*(.*?)\s*$")


HERE = emulator.facts()


def directives(text):
    """(name, condition, value) of the comments of a program that are meant for its runner (tests/programs/README.md)."""
    return [match.groups() for match in map(DIRECTIVE.match, text.splitlines()) if match]


def marked(path):
    """(name, text) of the file where the marks of a program are: its own, or a header that is all of its code."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    shared = SHARED.search(text)
    if not shared:
        return os.path.basename(path), text
    with open(os.path.join(PROGRAMS, shared.group(1)), encoding="utf-8") as f:
        return shared.group(1), f.read()


def values(found, name, cc, level):
    """The values of a directive whose condition ('', 'gcc', '-O2', 'clang -O2', 'aarch64 gcc', 'emulated') holds here."""
    for key, condition, value in found:
        if key == name and all(w == f"-O{level}" or w in HERE or cc.startswith(w) for w in (condition or "").split()):
            yield value


def flags_of(found, cc, level):
    """What a program wants when it is compiled."""
    return [word for value in values(found, "flags", cc, level) for word in value.split("(")[0].split()]


def libraries_of(build_dir, found):
    """The flags that link what a program wants between the runtime and libc: libraries/NAME.c, which nothing instruments."""
    folder, flags = kept(build_dir), []
    for name in values(found, "library", "", ""):
        source, library = os.path.join(PROGRAMS, "libraries", name + ".c"), os.path.join(folder, f"lib{name}.so")
        if not os.path.exists(library) or os.path.getmtime(library) < os.path.getmtime(source):
            os.makedirs(folder, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=folder) as work: # another runner may be here
                why = run(["gcc", "-std=c17", "-O1", "-falign-functions=16", "-Wall", "-Wextra", "-fPIC", "-shared", source, "-o", os.path.join(work, "new")], {})
                if why:
                    raise ValueError(f"{source}: {why}")
                os.replace(os.path.join(work, "new"), library)
        flags += [library, f"-Wl,-rpath,{folder}"]
    return flags


class Target:
    """One program to be built: with which command and environment, from which source, and perhaps with which other compiler
    to link what is built in a group, with which more flags; `name` is unique."""

    def __init__(self, name, source, env, start, flags, own_flags, linker=None, libraries=(), link_flags=()):
        self.name, self.source, self.env, self.start = name, source, env, start
        self.libraries = [*libraries, *LIBRARIES]
        self.flags, self.own_flags = flags, own_flags  # of all programs; of this one
        self.linker, self.link_flags = linker or env, list(link_flags)

    def command(self, output):
        return self.start + self.flags + self.own_flags + [self.source, "-o", output] + self.libraries

    def grouped(self):
        return all(ONLY_COMPILED.match(flag) for flag in self.own_flags)


def kept(build_dir):
    """Where the binaries of a build folder stay."""
    return os.path.join(os.path.abspath(build_dir), "tests", "programs")


def environment(more):
    """That of a program which nobody gave options, and more. PWD is right, though ctest has changed the folder: get_current_dir_name() believes it, or goes
    another way."""
    return dict({k: v for k, v in os.environ.items() if k not in ("GOLDILOCKS_OPTIONS", "TSAN_OPTIONS")}, PWD=os.getcwd(), **more)


def common_flags(source, level, twin):
    standard = "-std=gnu++17" if source.endswith(".cpp") else "-std=gnu17"
    return ["-g", f"-O{level}", "-Wall", "-Wextra", standard, f"-I{ROOT}"] + (["-DRACY"] if twin == "racy" else [])


def folder_without_passes(build_dir):
    """A folder with the runtime as built, and none of the passes that `goldilocks cc` has compilers load."""
    lib, bare = os.path.join(os.path.abspath(build_dir), "lib"), os.path.join(os.path.abspath(build_dir), "tests", "bare")
    os.makedirs(bare, exist_ok=True)
    for name in os.listdir(lib):
        if not name.startswith(("complete-", "rows-")) and not os.path.lexists(os.path.join(bare, name)):
            os.symlink(os.path.join(lib, name), os.path.join(bare, name))
    return bare


def wrapped(build_dir, source, cc, level, twin, own_flags, inlined=False, libraries=(), passes=True):
    """A program as `goldilocks cc` builds it. gcc links what clang compiled to the same, in half the time, and gold in two thirds of that; tests/ways has clang and
    the usual linker link."""
    language = "c++" if source.endswith(".cpp") else "cc"
    env = {"GOLDILOCKS_CC": cc}
    if not passes:
        env["GOLDILOCKS_LIBDIR"] = folder_without_passes(build_dir)
    plain = not own_flags and not inlined and passes and shutil.which("gcc")
    linker = {"GOLDILOCKS_CC": "gcc"} if plain else env
    name = ".".join([os.path.basename(source), cc, "O" + level, twin] + ["inline"] * inlined + ["bare"] * (not passes) + [f.strip("-/") for f in own_flags])
    return Target(name.replace("/", "_"), source, env, [os.path.join(os.path.abspath(build_dir), "goldilocks"), language] + ["--inline"] * inlined,
                  common_flags(source, level, twin), own_flags, linker, libraries, ["-fuse-ld=gold"] if plain and shutil.which("ld.gold") else [])


def run(command, env, cwd=None):
    """The complaint of a compiler, or None; a warning is one."""
    try:
        done = subprocess.run(command, env=environment(env), cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                              timeout=TIMEOUT, check=False)
    except subprocess.TimeoutExpired:
        return "the compiler is still running"
    if done.returncode != 0 or done.stderr.strip():
        return "the compiler says: " + (done.stderr.strip()[:600] or f"exit {done.returncode}")
    return None


def groups(targets):
    """The targets in lists that one call can compile."""
    alike = {}
    for t in targets:
        key = (*t.env.items(), *t.start, *t.flags, *t.own_flags) if t.grouped() else t.name
        alike.setdefault(key, []).append(t)
    return [all_[i:i + AT_ONCE] for all_ in alike.values() for i in range(0, len(all_), AT_ONCE)]


class Binaries:
    """kept: the folder where they stay, or None."""

    def __init__(self, work, kept):
        self.work, self.kept = work, kept
        self.lock = threading.Lock()
        self.told = {}
        self.headers = hashlib.sha256()
        for path in sorted(glob.glob(os.path.join(PROGRAMS, "*.h")) + glob.glob(os.path.join(ROOT, "include", "goldilocks", "*.h")) +
                           glob.glob(os.path.join(ROOT, "native", "inline.*")) + glob.glob(os.path.join(ROOT, "native", "*", "*.cpp"))):
            with open(path, "rb") as f:
                self.headers.update(f.read())
        if kept:
            os.makedirs(kept, exist_ok=True)

    def tells(self, target):
        """What the command tells the compiler and the linker, and which they are, without the names of files. None: the binary would hold a
        runtime, and not this one again."""
        command = (*target.env.items(), *target.start, "-###", *target.flags, *target.own_flags, os.path.splitext(target.source)[1])
        with self.lock:
            if command not in self.told:
                words = target.start + ["-###"] + target.flags + target.own_flags + [target.source]
                done = subprocess.run(words, env=environment(target.env), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                      errors="replace", timeout=TIMEOUT, check=False)
                text = re.sub(TEMPORARY, "", done.stdout + done.stderr).replace(os.path.basename(target.source), "")
                self.told[command] = text if done.returncode == 0 and SHARED_RUNTIME.search(text) else None
            return self.told[command]

    def place(self, target):
        """(where it belongs; what it is made of, or None if it does not stay; is it there)"""
        told = self.tells(target) if self.kept else None
        if told is None:
            return os.path.join(self.work, target.name), None, False
        made_of = self.headers.copy()
        made_of.update(told.encode())
        with open(target.source, "rb") as f:
            made_of.update(f.read())
        path, key = os.path.join(self.kept, target.name), made_of.hexdigest()
        try:
            with open(path + ".key", encoding="utf-8") as f:
                return path, key, f.read() == key and os.access(path, os.X_OK)
        except OSError:
            return path, key, False

    def build(self, targets):
        """Builds a list of groups(); {target: (binary, complaint or None)}."""
        result, missing = {}, []
        for target in targets:
            path, key, there = self.place(target)
            result[target] = path, None
            if not there:
                missing.append((target, path, key))
        objects = self.compile([target for target, _, _ in missing]) if len(missing) > 1 else {}
        for target, path, key in missing:
            if key and os.path.exists(path + ".key"):
                os.unlink(path + ".key")
            if objects:
                link = target.start + ["-g"] + target.link_flags + target.own_flags + [objects[target], "-o", path] + target.libraries
                why = run(link, target.linker)
                os.unlink(objects[target])
            else:
                why = run(target.command(path), target.env)
            if key and not why:
                with open(path + ".key", "w", encoding="utf-8") as f:
                    f.write(key)
            result[target] = path, why
        return result

    def compile(self, targets):
        """{target: object}; {} when one of them does not compile: its own call then says which."""
        folder, first = os.path.join(self.work, targets[0].name + ".objects"), targets[0]
        os.mkdir(folder)
        if run(first.start + first.flags + first.own_flags + ["-c"] + [t.source for t in targets], first.env, folder):
            return {}
        return {t: os.path.join(folder, os.path.splitext(os.path.basename(t.source))[0] + ".o") for t in targets}

    def done(self, path):
        """The binary will not be run any more."""
        if os.path.dirname(path) != self.kept:
            os.unlink(path)
