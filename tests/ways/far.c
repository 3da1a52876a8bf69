/* SPDX-License-Identifier: Apache-2.0
 *
 * Linked into race.c at a low address, with the rest of the program so far behind it that most places where the kernel may put
 * this program leave the rest where our shadow has no room for it. */
__attribute__((section(".low"), used)) const char ways_low[4096] = {1};
