// SPDX-License-Identifier: Apache-2.0
//
// Threads: beginning, ending, scopes, parking, thread-local variables, panics.
use crate::ghost::{collide, linger, Ghost, Plain};
use std::cell::{Cell, RefCell};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering::*};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

pub const CASES: &[crate::Case] = &[
    ("spawn", spawn),
    ("join", join),
    ("is_finished", is_finished),
    ("result", result),
    ("scope", scope),
    ("scope_end", scope_end),
    ("scope_siblings", scope_siblings),
    ("builder", builder),
    ("many", many),
    ("detached", detached),
    ("park", park),
    ("park_early", park_early),
    ("park_timeout", park_timeout),
    ("thread_local", thread_local),
    ("thread_local_end", thread_local_end),
    ("panic", panic),
    ("panic_payload", panic_payload),
    ("panic_in_scope", panic_in_scope),
    ("resume_unwind", resume_unwind),
    ("waker", waker),
    ("sleep", sleep),
];

static V: Plain = Plain::new();
static G: Ghost = Ghost::new();

fn spawn(racy: bool) {
    if !racy {
        V.put(1);
    }
    let t = thread::spawn(|| {
        G.wait(1);
        V.get()
    });
    if racy {
        V.put(1);
    }
    G.step();
    t.join().unwrap();
}

fn join(racy: bool) {
    let t = thread::spawn(|| {
        V.put(1);
        G.step();
    });
    G.wait(1);
    if racy {
        V.get();
    }
    t.join().unwrap();
    if !racy {
        V.get();
    }
}

/// It says that the thread is done, and orders nothing.
fn is_finished(racy: bool) {
    let t = thread::spawn(|| V.put(1));
    while !t.is_finished() {
        thread::yield_now();
    }
    if racy {
        V.get();
    }
    t.join().unwrap();
    V.get();
}

fn result(racy: bool) {
    let t = thread::spawn(|| {
        let b = Box::new(Plain::new());
        b.put(7);
        let p = &*b as *const Plain as usize;
        (b, p)
    });
    let (b, p) = t.join().unwrap();
    let u = thread::spawn(move || {
        if racy {
            unsafe { (*(p as *const Plain)).put(8) }
        }
        G.step();
    });
    G.wait(1);
    assert!(b.get() >= 7);
    u.join().unwrap();
}

fn scope(racy: bool) {
    let v = Plain::new();
    v.put(1);
    thread::scope(|s| {
        let t = s.spawn(|| {
            v.put(v.get() + 1);
            G.step();
        });
        G.wait(1);
        if racy {
            v.get();
        }
        t.join().unwrap();
        v.put(3);
    });
    v.get();
}

/// Its end waits for the threads that nobody joined.
fn scope_end(racy: bool) {
    let v = Plain::new();
    let w: [Plain; 4] = std::array::from_fn(|_| Plain::new());
    thread::scope(|s| {
        for x in &w {
            s.spawn(move || {
                linger();
                x.put(1);
            });
        }
        s.spawn(|| {
            // The handle is dropped by now: who does so after the thread's end comes after it.
            G.wait(1);
            v.put(1);
            G.step();
        });
        G.step();
        G.wait(2);
        if racy {
            v.get();
        }
    });
    v.get();
    w.iter().for_each(|x| x.put(2));
}

fn scope_siblings(racy: bool) {
    let v = [Plain::new(), Plain::new()];
    thread::scope(|s| {
        for w in &v {
            s.spawn(move || w.put(1));
        }
        (0..2).for_each(|i| drop(s.spawn(move || collide(racy, i))));
    });
}

fn builder(racy: bool) {
    let name = thread::Builder::new()
        .name("worker".into())
        .stack_size(1 << 20)
        .spawn(move || {
            if racy {
                G.wait(1);
            }
            V.get();
            thread::current().name().map(str::to_owned)
        })
        .map(|t| {
            if racy {
                V.put(1);
                G.step();
            }
            t.join().unwrap()
        })
        .unwrap();
    assert_eq!(name.as_deref(), Some("worker"));
    V.put(2);
}

/// Several begin and end at a time: the library's own tables (stacks, handles, ids) must be quiet.
fn many(racy: bool) {
    for round in 0..6 {
        let all: Vec<_> = (0..8)
            .map(|i| {
                thread::spawn(move || {
                    collide(racy && round == 5, i);
                    format!("{:?} {:?}", thread::current().id(), thread::current().name())
                })
            })
            .collect();
        let mut said: Vec<_> = all.into_iter().map(|t| t.join().unwrap()).collect();
        said.sort();
        said.dedup();
        assert_eq!(said.len(), 8);
    }
}

/// Nobody joins it; a flag says that it is done.
fn detached(racy: bool) {
    static DONE: AtomicBool = AtomicBool::new(false);
    drop(thread::spawn(move || {
        G.wait(1);
        V.put(1);
        DONE.store(true, if racy { Relaxed } else { Release });
    }));
    G.step();
    while !DONE.load(Acquire) {
        thread::yield_now();
    }
    V.get();
}

fn park(racy: bool) {
    static READY: AtomicBool = AtomicBool::new(false);
    let t = thread::spawn(move || {
        while !READY.load(Relaxed) {
            thread::park();
        }
        G.wait(1);
        V.get();
    });
    linger();
    if !racy {
        V.put(1);
    }
    READY.store(true, Relaxed);
    t.thread().unpark();
    if racy {
        V.put(1);
    }
    G.step();
    t.join().unwrap();
}

