// SPDX-License-Identifier: Apache-2.0
// Two locks in both orders: a potential deadlock, though the threads run one after the other. Twin: the same order.
// report: ^  Cycle in lock order graph: M\d+ \(0x[0-9a-f]+\) => M\d+ \(0x[0-9a-f]+\) => M\d+$
// report: ^  Mutex M\d+ acquired here while holding mutex M\d+ in thread T1:$
// report: ^  Mutex M\d+ previously acquired by the same thread here:$
// report: ^  Mutex M\d+ acquired here while holding mutex M\d+ in thread T2:$
// reports: 1
#include "tests/programs/two_orders.h"
