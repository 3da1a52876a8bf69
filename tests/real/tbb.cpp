/* SPDX-License-Identifier: Apache-2.0
 *
 * What oneTBB orders: parallel loops, reductions, groups of tasks, sorting, queues, a flow graph, thread-local sums and a pipeline. Correct: nothing may
 * be reported where the library is instrumented, too.
 */
#include <tbb/tbb.h>

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

static long loops(std::vector<int> &v)
{
    tbb::parallel_for(0, (int)v.size(), [&](int i) { v[i] += i % 3; });
    long sum = tbb::parallel_reduce(
        tbb::blocked_range<size_t>(0, v.size()), 0L,
        [&](const tbb::blocked_range<size_t> &r, long s) {
            for (size_t i = r.begin(); i < r.end(); i++)
                s += v[i];
            return s;
        },
        std::plus<long>());
    tbb::parallel_invoke([&] { v[0]++; }, [&] { v[1]++; }, [&] { v[2]++; });
    tbb::parallel_sort(v.begin(), v.end());
    tbb::enumerable_thread_specific<int> local(0);
    tbb::parallel_for(0, 1000, [&](int i) { local.local() += i; });
    return sum + local.combine(std::plus<int>());
}

static long tasks()
{
    std::vector<std::string> names(50);
    tbb::task_group group;
    for (int i = 0; i < 50; i++)
        group.run([&names, i] { names[i] = "name " + std::to_string(i); });
    group.wait();
    long sum = 0;
    for (const std::string &name : names)
        sum += (long)name.size();
    return sum;
}

static long queues()
{
    tbb::concurrent_queue<std::vector<int> *> queue;
    tbb::parallel_for(0, 100, [&](int i) { queue.push(new std::vector<int>(5, i)); });
    long sum = 0;
    std::vector<int> *each;
    while (queue.try_pop(each)) {
        sum += (*each)[2];
        delete each;
    }
    return sum;
}

static long graph()
{
    int sum = 0;
    tbb::flow::graph graph;
    tbb::flow::function_node<int, int> square(graph, tbb::flow::unlimited, [](int x) { return x * x; });
    tbb::flow::function_node<int, int> add(graph, tbb::flow::serial, [&](int x) {
        sum += x;
        return x;
    });
    tbb::flow::make_edge(square, add);
    for (int i = 0; i < 30; i++)
        square.try_put(i);
    graph.wait_for_all();
    return sum;
}

static long pipeline()
{
    int stage = 0;
    long sum = 0;
    tbb::parallel_pipeline(4, tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order,
                                                          [&](tbb::flow_control &control) {
                                                              if (stage == 100)
                                                                  control.stop();
                                                              return stage++;
                                                          }) &
                                  tbb::make_filter<int, int>(tbb::filter_mode::parallel, [](int x) { return x + 1; }) &
                                  tbb::make_filter<int, void>(tbb::filter_mode::serial_in_order, [&](int x) { sum += x; }));
    return sum;
}

int main()
{
    tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 4);
    std::vector<int> v(20000, 1);
    long total = 0;
    for (int round = 0; round < 20; round++)
        total += loops(v) + tasks() + queues() + graph() + pipeline();
    printf("%ld\n", total);
    return 0;
}
