// SPDX-License-Identifier: Apache-2.0
//
// Atomics of all widths and orders, fences.
use crate::ghost::{Ghost, Plain};
use std::ptr::null_mut;
use std::sync::atomic::{Ordering::*, *};
use std::thread;

pub const CASES: &[crate::Case] = &[
    ("release_acquire", release_acquire),
    ("release_relaxed", release_relaxed),
    ("relaxed_acquire", relaxed_acquire),
    ("seq_cst", seq_cst),
    ("swap_acq_rel", swap_acq_rel),
    ("widths", widths),
    ("pointer", pointer),
    ("flag", flag),
    ("release_sequence", release_sequence),
    ("release_sequence_cut", release_sequence_cut),
    ("exchange", exchange),
    ("exchange_fails", exchange_fails),
    ("exchange_weak", exchange_weak),
    ("fetch_update", fetch_update),
    ("fetch_max", fetch_max),
    ("fetch_min", fetch_min),
    ("other_variable", other_variable),
    ("fences", fences),
    ("fence_release", fence_release),
    ("fence_acquire", fence_acquire),
    ("fences_seq_cst", fences_seq_cst),
    ("fence_of_compiler", fence_of_compiler),
    ("fence_late", fence_late),
    ("atomic_and_plain", atomic_and_plain),
    ("atomic_and_plain_read", atomic_and_plain_read),
    ("from_ptr", from_ptr),
];

static V: Plain = Plain::new();
static A: AtomicUsize = AtomicUsize::new(0);
static B: AtomicUsize = AtomicUsize::new(0);
static G: Ghost = Ghost::new();

/// The writer writes, then publishes; the reader sees that, then reads.  One is never ordered, so the case has one race.
fn pass(publish: impl FnOnce() + Send + 'static, observe: impl FnOnce()) {
    let t = thread::spawn(move || {
        V.put(1);
        publish();
        G.step();
    });
    G.wait(1);
    observe();
    V.get();
    t.join().unwrap();
}

fn pick<T>(racy: bool, weak: T, strong: T) -> T {
    if racy {
        weak
    } else {
        strong
    }
}

fn release_acquire(racy: bool) {
    pass(move || A.store(1, pick(racy, Relaxed, Release)), move || assert_eq!(A.load(pick(racy, Relaxed, Acquire)), 1));
}

fn release_relaxed(racy: bool) {
    pass(|| A.store(1, Release), move || assert_eq!(A.load(pick(racy, Relaxed, Acquire)), 1));
}

fn relaxed_acquire(racy: bool) {
    pass(move || A.store(1, pick(racy, Relaxed, Release)), || assert_eq!(A.load(Acquire), 1));
}

fn seq_cst(racy: bool) {
    // A total order of the accesses alone does not order through different variables.
    pass(|| A.store(1, SeqCst), move || assert_eq!(if racy { &B } else { &A }.load(SeqCst), if racy { 0 } else { 1 }));
}

fn swap_acq_rel(racy: bool) {
    pass(move || assert_eq!(A.swap(1, pick(racy, Acquire, Release)), 0), move || assert_eq!(A.swap(2, pick(racy, Release, AcqRel)), 1));
}

fn widths(racy: bool) {
    static N8: AtomicU8 = AtomicU8::new(0);
    static N16: AtomicI16 = AtomicI16::new(0);
    static N32: AtomicU32 = AtomicU32::new(0);
    static N64: AtomicI64 = AtomicI64::new(0);
    static NB: AtomicBool = AtomicBool::new(false);
    static P: [Plain; 5] = [const { Plain::new() }; 5];
    let t = thread::spawn(move || {
        P[0].put(1);
        N8.store(1, Release);
        P[1].put(1);
        N16.fetch_add(1, Release);
        P[2].put(1);
        N32.fetch_or(1, Release);
        P[3].put(1);
        N64.fetch_sub(1, AcqRel);
        P[4].put(1);
        NB.fetch_xor(true, pick(racy, Relaxed, Release));
        G.step();
    });
    while N8.load(Acquire) == 0 {}
    P[0].get();
    while N16.load(Acquire) == 0 {}
    P[1].get();
    while N32.load(Acquire) == 0 {}
    P[2].get();
    while N64.load(Acquire) == 0 {}
    P[3].get();
    while !NB.load(Acquire) {}
    P[4].get();
    t.join().unwrap();
}

