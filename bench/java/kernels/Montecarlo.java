// SPDX-License-Identifier: Apache-2.0
package kernels;

import java.util.ArrayList;
import java.util.List;

/**
 * The Monte Carlo simulation of the Java Grande suite: price paths of a random walk, from each path its expected
 * return and volatility. The size is the number of paths (size A of the suite: 2,000, of 1,000 steps each). Tasks are
 * read by the threads, results go into one list under its monitor.
 */
final class Montecarlo extends Kernel {
    static final int SIZE = 2000;
    static final int REDUCED = 200;
    private static final double MEAN_RETURN = 0.04752406140402759;
    private static final int STEPS = 1000;
    private static final int YEAR = 365;

    private static final class Start {
        double price;
        double drift;
        double volatility;
    }

    private static final class Task {
        Start start;
        long seed;
        int number;
    }

    private static final class Path {
        double[] prices;
        double[] returns;

        Path(Task task) {
            prices = new double[STEPS + 1];
            returns = new double[STEPS];
            Start start = task.start;
            Lcg random = new Lcg(task.seed);
            double dt = 1.0 / YEAR;
            double mean = (start.drift - 0.5 * start.volatility * start.volatility) * dt;
            double deviation = start.volatility * Math.sqrt(dt);
            prices[0] = start.price;
            for (int i = 0; i < STEPS; i++)
                prices[i + 1] = prices[i] * Math.exp(mean + deviation * random.nextGaussian());
            for (int i = 0; i < STEPS; i++)
                returns[i] = Math.log(prices[i + 1] / prices[i]);
        }
    }

    private static final class Result {
        int number;
        double expectedReturn;
        double volatility;

        Result(Task task, Path path) {
            number = task.number;
            double sum = 0;
            for (double one : path.returns)
                sum += one;
            double mean = sum / STEPS;
            double squares = 0;
            for (double one : path.returns)
                squares += (one - mean) * (one - mean);
            volatility = Math.sqrt(squares / (STEPS - 1) * YEAR);
            expectedReturn = mean * YEAR + 0.5 * volatility * volatility;
        }
    }

    private final Task[] tasks;
    private final List<Result> results = new ArrayList<>();

    Montecarlo(int threads, int size) {
        super(threads, size);
        Start start = new Start();
        start.price = 100;
        start.drift = 0.05;
        start.volatility = 0.2;
        tasks = new Task[size];
        for (int i = 0; i < size; i++) {
            tasks[i] = new Task();
            tasks[i].start = start;
            tasks[i].seed = 11L * i + 1;
            tasks[i].number = i;
        }
    }

    @Override
    void run(int id) {
        for (int i = first(size, id); i < first(size, id + 1); i++) {
            Result result = new Result(tasks[i], new Path(tasks[i]));
            synchronized (results) {
                results.add(result);
            }
        }
    }

    @Override
    void check() {
        double[] byNumber = new double[size];
        for (Result result : results) {
            byNumber[result.number] = result.expectedReturn;
            expect(Math.abs(result.volatility - 0.2) < 0.05, "a path's volatility is " + result.volatility);
        }
        double sum = 0;
        for (double one : byNumber)
            sum += one;
        expect(results.size() == size, "results are missing");
        if (size == SIZE)
            expectNear(sum / size, MEAN_RETURN, "the mean return");
    }
}