/// The permission is there before it is waited for.
fn park_early(racy: bool) {
    let t = thread::spawn(|| {
        G.wait(1);
        thread::park();
        V.get();
    });
    if !racy {
        V.put(1);
    }
    t.thread().unpark();
    if racy {
        V.put(1);
    }
    G.step();
    t.join().unwrap();
}

/// One that was not woken was not ordered.
fn park_timeout(racy: bool) {
    let t = thread::spawn(move || {
        if racy {
            G.wait(1);
        }
        thread::park_timeout(if racy { Duration::from_millis(1) } else { Duration::from_secs(100) });
        V.get();
    });
    V.put(1);
    G.step();
    if !racy {
        t.thread().unpark();
    }
    t.join().unwrap();
}

thread_local! {
    static OWN: Cell<u64> = const { Cell::new(0) };
    static LAZY: RefCell<Vec<u64>> = RefCell::new(vec![0]);
}

fn thread_local(racy: bool) {
    OWN.set(1);
    let all: Vec<_> = (0..4)
        .map(|i| {
            thread::spawn(move || {
                OWN.set(OWN.get() + i);
                LAZY.with_borrow_mut(|l| l.push(i));
                LAZY.with_borrow(|l| assert_eq!(l[..], [0, i]));
            })
        })
        .collect();
    all.into_iter().for_each(|t| t.join().unwrap());
    let own = OWN.with(|o| o as *const Cell<u64> as usize);
    let t = thread::spawn(move || {
        if racy {
            unsafe { (*(own as *const Cell<u64>)).set(5) }
        }
        G.step();
    });
    G.wait(1);
    OWN.set(2);
    t.join().unwrap();
}

struct AtEnd;

impl Drop for AtEnd {
    fn drop(&mut self) {
        V.put(9);
        G.step();
    }
}

/// Its destructors have run when it is joined.
fn thread_local_end(racy: bool) {
    thread_local!(static END: RefCell<Option<AtEnd>> = const { RefCell::new(None) });
    let t = thread::spawn(|| END.with_borrow_mut(|e| *e = Some(AtEnd)));
    if racy {
        G.wait(1);
        V.get();
    }
    t.join().unwrap();
    V.get();
}

fn quiet() {
    std::panic::set_hook(Box::new(|_| {}));
}

fn panic(racy: bool) {
    quiet();
    let t = thread::spawn(|| {
        V.put(1);
        G.step();
        panic!("on purpose");
    });
    if racy {
        G.wait(1);
        V.get();
    }
    t.join().unwrap_err();
    V.get();
}

fn panic_payload(racy: bool) {
    quiet();
    let t = thread::spawn(|| {
        let p = Arc::new(Plain::new());
        p.put(4);
        std::panic::panic_any(p);
    });
    let p = t.join().unwrap_err().downcast::<Arc<Plain>>().unwrap();
    let q = Arc::clone(&p);
    let u = thread::spawn(move || {
        if racy {
            q.put(5);
        }
        G.step();
    });
    G.wait(1);
    p.get();
    u.join().unwrap();
}

fn panic_in_scope(racy: bool) {
    quiet();
    let v = Plain::new();
    catch_unwind(AssertUnwindSafe(|| {
        thread::scope(|s| {
            s.spawn(|| {
                G.wait(1);
                v.put(1);
                G.step();
                panic!("on purpose");
            });
            G.step();
            if racy {
                G.wait(2);
                v.get();
            }
        })
    }))
    .unwrap_err();
    v.get();
}

fn resume_unwind(racy: bool) {
    quiet();
    let t = thread::spawn(move || {
        let caught = catch_unwind(|| {
            V.put(1);
            panic!("on purpose");
        });
        G.step();
        std::panic::resume_unwind(caught.unwrap_err());
    });
    if racy {
        G.wait(1);
        V.get();
    }
    assert_eq!(*t.join().unwrap_err().downcast::<&str>().unwrap(), "on purpose");
    V.get();
}

/// A future that another thread completes, and the smallest executor.
fn waker(racy: bool) {
    use std::future::{poll_fn, Future};
    use std::pin::pin;
    use std::sync::Mutex;
    use std::task::{Context, Poll, Wake, Waker};
    struct Unpark(thread::Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    static SLOT: Mutex<(bool, Option<Waker>)> = Mutex::new((false, None));
    let t = thread::spawn(move || {
        if !racy {
            V.put(1);
        }
        linger();
        let mut slot = SLOT.lock().unwrap();
        slot.0 = true;
        let w = slot.1.take();
        drop(slot);
        if racy {
            V.put(1);
        }
        if let Some(w) = w {
            w.wake();
        }
        G.step();
    });
    let mut future = pin!(poll_fn(|c| {
        let mut slot = SLOT.lock().unwrap();
        if slot.0 {
            return Poll::Ready(());
        }
        slot.1 = Some(c.waker().clone());
        Poll::Pending
    }));
    if racy {
        // It finds the result without having been woken.
        while !SLOT.lock().unwrap().0 {
            thread::yield_now();
        }
        G.wait(1);
    }
    let waker = Arc::new(Unpark(thread::current())).into();
    while future.as_mut().poll(&mut Context::from_waker(&waker)).is_pending() {
        thread::park();
    }
    V.get();
    t.join().unwrap();
}

/// Time orders nothing.
fn sleep(racy: bool) {
    let t = thread::spawn(|| V.put(1));
    if racy {
        linger();
        V.get();
    }
    t.join().unwrap();
}
