// SPDX-License-Identifier: Apache-2.0
//
// std::sync::mpsc: unbounded, bounded, rendezvous; and pipes, which the kernel makes.
use crate::ghost::{collide, linger, Ghost, Plain};
use std::io::{Read, Write};
use std::sync::mpsc::*;
use std::thread;
use std::time::Duration;

pub const CASES: &[crate::Case] = &[
    ("channel", send),
    ("channel_box", boxed),
    ("channel_many", many),
    ("channel_disconnect", disconnect),
    ("channel_waits", waits),
    ("channel_timeout", timeout),
    ("channel_backwards", backwards),
    ("bounded", bounded),
    ("bounded_full", bounded_full),
    ("bounded_many", bounded_many),
    ("rendezvous", rendezvous),
    ("rendezvous_backwards", rendezvous_backwards),
    ("rendezvous_many", rendezvous_many),
    ("pipe", pipe),
    ("stream", stream),
];

static V: Plain = Plain::new();
static G: Ghost = Ghost::new();

/// What the sender did before it is there for the receiver.
fn hand_over(racy: bool, send: impl FnOnce(u64) + Send + 'static, receive: impl FnOnce() -> u64) {
    let t = thread::spawn(move || {
        if !racy {
            V.put(1);
        }
        send(7);
        if racy {
            V.put(1);
        }
        G.step();
    });
    assert_eq!(receive(), 7);
    G.wait(1);
    V.get();
    t.join().unwrap();
}

fn send(racy: bool) {
    let (s, r) = channel();
    hand_over(racy, move |x| s.send(x).unwrap(), move || r.recv().unwrap());
}

fn bounded(racy: bool) {
    let (s, r) = sync_channel(4);
    hand_over(racy, move |x| s.send(x).unwrap(), move || r.iter().next().unwrap());
}

fn rendezvous(racy: bool) {
    let (s, r) = sync_channel(0);
    hand_over(racy, move |x| s.send(x).unwrap(), move || r.recv().unwrap());
}

fn waits(racy: bool) {
    let (s, r) = channel();
    hand_over(
        racy,
        move |x| {
            linger();
            s.send(x).unwrap()
        },
        move || r.recv_timeout(Duration::from_secs(100)).unwrap(),
    );
}

fn pipe(racy: bool) {
    let (mut r, mut w) = std::io::pipe().unwrap();
    hand_over(
        racy,
        move |x| w.write_all(&[x as u8]).unwrap(),
        move || {
            let mut b = [0];
            r.read_exact(&mut b).unwrap();
            b[0].into()
        },
    );
}

fn stream(racy: bool) {
    let (mut r, mut w) = std::os::unix::net::UnixStream::pair().unwrap();
    hand_over(
        racy,
        move |x| w.write_all(&[x as u8]).unwrap(),
        move || {
            let mut b = [0];
            r.read_exact(&mut b).unwrap();
            b[0].into()
        },
    );
}

fn boxed(racy: bool) {
    let (s, r) = channel();
    let t = thread::spawn(move || {
        for i in 0..100 {
            let b = Box::new(Plain::new());
            b.put(i);
            let p = &*b as *const Plain;
            s.send(b).unwrap();
            if racy && i == 99 {
                G.wait(1);
                unsafe { (*p).put(3) }
                G.step();
            }
        }
    });
    let all: Vec<Box<Plain>> = r.iter().take(100).collect();
    G.step();
    if racy {
        G.wait(2);
    }
    for b in &all {
        b.get();
    }
    t.join().unwrap();
}

/// Blocks of the queue are passed on, filled and freed by several threads.
fn many(racy: bool) {
    let (s, r) = channel::<(u64, Vec<u64>)>();
    let all: Vec<_> = (0..4)
        .map(|i| {
            let s = s.clone();
            thread::spawn(move || {
                for n in 0..100 {
                    s.send((i, vec![n; 3])).unwrap();
                    if n % 32 == 0 {
                        thread::yield_now();
                    }
                }
                drop(s);
                collide(racy, i);
            })
        })
        .collect();
    drop(s);
    let mut next = [0; 4];
    for (i, v) in r {
        assert_eq!(v, [next[i as usize]; 3]);
        next[i as usize] += 1;
    }
    assert_eq!(next, [100; 4]);
    all.into_iter().for_each(|t| t.join().unwrap());
}

