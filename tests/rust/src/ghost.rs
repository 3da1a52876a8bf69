// SPDX-License-Identifier: Apache-2.0
//
// What orders the cases in time without ordering them for the detector, and the memory that they race for.
use std::arch::asm;
use std::cell::UnsafeCell;
use std::time::Duration;

/// A number that threads raise and wait for by machine instructions that the compiler does not instrument: in time, "after" is
/// certain; for the detector, nothing happened.
pub struct Ghost(UnsafeCell<u64>);

unsafe impl Sync for Ghost {}

impl Ghost {
    pub const fn new() -> Self {
        Ghost(UnsafeCell::new(0))
    }

    pub fn step(&self) {
        unsafe { asm!("lock add qword ptr [{}], 1", in(reg) self.0.get()) }
    }

    pub fn wait(&self, steps: u64) {
        loop {
            let now: u64;
            unsafe { asm!("mov {}, qword ptr [{}]", out(reg) now, in(reg) self.0.get()) }
            if now >= steps {
                return;
            }
            std::thread::yield_now();
        }
    }
}

/// Lets another thread come to where it blocks.  Only which path the library takes depends on it, never the verdict.
pub fn linger() {
    std::thread::sleep(Duration::from_millis(20));
}

/// Plain memory that threads share.
pub struct Plain(UnsafeCell<u64>);

unsafe impl Sync for Plain {}
unsafe impl Send for Plain {}

impl Plain {
    pub const fn new() -> Self {
        Plain(UnsafeCell::new(0))
    }

    #[inline(never)]
    pub fn put(&self, value: u64) {
        unsafe { self.0.get().write(value) }
    }

    #[inline(never)]
    pub fn get(&self) -> u64 {
        // An access whose value nobody needs is one that the compiler may leave out.
        std::hint::black_box(unsafe { self.0.get().read() })
    }
}

/// The racing pair at the end of a case whose threads are many: threads 0 and 1 write, while both run.  (That one ends before the
/// other begins would order them, by the library's lock for the table of stacks.)
pub fn collide(racy: bool, i: u64) {
    static V: Plain = Plain::new();
    static G: Ghost = Ghost::new();
    if !racy || i > 1 {
        return;
    }
    G.step();
    G.wait(2 + i);
    V.put(i);
    G.step();
    G.wait(4);
}
