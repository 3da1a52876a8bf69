# SPDX-License-Identifier: Apache-2.0
"""Every second way to run a program, so that `make check` stays short: of two compilers and two levels a program meets both compilers and
both levels, of two JDKs it meets one. The name decides which, so that a program is always run in the same ways. `make check-all` runs all."""

import os
import zlib

ALL = "GOLDILOCKS_CHECK"  # the variable of the environment: "all" takes --half back


def add_argument(parser):
    parser.add_argument("--half", action="store_true", help=f"every second way to run a program, unless {ALL}=all is in the environment")


def is_asked(options):
    return options.half and os.environ.get(ALL) != "all"


def takes(name, numbers=()):
    """numbers: of the compiler, of the level, of the JDK..., each from 0."""
    return (zlib.crc32(name.encode()) + sum(numbers)) % 2 == 0


def of(name, ways):
    """ways: [(numbers, ...)]. Never none of them: with one way only, programs are to be chosen by takes()."""
    return [way for way in ways if takes(name, way[0])] or ways
