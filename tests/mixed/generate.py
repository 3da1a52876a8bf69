#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a random C program that mixes many ways to order threads, and says which of its variables race.
`generate.py SEED` prints the program, and `--races` what it knows of its races."""

import argparse
import random
import sys

sys.dont_write_bytecode = True
import locks  # noqa: E402
import memory  # noqa: E402
import processes  # noqa: E402
import signals  # noqa: E402
import threads  # noqa: E402
from program import Program  # noqa: E402

KINDS = [kind for module in (locks, threads, signals, processes, memory) for kind in module.STEPS]
ACCESSES = 0.42  # of all steps are only accesses


def finish(program):
    """All locks are given up, and the threads that are still there are joined."""
    for thread in list(program.objects.get("spawned", [])):
        threads.end_of(program, thread)
    for thread in program.first:
        locks.give_up_all(program, thread)


def generate(seed):
    """The same program for the same seed, always."""
    sizes = random.Random(seed * 7 + 1)
    program = Program(seed, sizes.randint(3, 5), sizes.choice([15, 30, 50]))
    length = sizes.choice([60, 120, 240])
    # Few enough that the same object is met again and again; over many programs each kind meets each other.
    steps = [step for weight, step in sizes.sample(KINDS, sizes.randint(6, 18)) for _ in range(weight)]
    while program.now < length:
        if program.chance(ACCESSES):
            thread = program.some_thread()
            program.step(thread, program.access(thread))
        else:
            program.random.choice(steps)(program)
    finish(program)
    return program


def describe(program, variable):
    """The places where a variable races, as the model has it."""
    story = {step: (thread, code) for step, thread, code in program.story}
    pairs = program.order.must.get(variable) or program.order.may.get(variable) or []
    return "; ".join(" and ".join(f"step {step} of thread {story[step][0]} ({story[step][1][:100]})" for step in dict.fromkeys(pair)) for pair in pairs[:2])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seed", type=int)
    parser.add_argument("--races", action="store_true", help="what must be reported, what may be, and why")
    options = parser.parse_args()
    program = generate(options.seed)
    if not options.races:
        print(program.text(), end="")
        return
    for variable in sorted(program.order.may):
        print(f"v{variable} {'must' if variable in program.order.must else 'may'}: {describe(program, variable)}")


if __name__ == "__main__":
    main()
