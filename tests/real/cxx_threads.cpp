/* SPDX-License-Identifier: Apache-2.0
 *
 * A race-free C++20 program made of what the standard library gives for threads: each part hands plain data over by one
 * construct, and a sum over all parts is printed.  Half of the library's code is not instrumented, for it
 * lies in libstdc++.so: what is tested is that no false race comes of that.
 */
#include <algorithm>
#include <any>
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <iostream>
#include <latch>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <semaphore>
#include <shared_mutex>
#include <sstream>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace {

using words = std::map<std::string, long>;

constexpr int rounds = 40;
constexpr int threads = 4;

/* Futures: std::async that starts a thread, and one that waits to be asked. */
long async_words()
{
    std::vector<std::string> lines;
    for (int i = 0; i < 400; i++) {
        std::ostringstream line;
        line << "word" << i % 7 << " and word" << i % 11 << " on line " << i;
        lines.push_back(line.str());
    }
    std::vector<std::future<words>> parts;
    for (int t = 0; t < threads; t++)
        parts.push_back(std::async(t % 2 ? std::launch::async : std::launch::deferred, [&lines, t] {
            words count;
            for (size_t i = static_cast<size_t>(t); i < lines.size(); i += threads) {
                std::istringstream in(lines[i]);
                for (std::string word; in >> word;) count[word]++;
            }
            return count;
        }));
    words all;
    for (auto &part : parts)
        for (const auto &[word, n] : part.get()) all[word] += n;
    return std::accumulate(all.begin(), all.end(), 0L,
                           [](long sum, const auto &entry) { return sum + entry.second * static_cast<long>(entry.first.size()); });
}

/* An exception that is thrown by one thread, kept by a promise and caught by several: its reference count
 * lies in the library. */
long exceptions()
{
    long sum = 0;
    for (int i = 0; i < rounds; i++) {
        std::promise<std::string> promise;
        std::shared_future<std::string> result = promise.get_future().share();
        std::atomic<long> caught{0};
        std::vector<std::thread> readers;
        for (int t = 0; t < threads; t++)
            readers.emplace_back([result, &caught] {
                try {
                    result.get();
                } catch (const std::runtime_error &error) {
                    caught += static_cast<long>(std::string(error.what()).size());
                }
            });
        std::thread writer([&promise, i] {
            try {
                throw std::runtime_error("thrown in another thread, round " + std::to_string(i + 100));
            } catch (...) {
                promise.set_exception(std::current_exception());
            }
        });
        writer.join();
        for (auto &reader : readers) reader.join();
        sum += caught;
    }
    return sum;
}

/* shared_ptr and weak_ptr: whoever is last frees what all have used. */
long shared_pointers()
{
    std::atomic<long> sum{0};
    for (int i = 0; i < rounds; i++) {
        auto data = std::make_shared<std::vector<long>>(100, i);
        std::weak_ptr<std::vector<long>> weak = data;
        std::vector<std::thread> users;
        for (int t = 0; t < threads; t++)
            users.emplace_back([data, weak, &sum]() mutable {
                sum += std::accumulate(data->begin(), data->end(), 0L);
                data.reset();
                if (auto again = weak.lock()) sum += (*again)[0] - again->back();
            });
        data.reset();
        for (auto &user : users) user.join();
    }
    return sum;
}

/* A queue with condition_variable_any and a stop token; jthread joins by itself. */
long queue()
{
    std::mutex mutex;
    std::condition_variable_any changed;
    std::deque<std::unique_ptr<long>> waiting;
    long sum = 0;
    {
        std::jthread consumer([&](std::stop_token stop) {
            std::unique_lock lock(mutex);
            while (changed.wait(lock, stop, [&] { return !waiting.empty(); })) {
                sum += *waiting.front();
                waiting.pop_front();
            }
        });
        std::vector<std::jthread> producers;
        for (int t = 0; t < threads; t++)
            producers.emplace_back([&, t] {
                for (long i = 0; i < 100; i++) {
                    auto item = std::make_unique<long>(t * 1000 + i);
                    {
                        std::lock_guard lock(mutex);
                        waiting.push_back(std::move(item));
                    }
                    changed.notify_one();
                }
            });
        producers.clear();
        for (;;) {
            std::lock_guard lock(mutex);
            if (waiting.empty()) break;
        }
        consumer.request_stop();
    }
    return sum;
}

