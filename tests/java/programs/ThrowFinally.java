// SPDX-License-Identifier: Apache-2.0
// finally and close() run, in order.
// EXPECT: race ThrowFinally.x write @1 then write @2
// OPTIONS: on_race=throw
// OUTPUT racy: open close finally DataRaceException
// OUTPUT twin: open written close finally
import static goldilocks.test.Order.*;

class ThrowFinally {
    static int x;
    static final StringBuilder LOG = new StringBuilder();

    static class Resource implements AutoCloseable {
        Resource() {
            LOG.append("open ");
        }

        @Override
        public void close() {
            LOG.append("close ");
        }
    }

    static void work() {
        try (Resource resource = new Resource()) {
            use(resource);
            x = 2; // @2
            LOG.append("written ");
        } finally {
            LOG.append("finally ");
        }
    }

    public static void main(String[] args) {
        Run.guarded(
            () -> x = 1, // @1
            () -> {
                try {
                    work();
                } catch (RuntimeException e) {
                    LOG.append(e.getClass().getSimpleName());
                }
            });
        System.out.println(LOG.toString().trim());
    }
}
