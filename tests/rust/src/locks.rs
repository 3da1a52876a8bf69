// SPDX-License-Identifier: Apache-2.0
//
// Mutex, RwLock and Condvar.
use crate::ghost::{collide, linger, Ghost, Plain};
use std::panic::catch_unwind;
use std::sync::*;
use std::thread;
use std::time::Duration;

pub const CASES: &[crate::Case] = &[
    ("mutex", mutex),
    ("mutex_waits", mutex_waits),
    ("mutex_value", mutex_value),
    ("try_lock", try_lock),
    ("try_lock_fails", try_lock_fails),
    ("poison", poison),
    ("rwlock", rwlock),
    ("rwlock_readers", rwlock_readers),
    ("rwlock_waits", rwlock_waits),
    ("rwlock_writer_first", rwlock_writer_first),
    ("try_read", try_read),
    ("condvar", condvar),
    ("condvar_all", condvar_all),
    ("condvar_timeout", condvar_timeout),
    ("condvar_outside", condvar_outside),
];

static V: Plain = Plain::new();
static M: Mutex<()> = Mutex::new(());
static R: RwLock<()> = RwLock::new(());
static C: Condvar = Condvar::new();
static G: Ghost = Ghost::new();

fn mutex(racy: bool) {
    static W: Plain = Plain::new();
    let t = thread::spawn(move || {
        for _ in 0..100 {
            let _m = M.lock().unwrap();
            V.put(V.get() + 1);
        }
        let m = (!racy).then(|| M.lock());
        W.put(1);
        drop(m);
        G.step();
    });
    for _ in 0..100 {
        let _m = M.lock().unwrap();
        V.put(V.get() + 1);
    }
    G.wait(1);
    let m = M.lock();
    W.get();
    drop(m);
    t.join().unwrap();
    assert_eq!(V.get(), 200);
}

/// The way through the kernel: who waits is woken by the unlock.
fn mutex_waits(racy: bool) {
    let m = M.lock().unwrap();
    let all: Vec<_> = (0..3)
        .map(|_| {
            thread::spawn(|| {
                G.step();
                let m = M.lock().unwrap();
                V.put(V.get() + 1);
                drop(m);
            })
        })
        .collect();
    G.wait(3);
    linger();
    if !racy {
        V.put(1);
    }
    drop(m);
    all.into_iter().for_each(|t| t.join().unwrap());
    assert!(V.get() >= 3);
    if racy {
        let m = M.lock().unwrap();
        let t = thread::spawn(|| {
            let m = M.lock().unwrap();
            G.wait(4);
            V.get();
            drop(m);
        });
        linger();
        drop(m);
        V.put(9);
        G.step();
        t.join().unwrap();
    }
}

fn mutex_value(racy: bool) {
    let m = Arc::new(Mutex::new(vec![0u64; 4]));
    let n = Arc::clone(&m);
    let t = thread::spawn(move || {
        let mut v = n.lock().unwrap();
        v[2] = 1;
        v.push(5);
        let p = v.as_ptr() as usize;
        drop(v);
        drop(n);
        G.step();
        p
    });
    let p = t.join().unwrap();
    let u = thread::spawn(move || {
        if racy {
            unsafe { (p as *mut u64).add(2).write(9) }
        }
        G.step();
    });
    G.wait(2);
    let v = Arc::try_unwrap(m).unwrap().into_inner().unwrap();
    assert!(v[2] > 0 && v.len() == 5);
    u.join().unwrap();
}

fn try_lock(racy: bool) {
    let t = thread::spawn(move || {
        let m = M.lock().unwrap();
        if !racy {
            V.put(1);
        }
        drop(m);
        if racy {
            V.put(1);
        }
        G.step();
    });
    G.wait(1);
    let m = M.try_lock().unwrap();
    V.get();
    drop(m);
    t.join().unwrap();
}

fn try_lock_fails(racy: bool) {
    let t = thread::spawn(|| {
        V.put(1);
        let m = M.lock().unwrap();
        G.step();
        G.wait(2);
        drop(m);
    });
    G.wait(1);
    assert!(M.try_lock().is_err());
    if racy {
        V.get();
    }
    G.step();
    t.join().unwrap();
    V.get();
}

fn poison(racy: bool) {
    std::panic::set_hook(Box::new(|_| {}));
    static P: Mutex<u64> = Mutex::new(0);
    let t = thread::spawn(move || {
        let mut p = P.lock().unwrap();
        *p = 1;
        if !racy {
            V.put(1);
        }
        let _end = Finally(racy);
        drop(catch_unwind(|| ()));
        let _p = p;
        panic!("on purpose");
    });
    // The value comes with the lock, as it is.
    G.wait(1);
    let p = loop {
        match P.lock() {
            Err(e) => break e.into_inner(),
            Ok(_) => thread::yield_now(),
        }
    };
    assert_eq!(*p, 1);
    G.wait(if racy { 2 } else { 1 });
    V.get();
    drop(p);
    t.join().unwrap_err();
}

struct Finally(bool);