fn pointer(racy: bool) {
    static P: AtomicPtr<Plain> = AtomicPtr::new(null_mut());
    let t = thread::spawn(move || {
        let b = Box::into_raw(Box::new(Plain::new()));
        unsafe { (*b).put(1) }
        P.store(b, Release);
        G.step();
    });
    G.wait(1);
    let b = P.load(if racy { Relaxed } else { Acquire });
    unsafe { (*b).get() };
    t.join().unwrap();
    drop(unsafe { Box::from_raw(b) });
}

/// A lock of one's own making.
fn flag(racy: bool) {
    static L: AtomicBool = AtomicBool::new(false);
    fn locked(acquire: Ordering) {
        while L.compare_exchange_weak(false, true, acquire, Relaxed).is_err() {
            std::hint::spin_loop();
            thread::yield_now();
        }
        V.put(2);
        L.store(false, Release);
    }
    let t = thread::spawn(|| {
        (0..100).for_each(|_| locked(Acquire));
        G.step();
    });
    if racy {
        G.wait(1);
        locked(Relaxed);
    } else {
        (0..100).for_each(|_| locked(Acquire));
    }
    t.join().unwrap();
}

fn release_sequence(racy: bool) {
    let middle = thread::spawn(|| {
        G.wait(1);
        A.fetch_add(1, Relaxed);
        G.step();
    });
    let t = thread::spawn(move || {
        V.put(1);
        A.store(1, pick(racy, Relaxed, Release));
        G.step();
    });
    G.wait(2);
    assert_eq!(A.load(Acquire), 2);
    V.get();
    t.join().unwrap();
    middle.join().unwrap();
}

/// Another thread's plain store ends what the release began.
fn release_sequence_cut(racy: bool) {
    let middle = thread::spawn(move || {
        G.wait(1);
        if racy {
            A.store(2, Relaxed);
        } else {
            A.swap(2, Relaxed);
        }
        G.step();
    });
    let t = thread::spawn(|| {
        V.put(1);
        A.store(1, Release);
        G.step();
    });
    G.wait(2);
    assert_eq!(A.load(Acquire), 2);
    V.get();
    t.join().unwrap();
    middle.join().unwrap();
}

fn exchange(racy: bool) {
    pass(
        || A.compare_exchange(0, 1, Release, Relaxed).map(drop).unwrap(),
        move || A.compare_exchange(1, 2, pick(racy, Release, AcqRel), Relaxed).map(drop).unwrap(),
    );
}

fn exchange_fails(racy: bool) {
    pass(
        || A.store(1, Release),
        move || assert_eq!(A.compare_exchange(0, 2, AcqRel, pick(racy, Relaxed, Acquire)), Err(1)),
    );
}

fn exchange_weak(racy: bool) {
    pass(
        move || while A.compare_exchange_weak(0, 1, pick(racy, Acquire, AcqRel), Acquire).is_err() {},
        || while A.compare_exchange_weak(1, 2, SeqCst, SeqCst).is_err() {},
    );
}

fn fetch_update(racy: bool) {
    pass(
        || assert_eq!(A.fetch_update(Release, Relaxed, |n| Some(n + 1)), Ok(0)),
        move || assert_eq!(A.fetch_update(Relaxed, pick(racy, Relaxed, Acquire), |n| (n == 0).then_some(5)), Err(1)),
    );
}

