// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

/** A thread, as the classes of R's parameters say. */
final class T {
    private T() {}
}