impl Drop for Finally {
    fn drop(&mut self) {
        G.step();
        if self.0 {
            // Dropped after the guard.
            V.put(2);
        }
        G.step();
    }
}

fn rwlock(racy: bool) {
    let all: Vec<_> = (0..4)
        .map(|i| {
            thread::spawn(move || {
                for _ in 0..50 {
                    if i < 2 {
                        let _r = R.write().unwrap();
                        V.put(V.get() + 1);
                    } else {
                        let _r = R.read().unwrap();
                        V.get();
                    }
                }
            })
        })
        .collect();
    all.into_iter().for_each(|t| t.join().unwrap());
    assert_eq!(V.get(), 100);
    rwlock_readers(racy);
}

/// Two that read at the same time exclude only who writes.
fn rwlock_readers(racy: bool) {
    static W: Plain = Plain::new();
    let t = thread::spawn(move || {
        let r = R.read().unwrap();
        G.step();
        G.wait(2);
        if racy {
            W.put(1);
        }
        G.step();
        drop(r);
    });
    let r = R.read().unwrap();
    G.step();
    G.wait(3);
    W.get();
    drop(r);
    t.join().unwrap();
}

fn rwlock_waits(racy: bool) {
    let w = R.write().unwrap();
    let readers: Vec<_> = (0..3)
        .map(|_| {
            thread::spawn(move || {
                G.step();
                let r = R.read().unwrap();
                if racy {
                    G.wait(4);
                }
                V.get();
                drop(r);
            })
        })
        .collect();
    G.wait(3);
    linger();
    if !racy {
        V.put(1);
    }
    drop(w);
    if racy {
        V.put(1);
        G.step();
    }
    readers.into_iter().for_each(|t| t.join().unwrap());
    V.put(2);
}

/// A writer that waits for readers is ordered after what each of them did before its unlock.
fn rwlock_writer_first(racy: bool) {
    static END: Ghost = Ghost::new();
    let own: &'static [Plain; 3] = Box::leak(Box::new([Plain::new(), Plain::new(), Plain::new()]));
    let readers: Vec<_> = own
        .iter()
        .enumerate()
        .map(|(i, v)| {
            thread::spawn(move || {
                let r = R.read().unwrap();
                G.step();
                linger();
                if !racy || i != 1 {
                    v.put(1);
                }
                drop(r);
                if racy && i == 1 {
                    v.put(1);
                }
                END.step();
            })
        })
        .collect();
    G.wait(3);
    let w = R.write().unwrap();
    if racy {
        END.wait(3);
    }
    own.iter().for_each(|v| v.put(2));
    drop(w);
    readers.into_iter().for_each(|t| t.join().unwrap());
}

fn try_read(racy: bool) {
    let t = thread::spawn(move || {
        let w = R.write().unwrap();
        V.put(1);
        if racy {
            G.step();
            G.wait(2);
        }
        drop(w);
        G.step();
    });
    G.wait(1);
    match R.try_read() {
        Ok(_) => assert!(!racy),
        Err(_) => assert!(racy),
    }
    V.get();
    G.step();
    t.join().unwrap();
}

fn condvar(racy: bool) {
    static READY: Mutex<bool> = Mutex::new(false);
    let t = thread::spawn(move || {
        let mut r = READY.lock().unwrap();
        G.step();
        while !*r {
            r = C.wait(r).unwrap();
        }
        drop(r);
        if racy {
            G.wait(2);
        }
        V.get();
    });
    G.wait(1);
    linger();
    let mut r = READY.lock().unwrap();
    *r = true;
    if !racy {
        V.put(1);
    }
    drop(r);
    C.notify_one();
    if racy {
        V.put(1);
    }
    G.step();
    t.join().unwrap();
}

fn condvar_all(racy: bool) {
    static ROUND: Mutex<u64> = Mutex::new(0);
    let all: Vec<_> = (0..4)
        .map(|i| {
            thread::spawn(move || {
                let r = C.wait_while(ROUND.lock().unwrap(), |r| *r == 0).unwrap();
                V.get();
                drop(r);
                collide(racy, i);
            })
        })
        .collect();
    linger();
    V.put(1);
    *ROUND.lock().unwrap() = 1;
    C.notify_all();
    all.into_iter().for_each(|t| t.join().unwrap());
    V.put(2);
}

/// Its time is over, so nobody notified: only the mutex orders.
fn condvar_timeout(racy: bool) {
    let t = thread::spawn(move || {
        if !racy {
            let _m = M.lock().unwrap();
            V.put(1);
        }
        if racy {
            drop(M.lock().unwrap());
            V.put(1);
        }
        G.step();
    });
    G.wait(1);
    let (m, timeout) = C.wait_timeout(M.lock().unwrap(), Duration::from_millis(2)).unwrap();
    assert!(timeout.timed_out());
    V.get();
    drop(m);
    t.join().unwrap();
}

/// A notification alone orders nothing for one who did not wait for it.
fn condvar_outside(racy: bool) {
    let t = thread::spawn(|| {
        V.put(1);
        C.notify_all();
        G.step();
    });
    G.wait(1);
    C.notify_all();
    if racy {
        V.get();
    }
    t.join().unwrap();
}
