// SPDX-License-Identifier: Apache-2.0
// A program with events of its own for the flight recorder, which transforms their classes, and adds fields to them: they are recorded as ever, and what
// their methods do is seen.
// EXPECT: race RecorderEvent.ended write @1 then read @2
import static goldilocks.test.Order.*;

import java.nio.file.Files;
import java.nio.file.Path;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;

class RecorderEvent {
    static int ended;

    @Name("test.Empty")
    static class Empty extends Event {
        void ends() {
            ended = 1; // @1
            commit();
        }
    }

    @Name("test.Filled")
    static class Filled extends Event {
        int number;
    }

    static class Derived extends Filled {
        long more;
    }

    static void record() {
        FlightRecorder.register(Empty.class);
        FlightRecorder.register(Derived.class);
        Filled before = new Filled();
        before.number = 1;
        before.commit();
        try (Recording recording = new Recording()) {
            Path file = Files.createTempFile("recorded", ".jfr");
            recording.enable(Empty.class);
            recording.enable(Filled.class);
            recording.enable(Derived.class);
            recording.start();
            new Empty().ends();
            Filled filled = new Filled();
            filled.number = 2;
            filled.commit();
            Derived derived = new Derived();
            derived.number = 3;
            derived.more = 4;
            derived.commit();
            recording.stop();
            recording.dump(file);
            int events = RecordingFile.readAllEvents(file).size();
            Files.delete(file);
            if (events != 3)
                throw new AssertionError(events);
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) {
        Object lock = new Object();
        Run.turns(
            () -> {
                synchronized (lock) {
                    record();
                }
            },
            () -> {
                if (racy())
                    use(ended); // @2
                else
                    synchronized (lock) {
                        use(ended);
                    }
            });
    }
}
