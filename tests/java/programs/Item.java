// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

/** What is passed on. Every kind of queue can hold it. */
final class Item implements Delayed {
    int value;

    @Override
    public long getDelay(TimeUnit unit) {
        return 0;
    }

    @Override
    public int compareTo(Delayed other) {
        return 0;
    }
}
