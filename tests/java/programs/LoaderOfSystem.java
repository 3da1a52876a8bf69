// SPDX-License-Identifier: Apache-2.0
// The program's own class is the system's class loader, so it was loaded before any agent: its monitors and static fields count all the same.
// EXPECT: race Box.x write @1 then write @2
// EXPECT: race LoaderOfSystem.early write @3 then write @4
// JVM: -Djava.system.class.loader=LoaderOfSystem -Xlog:cds=off
// REPORT: ^goldilocks: 1 of the application's classes had been loaded before the agent was up \(LoaderOfSystem\): fields of their objects are not checked;
import static goldilocks.test.Order.*;

public class LoaderOfSystem extends ClassLoader {
    static int early;

    static class Box {
        int x;
    }

    public LoaderOfSystem(ClassLoader parent) {
        super(parent);
    }

    private synchronized void set(Box box, int value) {
        box.x = value; // @1
        early = value; // @3
    }

    private void setUnsynchronized(Box box, int value) {
        box.x = value; // @2
        early = value; // @4
    }

    public static void main(String[] args) {
        LoaderOfSystem loader = (LoaderOfSystem) ClassLoader.getSystemClassLoader();
        Box box = new Box();
        Run.turns(
            () -> loader.set(box, 1),
            () -> {
                if (racy())
                    loader.setUnsynchronized(box, 2);
                else
                    loader.set(box, 3);
            });
    }
}
