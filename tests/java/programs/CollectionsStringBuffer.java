// SPDX-License-Identifier: Apache-2.0
// A StringBuffer is synchronized by its own monitor.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

class CollectionsStringBuffer {
    public static void main(String[] args) throws Exception {
        StringBuffer buffer = new StringBuffer();
        Publish.run(() -> buffer.append("x"), () -> must(buffer.length() == 1));
    }
}
