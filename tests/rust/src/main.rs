// SPDX-License-Identifier: Apache-2.0
//
// What Rust's standard library orders, and what it does not.  Each case hands plain memory from thread to thread by one construct.
// Run as `ordered NAME free`, the accesses are ordered by it; run as `ordered NAME racy`, the same program makes one access at a
// place that the construct does not order: one race, between the two lines that call `at()`.  `ordered --list` prints the
// names.  The verdicts hold only if the library itself is compiled with instrumentation, for its order comes of its atomics.
mod atomics;
mod channels;
mod ghost;
mod locks;
mod memory;
mod once;
mod threads;

pub type Case = (&'static str, fn(bool));

fn main() {
    let all = [threads::CASES, locks::CASES, once::CASES, channels::CASES, atomics::CASES, memory::CASES].concat();
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--list"] => all.iter().for_each(|(name, _)| println!("{name}")),
        [name, how @ ("racy" | "free")] => match all.iter().find(|(n, _)| *n == name) {
            Some((_, run)) => {
                run(how == "racy");
                println!("done");
            }
            None => panic!("there is no case {name}"),
        },
        _ => panic!("usage: ordered --list | ordered NAME racy|free"),
    }
}
