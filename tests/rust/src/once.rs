// SPDX-License-Identifier: Apache-2.0
//
// What happens once (Once, OnceLock, LazyLock), Barrier, and locks inside of the library: of standard output, of the environment.
use crate::ghost::{collide, linger, Ghost, Plain};
use std::panic::catch_unwind;
use std::sync::*;
use std::thread;

pub const CASES: &[crate::Case] = &[
    ("once", once),
    ("once_waits", once_waits),
    ("once_poisoned", once_poisoned),
    ("once_lock", once_lock),
    ("once_lock_set", once_lock_set),
    ("lazy_lock", lazy_lock),
    ("barrier", barrier),
    ("barrier_after", barrier_after),
    ("stdout", stdout),
    ("environment", environment),
];

static V: Plain = Plain::new();
static G: Ghost = Ghost::new();

fn once(racy: bool) {
    static O: Once = Once::new();
    let t = thread::spawn(move || {
        O.call_once(|| {
            if !racy {
                V.put(1);
            }
        });
        if racy {
            V.put(1);
        }
        G.step();
    });
    G.wait(1);
    O.call_once(|| unreachable!());
    assert!(O.is_completed());
    V.get();
    t.join().unwrap();
}

fn once_waits(racy: bool) {
    static O: Once = Once::new();
    let all: Vec<_> = (0..3)
        .map(|_| {
            thread::spawn(|| {
                G.wait(1);
                O.call_once(|| unreachable!());
                V.get();
                G.step();
            })
        })
        .collect();
    O.call_once(|| {
        G.step();
        linger();
        V.put(1);
    });
    if racy {
        G.wait(4);
        V.put(2);
    }
    all.into_iter().for_each(|t| t.join().unwrap());
}

fn once_poisoned(racy: bool) {
    std::panic::set_hook(Box::new(|_| {}));
    static O: Once = Once::new();
    let t = thread::spawn(move || {
        let _ = catch_unwind(|| {
            O.call_once(|| {
                V.put(1);
                if racy {
                    G.step();
                    G.wait(2);
                }
                panic!("on purpose")
            })
        });
        G.step();
    });
    G.wait(1);
    if racy {
        V.get();
        G.step();
    }
    O.call_once_force(|s| {
        assert!(s.is_poisoned());
        V.put(2);
    });
    t.join().unwrap();
}

fn once_lock(racy: bool) {
    static O: OnceLock<Box<Plain>> = OnceLock::new();
    let t = thread::spawn(move || {
        let b = O.get_or_init(|| {
            let b = Box::new(Plain::new());
            b.put(1);
            b
        });
        if racy {
            b.put(2);
        }
        G.step();
    });
    G.wait(1);
    O.get().unwrap().get();
    t.join().unwrap();
}

fn once_lock_set(racy: bool) {
    static O: OnceLock<u64> = OnceLock::new();
    let t = thread::spawn(move || {
        if !racy {
            V.put(1);
        }
        O.set(4).unwrap();
        if racy {
            V.put(1);
        }
        G.step();
    });
    assert_eq!(*O.wait(), 4);
    G.wait(1);
    V.get();
    assert!(O.set(5).is_err());
    t.join().unwrap();
}

static L: LazyLock<Plain> = LazyLock::new(|| {
    linger();
    let p = Plain::new();
    p.put(1);
    p
});

fn lazy_lock(racy: bool) {
    let all: Vec<_> = (0..4)
        .map(|i| {
            thread::spawn(move || {
                let p: &Plain = &L;
                if racy && i == 0 {
                    G.wait(3);
                    p.put(2);
                } else if !racy || i == 1 {
                    p.get();
                }
                G.step();
            })
        })
        .collect();
    all.into_iter().for_each(|t| t.join().unwrap());
}

fn barrier(racy: bool) {
    let b = Arc::new(Barrier::new(3));
    let own: Arc<[Plain; 3]> = Arc::new(std::array::from_fn(|_| Plain::new()));
    let all: Vec<_> = (0..3)
        .map(|i| {
            let (b, own) = (Arc::clone(&b), Arc::clone(&own));
            thread::spawn(move || {
                for round in 0..20 {
                    own[(i + round) % 3].put(1);
                    b.wait();
                }
                if racy && i != 2 {
                    if i == 1 {
                        G.wait(1);
                    }
                    V.put(1);
                    G.step();
                }
                i
            })
        })
        .collect();
    all.into_iter().for_each(|t| {
        t.join().unwrap();
    });
}

/// What is done after the barrier is not ordered before the others' going on.
fn barrier_after(racy: bool) {
    static W: Plain = Plain::new();
    let b = Arc::new(Barrier::new(2));
    let c = Arc::clone(&b);
    let t = thread::spawn(move || {
        W.put(1);
        let leads = c.wait().is_leader();
        if racy {
            V.put(1);
        }
        G.step();
        leads
    });
    let mine = b.wait().is_leader();
    G.wait(1);
    W.get();
    V.get();
    assert!(t.join().unwrap() != mine);
}

/// Everybody prints: a lock that one thread may take twice.
fn stdout(racy: bool) {
    let all: Vec<_> = (0..4)
        .map(|i| {
            thread::spawn(move || {
                for n in 0..10 {
                    println!("{i}: {n}");
                    let mut o = std::io::stdout().lock();
                    use std::io::Write;
                    writeln!(o, "{i}").unwrap();
                    println!("{i} again");
                    if !racy {
                        V.put(1);
                    }
                }
            })
        })
        .collect();
    if racy {
        let o = std::io::stdout().lock();
        G.step();
        drop(o);
    }
    all.into_iter().for_each(|t| t.join().unwrap());
    if racy {
        let t = thread::spawn(|| {
            V.put(1);
            G.step();
        });
        G.wait(2);
        V.get();
        t.join().unwrap();
    }
}

fn environment(racy: bool) {
    let all: Vec<_> = (0..4)
        .map(|i| {
            thread::spawn(move || {
                for n in 0..10 {
                    unsafe { std::env::set_var(format!("ORDERED_{i}"), format!("{n}")) }
                    assert!(std::env::var(format!("ORDERED_{i}")).is_ok());
                    assert!(std::env::vars().count() > 0);
                }
                collide(racy, i);
            })
        })
        .collect();
    all.into_iter().for_each(|t| t.join().unwrap());
}
