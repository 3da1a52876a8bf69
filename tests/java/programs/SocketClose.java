// SPDX-License-Identifier: Apache-2.0
// Who sees that a socket is closed comes after who has closed it.
// EXPECT: race Publish.data write Publish@written then read Publish@read
import static goldilocks.test.Order.*;

import java.net.ServerSocket;

class SocketClose {
    public static void main(String[] args) throws Exception {
        ServerSocket socket = new ServerSocket(), other = new ServerSocket();
        other.close();
        must(other.isClosed());
        Publish.run(() -> socket.close(), () -> must(socket.isClosed()));
    }
}
