// SPDX-License-Identifier: Apache-2.0
//
// Qt as the distribution has it: what orders in it, used rightly by several threads. Prints what they computed.
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
