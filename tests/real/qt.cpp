// SPDX-License-Identifier: Apache-2.0
//
// Qt as the distribution has it: what orders in it, used rightly by several threads. Prints what they computed.
#include <QtConcurrent>
#include <QtCore>
#include <cstdio>

static QMutex mutex;
static QReadWriteLock readers;
static int counter, shared_value;

struct Counting : QThread {
    int seen = 0;
    void run() override
    {
        for (int i = 0; i < 20000; i++) {
            QMutexLocker locked(&mutex);
            counter++;
        }
        QReadLocker locked(&readers);
        seen = shared_value;
    }
};

struct Task : QRunnable {
    int *item;
    QSemaphore *done;
    Task(int *i, QSemaphore *s) : item(i), done(s) {}
    void run() override
    {
        (*item)++;
        done->release();
    }
};

/* Takes the lock after so many milliseconds. */
struct Late : QThread {
    unsigned long after;
    explicit Late(unsigned long ms) : after(ms) {}
    void run() override
    {
        msleep(after);
        QWriteLocker locked(&readers);
        shared_value++;
    }
};

static void once_more(int &item) { item++; }

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    {
        Counting threads[2];
        for (auto &t : threads)
            t.start();
        {
            QWriteLocker locked(&readers);
            shared_value = 3;
        }
        for (auto &t : threads)
            t.wait();
    }
    std::printf("counted %d\n", counter);

    shared_value = 0;
    Late waits(0), comes_later(300); // for whoever has waited once a lock is given up in another way
    waits.start();
    comes_later.start();
    readers.lockForWrite();
    QThread::msleep(100);
    shared_value++;
    readers.unlock();
    waits.wait();
    comes_later.wait();
    std::printf("locked %d\n", shared_value);

    QVector<int> numbers(2000, 3);
    for (int i = 0; i < 50; i++)
        QtConcurrent::blockingMap(numbers, once_more);
    std::printf("mapped %d\n", numbers[1999]);

    int items[50], sum = 0;
    QSemaphore done;
    for (int i = 0; i < 50; i++) {
        items[i] = i;
        QThreadPool::globalInstance()->start(new Task(&items[i], &done));
    }
    done.acquire(50);
    for (int i : items)
        sum += i;
    std::printf("pooled %d\n", sum);

    QThread thread;
    QObject there;
    QSemaphore called;
    int got = 0;
    there.moveToThread(&thread);
    thread.start();
    for (int i = 0; i < 50; i++) {
        int *item = new int(i);
        QMetaObject::invokeMethod(
            &there,
            [item, &got, &called] {
                got += *item;
                delete item;
                called.release();
            },
            Qt::QueuedConnection);
    }
    called.acquire(50);
    thread.quit();
    thread.wait();
    std::printf("called %d\n", got);
    return 0;
}
