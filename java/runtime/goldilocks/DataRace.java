// SPDX-License-Identifier: Apache-2.0
package goldilocks;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/**
 * A reported race as an event of the JDK's flight recorder. Its thread, time and stack are those of the second access (with frames of
 * the agent on top). Defined at the first race that is told while a recording runs, so that nothing here needs the module jdk.jfr.
 */
@Name("goldilocks.DataRace")
@Label("Data Race")
@Category({"Goldilocks"})
@Description("Two accesses to one variable, at least one of them a write, that nothing orders")
final class DataRace extends Event {
    @Label("Variable")
    @Description("Class and field, or array and index")
    String variable;

    @Label("Object")
    @Description("Class and identity hash; null for a static field")
    String object;

    @Label("Access")
    @Description("read or write: the second access, which this thread is about to make")
    String access;

    @Label("Place")
    String place;

    @Label("Previous Access")
    @Description("read or write: the first access")
    String previousAccess;

    @Label("Previous Thread")
    @Description("Name of the thread that made the first access")
    String previousThread;

    @Label("Previous Place")
    String previousPlace;

    @Label("Why")
    @Description("Why nothing orders the two accesses")
    String why;

    private DataRace() {}

    private static String kind(boolean write) {
        return write ? "write" : "read";
    }

    /** Called by the agent, in the thread that makes the second access. Throws nothing but errors of the virtual machine. */
    static void tell(String variable, String object, String why, boolean write, String place, boolean previousWrite, String previousThread,
            String previousPlace) {
        DataRace event = new DataRace();
        if (!event.shouldCommit()) {
            return;
        }
        event.variable = variable;
        event.object = object;
        event.why = why;
        event.access = kind(write);
        event.place = place;
        event.previousAccess = kind(previousWrite);
        event.previousThread = previousThread;
        event.previousPlace = previousPlace;
        event.commit();
    }
}
