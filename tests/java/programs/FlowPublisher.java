// SPDX-License-Identifier: Apache-2.0
// An item submitted to a SubmissionPublisher is the subscriber's; the racy run goes on writing to it.
// EXPECT: race Item.value write @1 then read @2
import static goldilocks.test.Order.*;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;

class FlowPublisher {
    static class Reader implements Flow.Subscriber<Item> {
        final CountDownLatch done = new CountDownLatch(1);

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(10);
        }

        @Override
        public void onNext(Item item) {
            if (racy()) {
                pass();
                await(2);
            }
            use(item.value); // @2
            pass();
        }

        @Override
        public void onError(Throwable e) {
            fail(e);
        }

        @Override
        public void onComplete() {
            done.countDown();
        }
    }

    public static void main(String[] args) throws Exception {
        begin();
        Reader reader = new Reader();
        try (SubmissionPublisher<Item> publisher = new SubmissionPublisher<>()) {
            publisher.subscribe(reader);
            Item item = new Item();
            item.value = 1;
            publisher.submit(item);
            if (racy()) {
                await(1);
                item.value = 2; // @1
                pass();
                await(3);
            }
        }
        reader.done.await();
    }
}