/// The end of the channel is a message, too.  Who comes when it is there already finds it by a relaxed load: the fence with which the next `recv` begins is
/// what orders.
fn disconnect(racy: bool) {
    let (s, r) = channel::<u64>();
    let t = thread::spawn(move || {
        if !racy {
            V.put(1);
        }
        drop(s);
        if racy {
            V.put(1);
        }
        G.step();
    });
    assert!(r.recv().is_err());
    assert!(r.recv().is_err());
    G.wait(1);
    V.get();
    t.join().unwrap();
}

/// Nothing came: nothing is ordered.
fn timeout(racy: bool) {
    let (s, r) = channel::<u64>();
    let t = thread::spawn(move || {
        V.put(1);
        G.step();
        G.wait(2);
        s.send(1).unwrap();
    });
    G.wait(1);
    assert!(r.try_recv().is_err());
    assert!(r.recv_timeout(Duration::from_millis(5)).is_err());
    if racy {
        V.get();
    }
    G.step();
    r.recv().unwrap();
    V.get();
    t.join().unwrap();
}

/// A channel without a bound orders the sender after nothing that the receiver did, unless that waited and was woken.
fn backwards(racy: bool) {
    let (s, r) = channel();
    let t = thread::spawn(move || {
        s.send(1).unwrap();
        G.step();
        G.wait(2);
        s.send(2).unwrap();
        if racy {
            V.get();
        }
        G.step();
    });
    G.wait(1);
    V.put(1);
    r.recv().unwrap();
    G.step();
    G.wait(3);
    r.recv().unwrap();
    t.join().unwrap();
    V.get();
}

/// Room in a full channel comes from its receiver.
fn bounded_full(racy: bool) {
    let (s, r) = sync_channel(1);
    let t = thread::spawn(move || {
        s.send(1).unwrap();
        G.step();
        s.send(2).unwrap();
        G.wait(2);
        V.get();
        G.step();
    });
    G.wait(1);
    linger();
    if !racy {
        V.put(1);
    }
    r.recv().unwrap();
    if racy {
        V.put(1);
    }
    G.step();
    // Only now: one that waited, and was woken, would order the sender after itself.
    G.wait(3);
    r.recv().unwrap();
    t.join().unwrap();
}

fn bounded_many(racy: bool) {
    let (s, r) = sync_channel::<Box<u64>>(3);
    let all: Vec<_> = (0..4)
        .map(|i| {
            let s = s.clone();
            thread::spawn(move || {
                for n in 0..100 {
                    s.send(Box::new(n)).unwrap();
                }
                drop(s);
                collide(racy, i);
            })
        })
        .collect();
    drop(s);
    assert_eq!(r.iter().map(|b| *b).sum::<u64>(), 4 * 4950);
    all.into_iter().for_each(|t| t.join().unwrap());
}

fn rendezvous_backwards(racy: bool) {
    let (s, r) = sync_channel(0);
    let t = thread::spawn(move || {
        s.send(1).unwrap();
        G.wait(1);
        V.get();
    });
    if !racy {
        V.put(1);
    }
    r.recv().unwrap();
    if racy {
        V.put(1);
    }
    G.step();
    t.join().unwrap();
}

fn rendezvous_many(racy: bool) {
    let (s, r) = sync_channel::<[u64; 9]>(0);
    let all: Vec<_> = (0..3)
        .map(|i| {
            let s = s.clone();
            thread::spawn(move || {
                for n in 0..50 {
                    s.send([n; 9]).unwrap();
                }
                drop(s);
                collide(racy, i);
            })
        })
        .collect();
    drop(s);
    assert_eq!(r.iter().count(), 150);
    all.into_iter().for_each(|t| t.join().unwrap());
}
