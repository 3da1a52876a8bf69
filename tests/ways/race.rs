// SPDX-License-Identifier: Apache-2.0
//
// race.c in Rust: the main thread writes before the join, which is the race, or after it.
use std::ptr::addr_of_mut;
use std::thread;

static mut SHARED: i32 = 0;

#[inline(never)]
fn put(value: i32) {
    unsafe { addr_of_mut!(SHARED).write(value) }
}

fn main() {
    let other = thread::spawn(|| put(1));
    if cfg!(racy) {
        put(2);
    }
    other.join().unwrap();
    put(3);
    println!("done");
}
