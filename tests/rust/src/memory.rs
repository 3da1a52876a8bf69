// SPDX-License-Identifier: Apache-2.0
//
// Arc and Weak, whose counts order what their owners did before the value is dropped; and the kinds of access that the compiler makes.
use crate::ghost::{collide, Ghost, Plain};
use std::ptr::{addr_of, addr_of_mut};
use std::sync::{Arc, Mutex, Weak};
use std::thread;

pub const CASES: &[crate::Case] = &[
    ("arc_drop", arc_drop),
    ("arc_drop_many", arc_drop_many),
    ("arc_try_unwrap", arc_try_unwrap),
    ("arc_into_inner", arc_into_inner),
    ("arc_get_mut", arc_get_mut),
    ("arc_make_mut", arc_make_mut),
    ("arc_strong_count", arc_strong_count),
    ("weak_upgrade", weak_upgrade),
    ("weak_last", weak_last),
    ("arc_slice", arc_slice),
    ("static_mut", static_mut),
    ("copy", copy),
    ("moved_struct", moved_struct),
    ("volatile", volatile),
    ("unaligned", unaligned),
    ("wide", wide),
    ("bytes", bytes),
    ("reuse", reuse),
    ("collections", collections),
];

static V: Plain = Plain::new();
static G: Ghost = Ghost::new();

struct Owner(Plain);

impl Drop for Owner {
    #[inline(never)]
    fn drop(&mut self) {
        self.0.put(9);
    }
}

/// The last owner drops the value, after what all others did with it.
fn arc_drop(racy: bool) {
    let a = Arc::new(Owner(Plain::new()));
    let b = Arc::clone(&a);
    let t = thread::spawn(move || {
        let p = &b.0 as *const Plain as usize;
        if !racy {
            b.0.get();
        }
        drop(b);
        if racy {
            unsafe { (*(p as *const Plain)).get() };
        }
        G.step();
    });
    G.wait(1);
    drop(a);
    t.join().unwrap();
}

fn arc_drop_many(racy: bool) {
    for _ in 0..20 {
        let a = Arc::new((Owner(Plain::new()), Mutex::new(vec![0u64])));
        thread::scope(|s| {
            for i in 0..4 {
                let a = Arc::clone(&a);
                s.spawn(move || {
                    a.0 .0.get();
                    a.1.lock().unwrap().push(i);
                });
            }
            drop(a);
        });
    }
    arc_drop(racy);
}

fn arc_try_unwrap(racy: bool) {
    let a = Arc::new(Plain::new());
    let b = Arc::clone(&a);
    let t = thread::spawn(move || {
        b.put(1);
        drop(b);
        if racy {
            V.put(1);
        }
        G.step();
    });
    G.wait(1);
    Arc::try_unwrap(a).ok().unwrap().put(2);
    V.get();
    t.join().unwrap();
}

fn arc_into_inner(racy: bool) {
    let a = Arc::new(Plain::new());
    let b = Arc::clone(&a);
    let t = thread::spawn(move || {
        b.put(1);
        let got = Arc::into_inner(b).is_some();
        if racy {
            V.put(1);
        }
        G.step();
        got
    });
    G.wait(1);
    Arc::into_inner(a).unwrap().put(2);
    V.get();
    assert!(!t.join().unwrap());
}

fn arc_get_mut(racy: bool) {
    let mut a = Arc::new(Plain::new());
    let b = Arc::clone(&a);
    let t = thread::spawn(move || {
        b.put(1);
        drop(b);
        if racy {
            V.put(1);
        }
        G.step();
    });
    G.wait(1);
    Arc::get_mut(&mut a).unwrap().put(2);
    V.get();
    t.join().unwrap();
}

fn arc_make_mut(racy: bool) {
    let mut a = Arc::new(vec![1u64, 2]);
    let b = Arc::clone(&a);
    let t = thread::spawn(move || {
        assert_eq!(b.iter().sum::<u64>(), 3);
        drop(b);
        if racy {
            V.put(1);
        }
        G.step();
    });
    G.wait(1);
    Arc::make_mut(&mut a)[0] = 5;
    V.get();
    t.join().unwrap();
}

/// The number of owners tells, and orders nothing.
fn arc_strong_count(racy: bool) {
    let a = Arc::new(Plain::new());
    let b = Arc::clone(&a);
    let t = thread::spawn(move || {
        b.put(1);
        drop(b);
    });
    while Arc::strong_count(&a) > 1 {
        thread::yield_now();
    }
    if racy {
        a.put(2);
    }
    t.join().unwrap();
    a.put(3);
}

fn weak_upgrade(racy: bool) {
    let a = Arc::new(Owner(Plain::new()));
    let w = Arc::downgrade(&a);
    let t = thread::spawn(move || {
        let up = w.upgrade().map(|b| {
            b.0.get();
            &b.0 as *const Plain as usize
        });
        if racy {
            unsafe { (*(up.unwrap() as *const Plain)).get() };
        }
        G.step();
    });
    G.wait(1);
    drop(a);
    t.join().unwrap();
}

