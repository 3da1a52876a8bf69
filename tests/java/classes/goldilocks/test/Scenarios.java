// SPDX-License-Identifier: Apache-2.0
package goldilocks.test;

/** Runs scenarios in one JVM, one after the other. What each has written to standard error ends with a line of {@link #END} and its name. */
public final class Scenarios {
    private static final String END = "~~~~ ";

    private Scenarios() {}

    public static void main(String[] names) throws Throwable {
        for (String name : names) {
            System.err.println(END + "begin " + name);
            Class.forName(name).getMethod("run").invoke(null);
            System.err.println(END + name);
        }
    }
}