fn fetch_max(racy: bool) {
    pass(|| assert_eq!(A.fetch_max(7, Release), 0), move || assert_eq!(A.fetch_max(5, pick(racy, Relaxed, Acquire)), 7));
}

fn fetch_min(racy: bool) {
    static LOWEST: AtomicI64 = AtomicI64::new(9);
    let t = thread::spawn(move || {
        V.put(1);
        LOWEST.fetch_min(-3, pick(racy, Relaxed, Release));
        G.step();
    });
    G.wait(1);
    assert_eq!(LOWEST.fetch_min(4, Acquire), -3);
    V.get();
    t.join().unwrap();
}

fn other_variable(racy: bool) {
    pass(
        || {
            A.store(1, Release);
            B.store(1, Release);
        },
        move || assert_eq!(if racy { B.load(Relaxed) + A.load(Relaxed) } else { B.load(Acquire) + 1 }, 2),
    );
}

fn fences(racy: bool) {
    pass(
        move || {
            if !racy {
                fence(Release);
            }
            A.store(1, Relaxed);
        },
        move || {
            assert_eq!(A.load(Relaxed), 1);
            if !racy {
                fence(Acquire);
            }
        },
    );
}

fn fence_release(racy: bool) {
    pass(
        move || {
            if !racy {
                fence(Release);
            }
            A.store(1, Relaxed);
        },
        || assert_eq!(A.load(Acquire), 1),
    );
}

fn fence_acquire(racy: bool) {
    pass(
        || A.store(1, Release),
        move || {
            assert_eq!(A.load(Relaxed), 1);
            if !racy {
                fence(Acquire);
            }
        },
    );
}

fn fences_seq_cst(racy: bool) {
    pass(
        move || {
            fence(SeqCst);
            if !racy {
                A.store(1, Relaxed);
            }
        },
        || {
            A.load(Relaxed);
            fence(SeqCst);
        },
    );
}

fn fence_of_compiler(racy: bool) {
    pass(
        || A.store(1, Release),
        move || {
            assert_eq!(A.load(Relaxed), 1);
            if racy {
                compiler_fence(SeqCst);
            } else {
                fence(AcqRel);
            }
        },
    );
}

/// A fence orders by the stores after it, and the loads before it.
fn fence_late(racy: bool) {
    pass(
        || A.store(1, Release),
        move || {
            if racy {
                fence(Acquire);
            }
            assert_eq!(A.load(Relaxed), 1);
            if !racy {
                fence(Acquire);
            }
        },
    );
}

fn atomic_and_plain(racy: bool) {
    static X: AtomicU64 = AtomicU64::new(0);
    #[inline(never)]
    fn plain() {
        unsafe { X.as_ptr().write(3) }
    }
    let t = thread::spawn(move || {
        if racy {
            plain();
        } else {
            X.store(3, Relaxed);
        }
        G.step();
    });
    G.wait(1);
    X.store(4, Relaxed);
    t.join().unwrap();
    plain();
}

/// Reads do not race, atomic or not.
fn atomic_and_plain_read(racy: bool) {
    static X: AtomicU64 = AtomicU64::new(0);
    let t = thread::spawn(move || {
        std::hint::black_box(unsafe { X.as_ptr().read() });
        G.step();
    });
    G.wait(1);
    if racy {
        X.fetch_add(1, SeqCst);
    } else {
        X.load(SeqCst);
    }
    t.join().unwrap();
}

fn from_ptr(racy: bool) {
    let v = Box::leak(Box::new(0u64)) as *mut u64 as usize;
    let t = thread::spawn(move || {
        V.put(1);
        unsafe { AtomicU64::from_ptr(v as *mut u64) }.store(1, if racy { Relaxed } else { Release });
        G.step();
    });
    G.wait(1);
    assert_eq!(unsafe { AtomicU64::from_ptr(v as *mut u64) }.load(Acquire), 1);
    V.get();
    t.join().unwrap();
}
