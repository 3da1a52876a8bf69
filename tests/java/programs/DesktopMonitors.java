// SPDX-License-Identifier: Apache-2.0
// What components, RMI and naming keep for the application under monitors of their own: who finds it comes after who put it there.
// EXPECT: race int[0] write @1 then read @2
// JVM: -Djava.awt.headless=true
import static goldilocks.test.Order.*;

import java.awt.event.MouseAdapter;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMISocketFactory;
import javax.naming.spi.NamingManager;
import javax.swing.JComponent;

class DesktopMonitors {
    static final int WAYS = 4;
    static int[] put = new int[WAYS];
    static JComponent component = new JComponent() {};

    static class Sockets extends RMISocketFactory {
        @Override
        public Socket createSocket(String host, int port) {
            return null;
        }

        @Override
        public ServerSocket createServerSocket(int port) {
            return null;
        }
    }

    static void give(int way) throws Exception {
        put[way] = 1; // @1
        switch (way) {
            case 0 -> component.addMouseListener(new MouseAdapter() {});
            case 1 -> component.putClientProperty("key", "value");
            case 2 -> RMISocketFactory.setSocketFactory(new Sockets());
            default -> NamingManager.setInitialContextFactoryBuilder(environment -> null);
        }
    }

    static boolean find(int way) {
        return switch (way) {
            case 0 -> component.getMouseListeners().length == 1;
            case 1 -> component.getClientProperty("key") != null;
            case 2 -> RMISocketFactory.getSocketFactory() != null;
            default -> NamingManager.hasInitialContextFactoryBuilder();
        };
    }

    public static void main(String[] args) throws Exception {
        component.putClientProperty("other", "value"); // makes the table
        for (int i = 0; i < WAYS; i++) {
            int way = i;
            Run.turns(
                () -> {
                    try {
                        give(way);
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                },
                () -> {
                    if (!racy() && !find(way))
                        throw new AssertionError("it was put there");
                    use(put[way]); // @2
                });
        }
    }
}