/* Semaphores, latches and barriers of C++20 wait in headers, by futex calls. */
long counting()
{
    long plain = 0, sum = 0;
    std::binary_semaphore turn{1};
    std::counting_semaphore<8> items{0};
    std::latch started{threads};
    std::vector<long> slots(threads), totals;
    std::barrier phase(threads, [&]() noexcept { totals.push_back(std::accumulate(slots.begin(), slots.end(), 0L)); });
    std::vector<std::thread> all;
    for (int t = 0; t < threads; t++)
        all.emplace_back([&, t] {
            slots[static_cast<size_t>(t)] = t;
            started.arrive_and_wait();
            long before = std::accumulate(slots.begin(), slots.end(), 0L);
            phase.arrive_and_wait();
            for (int i = 0; i < rounds; i++) {
                slots[static_cast<size_t>(t)] += before + totals.back();
                phase.arrive_and_wait();
                turn.acquire();
                plain++;
                turn.release();
                items.release();
                items.acquire();
                phase.arrive_and_wait();
            }
        });
    for (auto &thread : all) thread.join();
    for (long total : totals) sum = (sum * 31 + total) % 1000003;
    return sum + plain;
}

/* shared_mutex, timed locks, scoped_lock over two, call_once, statics made on first use, thread_local. */
struct table {
    table() : rows(50, 1) {}
    std::vector<long> rows;
};

const table &the_table()
{
    static const table only;
    return only;
}

thread_local std::vector<long> scratch;

long locks()
{
    std::shared_mutex rows;
    std::timed_mutex left;
    std::recursive_timed_mutex right;
    std::once_flag once;
    std::unordered_map<int, long> map;
    std::unique_ptr<long> base;
    long moved = 0;
    std::vector<std::thread> all;
    for (int t = 0; t < threads; t++)
        all.emplace_back([&, t] {
            std::call_once(once, [&] { base = std::make_unique<long>(5); });
            for (int i = 0; i < rounds; i++) {
                scratch.push_back(*base + the_table().rows[static_cast<size_t>(i)]);
                {
                    std::scoped_lock both(left, right);
                    moved++;
                }
                if (left.try_lock_for(std::chrono::hours(1))) {
                    moved++;
                    left.unlock();
                }
                if (t == 0) {
                    std::unique_lock lock(rows);
                    map[i] = i;
                } else {
                    std::shared_lock lock(rows);
                    auto found = map.find(i);
                    if (found != map.end() && found->second != i) std::abort();
                }
            }
            std::unique_lock lock(rows);
            map[-1 - t] += std::accumulate(scratch.begin(), scratch.end(), 0L);
        });
    for (auto &thread : all) thread.join();
    return std::accumulate(map.begin(), map.end(), moved, [](long sum, const auto &entry) { return sum + entry.second; });
}

/* atomic::wait, atomic_ref, atomic<shared_ptr>, fences, packaged tasks, when_all by hand. */
long atomics()
{
    long sum = 0;
    for (int i = 0; i < rounds; i++) {
        std::atomic<int> flag{0};
        std::atomic<std::shared_ptr<const std::string>> current;
        std::string text;
        int published = 0, fenced = 0;
        std::thread waiter([&] {
            flag.wait(0);
            while (flag.load(std::memory_order_relaxed) < 2) flag.wait(1);
            std::atomic_thread_fence(std::memory_order_acquire);
            sum += static_cast<long>(text.size()) + fenced;
            while (!std::atomic_ref<int>(published).load(std::memory_order_acquire)) std::this_thread::yield();
            sum += static_cast<long>(current.load()->size());
        });
        text = "handed over by an atomic";
        fenced = 3;
        std::atomic_thread_fence(std::memory_order_release);
        flag.store(1, std::memory_order_relaxed);
        flag.notify_one();
        flag.store(2, std::memory_order_relaxed);
        flag.notify_one();
        current.store(std::make_shared<const std::string>("round " + std::to_string(i + 10)));
        std::atomic_ref<int>(published).store(1, std::memory_order_release);
        waiter.join();
        std::packaged_task<long(std::vector<long>)> task([](std::vector<long> v) { return std::accumulate(v.begin(), v.end(), 0L); });
        auto result = task.get_future();
        std::thread runner(std::move(task), std::vector<long>(10, i));
        runner.detach(); /* the future alone orders */
        sum += result.get();
    }
    return sum;
}

/* The library's own objects, used by several threads as the standard allows: locale, streams, to_string. */
long library()
{
    std::vector<std::future<std::string>> texts;
    for (int t = 0; t < threads; t++)
        texts.push_back(std::async(std::launch::async, [t] {
            std::ostringstream out;
            out.imbue(std::locale::classic());
            for (int i = 0; i < rounds; i++) {
                out << std::fixed << 0.5 * i << ' ' << std::boolalpha << (i % 2 == 0) << ' ';
                std::any value = std::string("any ") + std::to_string(t);
                out << std::any_cast<std::string>(value);
            }
            return out.str();
        }));
    long sum = 0;
    for (auto &text : texts) sum += static_cast<long>(text.get().size());
    return sum;
}

} // namespace

int main()
{
    std::cout << "async " << async_words() << "\nexceptions " << exceptions() << "\npointers " << shared_pointers()
              << "\nqueue " << queue() << "\ncounting " << counting() << "\nlocks " << locks() << "\natomics " << atomics()
              << "\nlibrary " << library() << std::endl;
    return 0;
}
