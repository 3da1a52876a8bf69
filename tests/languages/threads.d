// SPDX-License-Identifier: Apache-2.0
//
// Threads of D: synchronized, mutexes, condition variables, semaphores, barriers, atomics, messages, parallel loops, an exception that a thread's join
// throws, and collections of garbage all the while. With an argument two threads also access, in an order that nobody is told of, a variable
// of the process, fields of a structure and an object, and an element of an array.
import core.atomic;
import core.memory;
import core.sync.barrier;
import core.sync.condition;
import core.sync.mutex;
import core.sync.rwmutex;
import core.sync.semaphore;
import core.thread;
import std.algorithm;
import std.array;
import std.concurrency;
import std.parallelism;
import std.range;
import std.stdio;

extern (C) void pass_turn();
extern (C) void await_turn(int n);

class Node
{
    int value;
    Node next;
    this(int value, Node next)
    {
        this.value = value;
        this.next = next;
    }
}

class Counter
{
    private long n;
    synchronized void add(int k)
    {
        (cast() this).n += k;
    }

    synchronized long get()
    {
        return (cast() this).n;
    }
}

struct Pair
{
    ubyte small;
    short middle;
    double large;
}

__gshared Mutex mutex;
__gshared Condition filled;
__gshared ReadWriteMutex readers;
__gshared Semaphore semaphore;
__gshared Barrier barrier;
__gshared Node list;
__gshared int[] queue;
__gshared long[string] table;
__gshared int handed;
__gshared long[4] parts;
shared Counter counter;
shared int flag;
shared long sums;

__gshared int hits;
__gshared Pair pair;
__gshared Node node;
__gshared int[] row;

void worker(size_t me)
{
    foreach (i; 0 .. 400)
    {
        auto garbage = new int[](50);
        garbage[] = i;
        synchronized (mutex)
            list = new Node(garbage[3], i % 50 ? list : null);
        counter.add(1);
        atomicOp!"+="(sums, garbage[7]);
        if (i % 100 == 99)
            GC.collect();
        if (i % 20 == 0)
            synchronized (readers.writer)
                table["a".repeat(i % 7 + 1).join] += 1;
        else
            synchronized (readers.reader)
                parts[me] += table.get("aaa", 0) < 0;
    }
    parts[me] = 1;
    barrier.wait();
    foreach (p; parts[0 .. 3])
        atomicOp!"+="(sums, p);
}

void taker()
{
    int taken;
    while (taken < 300)
        synchronized (mutex)
        {
            while (queue.empty)
                filled.wait();
            taken += queue.length;
            queue.length = 0;
        }
    handed = taken;
    semaphore.notify();
}

void receiver(Tid owner)
{
    long sum;
    foreach (i; 0 .. 300)
        receive((immutable(int)[] a) { sum += a.sum; }, (string s) { sum += s.length; });
    owner.send(sum);
}

void right()
{
    auto threads = iota(3).map!(i => ((size_t n) => new Thread({ worker(n); }))(i)).array;
    threads.each!(t => t.start());
    auto take = new Thread(&taker).start();
    foreach (i; 0 .. 300)
        synchronized (mutex)
        {
            queue ~= i;
            filled.notify();
        }
    semaphore.wait();
    handed++;
    auto other = spawn(&receiver, thisTid);
    foreach (i; 0 .. 300)
        if (i % 2)
            other.send([i, i].idup);
        else
            other.send("x".repeat(i % 5).join);
    auto received = receiveOnly!long;
    threads.each!(t => t.join());
    take.join();
    auto waits = new Thread({
        while (!atomicLoad!(MemoryOrder.acq)(flag))
            Thread.yield();
        handed++;
    }).start();
    handed++;
    atomicStore!(MemoryOrder.rel)(flag, 1);
    waits.join();
    auto failing = new Thread({ throw new Exception("as it is meant"); }).start();
    string said;
    try
        failing.join();
    catch (Exception e)
        said = e.msg;
    static int square(int n)
    {
        return n * n;
    }

    auto squares = taskPool.amap!square(iota(500).array);
    foreach (i, ref e; parallel(squares))
        e += cast(int) i;
    auto sum = taskPool.reduce!"a + b"(0L, iota(5000).map!(n => cast(long) n));
    writeln(counter.get(), " ", handed, " ", received, " ", said, " ", squares.sum, " ", sum, " ", atomicLoad(sums));
}

void first()
{
    await_turn(1);
    hits = 1; // @race A1
    pair.middle = 2; // @race B1
    node.value = 3; // @race C1
    row[2] = 4; // @race D1
    pass_turn();
}

void second()
{
    pass_turn();
    await_turn(2);
    hits = 2; // @race A2
    pair.middle = 3; // @race B2
    pair.large = 3;
    node.value = 4; // @race C2
    row[2] = 5; // @race D2
    row[3] = 5;
}

void main(string[] words)
{
    mutex = new Mutex;
    filled = new Condition(mutex);
    readers = new ReadWriteMutex;
    semaphore = new Semaphore;
    barrier = new Barrier(3);
    counter = new shared Counter;
    node = new Node(0, null);
    row = new int[](10);
    right();
    if (words.length > 1)
    {
        auto a = new Thread(&first).start(), b = new Thread(&second).start();
        a.join();
        b.join();
    }
    writeln("done");
}
