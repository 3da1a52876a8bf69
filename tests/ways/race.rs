// SPDX-License-Identifier: Apache-2.0
//
// race.c in Rust: a second thread writes too, which is the race, or only begins and ends.  Of what the library does with two threads
// nothing is told, with native/suppressions/rust-std.supp.  (tests/rust needs none: there the library is instrumented.)
use std::ptr::addr_of_mut;
use std::thread;

static mut SHARED: i32 = 0;

#[inline(never)]
fn put(value: i32) {
    unsafe { addr_of_mut!(SHARED).write(value) }
}

fn main() {
    let other = thread::spawn(|| put(1));
    let second = thread::spawn(|| {
        if cfg!(racy) {
            put(2);
        }
    });
    other.join().unwrap();
    second.join().unwrap();
    put(3);
    println!("done");
}
