// SPDX-License-Identifier: Apache-2.0
package lib;

/** A class of another package, for what is inherited from there. */
public class Base {
    protected int inherited;
    public int open;
    public volatile int flag;
    protected static int shared;
}
