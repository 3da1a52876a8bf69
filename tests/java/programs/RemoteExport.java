// SPDX-License-Identifier: Apache-2.0
// A remote object is called by threads that come after its export.
// EXPECT: race Exported.data write @1 then read @2
// JVM: -Djava.rmi.server.hostname=127.0.0.1
import static goldilocks.test.Order.*;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;

class RemoteExport {
    public interface Called extends Remote {
        int get() throws RemoteException;
    }

    static class Exported implements Called {
        int data;

        @Override
        public int get() {
            return data; // @2
        }
    }

    public static void main(String[] args) throws Exception {
        begin();
        Exported first = new Exported(), object = new Exported();
        Called called = (Called) UnicastRemoteObject.exportObject(first, 0);
        called.get(); // now there is a thread that accepts connections
        Called late = racy() ? (Called) UnicastRemoteObject.exportObject(object, 0) : null;
        object.data = 1; // @1
        if (!racy())
            late = (Called) UnicastRemoteObject.exportObject(object, 0);
        must(late.get() == 1);
        UnicastRemoteObject.unexportObject(first, true);
        UnicastRemoteObject.unexportObject(object, true);
    }
}
