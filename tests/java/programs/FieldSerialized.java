// SPDX-License-Identifier: Apache-2.0
// A class without serialVersionUID keeps the one computed from its source, and is written and read back.
// EXPECT: race Box.x write @1 then write @2
// OUTPUT: 428516241904254562 5
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;

class FieldSerialized {
    static class Box implements Serializable {
        int x;

        int get() {
            return x;
        }
    }

    public static void main(String[] args) throws Exception {
        Box box = new Box();
        box.x = 5;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(box);
        Box back = (Box) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
        System.out.println(ObjectStreamClass.lookup(Box.class).getSerialVersionUID() + " " + back.get());
        Run.guarded(
            () -> back.x = 1, // @1
            () -> back.x = 2); // @2
    }
}