fn weak_last(racy: bool) {
    let a = Arc::new(Owner(Plain::new()));
    let w: Weak<Owner> = Arc::downgrade(&a);
    let t = thread::spawn(move || {
        a.0.get();
        drop(a);
        if racy {
            V.put(1);
        }
        G.step();
    });
    G.wait(1);
    assert!(w.upgrade().is_none());
    drop(w);
    if racy {
        V.get();
    }
    t.join().unwrap();
}

fn arc_slice(racy: bool) {
    let a: Arc<str> = "shared text".into();
    let all: Vec<_> = (0..4)
        .map(|i| {
            let a = Arc::clone(&a);
            thread::spawn(move || {
                assert_eq!(a.len(), 11);
                drop(a);
                collide(racy, i);
            })
        })
        .collect();
    drop(a);
    all.into_iter().for_each(|t| t.join().unwrap());
}

/// The same access of two threads, the second of which was ordered or not.
fn twice(racy: bool, first: impl FnOnce() + Send + 'static, second: impl FnOnce()) {
    let t = thread::spawn(move || {
        first();
        G.step();
    });
    G.wait(1);
    if racy {
        second();
        t.join().unwrap();
    } else {
        t.join().unwrap();
        second();
    }
}

fn static_mut(racy: bool) {
    static mut COUNT: u32 = 0;
    fn add() {
        unsafe { COUNT += 1 }
    }
    // Its read with the other's write, and its write: two accesses at one place, told once.
    twice(racy, add, || unsafe { COUNT = 5 });
}

fn copy(racy: bool) {
    static mut TEXT: [u8; 100] = [0; 100];
    let from = [7u8; 50];
    twice(
        racy,
        || unsafe { addr_of_mut!(TEXT[99]).write(1) },
        move || unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), addr_of_mut!(TEXT[50]) as *mut u8, 50) },
    );
}

fn moved_struct(racy: bool) {
    #[derive(Clone, Copy)]
    struct Large([u64; 20]);
    static mut LARGE: Large = Large([0; 20]);
    twice(racy, || unsafe { LARGE.0[19] = 1 }, || {
        let l = unsafe { addr_of!(LARGE).read() };
        std::hint::black_box(&l);
    });
}

fn volatile(racy: bool) {
    static mut X: u32 = 0;
    twice(racy, || unsafe { addr_of_mut!(X).write_volatile(1) }, || {
        std::hint::black_box(unsafe { addr_of!(X).read_volatile() });
    });
}

fn unaligned(racy: bool) {
    static mut X: [u8; 16] = [0; 16];
    twice(
        racy,
        || unsafe { (addr_of_mut!(X) as *mut u8).add(9).write(1) },
        || unsafe { ((addr_of_mut!(X) as *mut u8).add(3) as *mut u64).write_unaligned(2) },
    );
}

fn wide(racy: bool) {
    static mut X: u128 = 0;
    twice(racy, || unsafe { addr_of_mut!(X).write(1 << 100) }, || {
        std::hint::black_box(unsafe { addr_of!(X).read() });
    });
}

/// Neighbours in one word are different memory.
fn bytes(racy: bool) {
    static mut X: [u8; 8] = [0; 8];
    let t = thread::spawn(|| {
        unsafe { addr_of_mut!(X[3]).write(1) }
        G.step();
    });
    G.wait(1);
    unsafe { addr_of_mut!(X).cast::<u8>().add(if racy { 3 } else { 4 }).write(2) }
    t.join().unwrap();
}

/// Memory that was freed and is given to another thread is new.
fn reuse(racy: bool) {
    let all: Vec<_> = (0..4)
        .map(|i| {
            thread::spawn(move || {
                for n in 0..500u64 {
                    let mut v = vec![n; 8];
                    v[3] = n + 1;
                    drop(v);
                    let b = Box::new([n; 8]);
                    assert_eq!(b[7], n);
                }
                collide(racy, i);
            })
        })
        .collect();
    all.into_iter().for_each(|t| t.join().unwrap());
}

/// Collections under a lock, filled by some and emptied by others; their parts are moved by memcpy.
fn collections(racy: bool) {
    use std::collections::{BTreeMap, HashMap, VecDeque};
    type All = (HashMap<String, Vec<u64>>, BTreeMap<u64, String>, VecDeque<Box<u64>>);
    let all: Mutex<All> = Mutex::default();
    thread::scope(|s| {
        for i in 0..4u64 {
            let all = &all;
            s.spawn(move || {
                for n in 0..50 {
                    let mut a = all.lock().unwrap();
                    a.0.entry(format!("{}", n % 13)).or_default().push(i);
                    a.1.insert(n * 7 % 31, format!("{i}"));
                    a.2.push_back(Box::new(n));
                    if n % 3 == 0 {
                        a.2.pop_front();
                        a.1.pop_first();
                    }
                }
                collide(racy, i);
            });
        }
    });
    assert_eq!(all.into_inner().unwrap().0.values().map(Vec::len).sum::<usize>(), 200);
}
