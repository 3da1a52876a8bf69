// SPDX-License-Identifier: Apache-2.0
package goldilocks;

/**
 * Two accesses to one field or array element, at least one of them a write, that nothing orders. Thrown right before the second of
 * them, which is not made: the program so far ran as if by one thread at a time, and the thread may clean up.
 *
 * <pre>
 * try {
 *     account.balance += amount;
 * } catch (DataRaceException race) {
 *     log(race.variable() + ": " + race.second() + " while " + race.first());
 * }
 * </pre>
 */
public class DataRaceException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** One of the two accesses. */
    public static final class Access implements java.io.Serializable {
        private static final long serialVersionUID = 1;
        private final boolean write;
        private final String thread;
        private final String place;
        private final StackTraceElement[] stack;

        /** @param stack the innermost frame first; null: not known */
        public Access(boolean write, String thread, String place, StackTraceElement[] stack) {
            this.write = write;
            this.thread = thread;
            this.place = place;
            this.stack = stack == null ? new StackTraceElement[0] : stack.clone();
        }

        /** A write, else a read. */
        public boolean isWrite() {
            return write;
        }

        /** Name of the thread that made it. */
        public String thread() {
            return thread;
        }

        /** Where it is in the program, "pkg.Class.method(File.java:12)". */
        public String place() {
            return place;
        }

        /** The stack at the access as far as it is known, the innermost frame first; may be empty. A copy. */
        public StackTraceElement[] stack() {
            return stack.clone();
        }

        @Override
        public String toString() {
            return (write ? "write by thread \"" : "read by thread \"") + thread + "\" at " + place;
        }
    }

    private final String explanation;
    private final String variable;
    private final Access second;
    private final Access first;

    /**
     * @param explanation why nothing orders the two
     * @param variable the field or element
     * @param second the access that is not made
     * @param first the earlier one
     */
    public DataRaceException(String message, String explanation, String variable, Access second, Access first) {
        super(message);
        this.explanation = explanation;
        this.variable = variable;
        this.second = second;
        this.first = first;
    }

    /** Why nothing orders the two accesses. */
    public String explanation() {
        return explanation;
    }

    /** The field or array element, "pkg.Class.field" or "int[7]". */
    public String variable() {
        return variable;
    }

    /** The access that was about to be made. */
    public Access second() {
        return second;
    }

    /** The earlier access. */
    public Access first() {
        return first;
    }
}
