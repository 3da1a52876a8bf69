# SPDX-License-Identifier: Apache-2.0
"""Where what is built runs. GOLDILOCKS_EMULATOR in the environment is the command that runs programs of another machine (tests/aarch64/run); the compilers
on the path make such programs then."""

import os
import platform
import subprocess

WORDS = os.environ.get("GOLDILOCKS_EMULATOR", "").split()  # before the name of a program


def facts():
    """Words that hold here as conditions of directives: the machine, and `emulated`."""
    if not WORDS:
        return {platform.machine()}
    machine = subprocess.run(["gcc", "-dumpmachine"], capture_output=True, text=True, check=True).stdout
    return {machine.split("-")[0], "emulated"}
