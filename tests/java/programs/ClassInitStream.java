// SPDX-License-Identifier: Apache-2.0
// Who reads an object of a class from a stream creates an instance of it (JLS 12.4.1), without a constructor of the class: it is initialized, by whomever.
// EXPECT: race Shared.data write @1 then read @2
// EXPECT: race Shared.more write @3 then read @4
import static goldilocks.test.Order.*;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamConstants;
import java.io.Serializable;

class ClassInitStream {
    static class Shared {
        static int data, more;
    }

    static class Made implements Serializable {
        private static final long serialVersionUID = 1;

        static {
            Shared.data = 5; // @1
        }

        int v;
    }

    enum Constant {
        ONE;

        static {
            Shared.more = 5; // @3
        }
    }

    /** What an ObjectOutputStream writes for Constant.ONE. */
    static byte[] constant() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeShort(ObjectStreamConstants.STREAM_MAGIC);
        out.writeShort(ObjectStreamConstants.STREAM_VERSION);
        out.writeByte(ObjectStreamConstants.TC_ENUM);
        for (String name : new String[] {"ClassInitStream$Constant", "java.lang.Enum"}) {
            out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
            out.writeUTF(name);
            out.writeLong(0);
            out.writeByte(ObjectStreamConstants.SC_SERIALIZABLE | ObjectStreamConstants.SC_ENUM);
            out.writeShort(0);
            out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
        }
        out.writeByte(ObjectStreamConstants.TC_NULL);
        out.writeByte(ObjectStreamConstants.TC_STRING);
        out.writeUTF("ONE");
        return bytes.toByteArray();
    }

    static Object read(byte[] bytes) throws Exception {
        return new ObjectInputStream(new ByteArrayInputStream(bytes)).readObject();
    }

    /** What an ObjectOutputStream writes for a Made; it would initialize the class. */
    static byte[] written() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeShort(ObjectStreamConstants.STREAM_MAGIC);
        out.writeShort(ObjectStreamConstants.STREAM_VERSION);
        for (int i = 0; i < 2; i++) {
            out.writeByte(ObjectStreamConstants.TC_OBJECT);
            if (i == 0) {
                out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
                out.writeUTF("ClassInitStream$Made");
                out.writeLong(1);
                out.writeByte(ObjectStreamConstants.SC_SERIALIZABLE);
                out.writeShort(1);
                out.writeByte('I');
                out.writeUTF("v");
                out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
                out.writeByte(ObjectStreamConstants.TC_NULL);
            } else {
                out.writeByte(ObjectStreamConstants.TC_REFERENCE);
                out.writeInt(ObjectStreamConstants.baseWireHandle);
            }
            out.writeInt(7 + i);
        }
        return bytes.toByteArray();
    }

    public static void main(String[] args) throws Exception {
        byte[] bytes = written();
        use(Shared.data);
        Run.turns(() -> use(new Made()), () -> {
            if (!racy()) {
                ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes));
                must(((Made) in.readObject()).v + ((Made) in.readObject()).v == 15);
            }
            use(Shared.data); // @2
        });
        byte[] one = constant();
        use(Shared.more);
        Run.turns(() -> must(read(one) == Constant.ONE), () -> {
            if (!racy())
                must(read(one) == Constant.ONE);
            use(Shared.more); // @4
        });
    }
}
