// SPDX-License-Identifier: Apache-2.0
// A class with thousands of static fields, as compilers of other languages make them for the constants of a file, is used in no time: finding out
// what a field is takes no longer because the class has many.
// EXPECT: race Box.x write @1 then write @2
// OUTPUT: 3000
import static goldilocks.test.Order.*;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandles;

class FieldStaticMany {
    static final int METHODS = 4, EACH = 750, FIELDS = METHODS * EACH;

    static class Box {
        int x;
    }

    static void utf8(DataOutputStream out, String text) throws IOException {
        out.writeByte(1);
        out.writeUTF(text);
    }

    /** public class Made { static int f0, f1 ...; public static int m0() { f0++; f1++ ...; return f0 + f1 ...; } ... } */
    static byte[] made() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        final int field = 8, method = field + 3 * FIELDS;
        out.writeInt(0xCAFEBABE);
        out.writeInt(52);
        out.writeShort(method + METHODS);
        utf8(out, "FieldStaticManyMade"); // 1
        out.writeByte(7);
        out.writeShort(1); // 2
        utf8(out, "java/lang/Object"); // 3
        out.writeByte(7);
        out.writeShort(3); // 4
        utf8(out, "I"); // 5
        utf8(out, "Code"); // 6
        utf8(out, "()I"); // 7
        for (int i = 0; i < FIELDS; i++) {
            utf8(out, "f" + i);
            out.writeByte(12); // its name and type
            out.writeShort(field + 3 * i);
            out.writeShort(5);
            out.writeByte(9); // the field
            out.writeShort(2);
            out.writeShort(field + 3 * i + 1);
        }
        for (int i = 0; i < METHODS; i++)
            utf8(out, "m" + i);
        out.writeShort(0x21);
        out.writeShort(2);
        out.writeShort(4);
        out.writeShort(0);
        out.writeShort(FIELDS);
        for (int i = 0; i < FIELDS; i++) {
            out.writeShort(8); // static
            out.writeShort(field + 3 * i);
            out.writeShort(5);
            out.writeShort(0);
        }
        out.writeShort(METHODS);
        for (int i = 0; i < METHODS; i++) {
            out.writeShort(9); // public static
            out.writeShort(method + i);
            out.writeShort(7);
            out.writeShort(1);
            out.writeShort(6);
            out.writeInt(12 + 2 + 12 * EACH);
            out.writeShort(3);
            out.writeShort(0);
            out.writeInt(2 + 12 * EACH);
            out.writeByte(3); // iconst_0
            for (int k = i * EACH; k < (i + 1) * EACH; k++) {
                int number = field + 3 * k + 2;
                out.writeByte(178); // getstatic
                out.writeShort(number);
                out.writeByte(4); // iconst_1
                out.writeByte(96); // iadd
                out.writeByte(179); // putstatic
                out.writeShort(number);
                out.writeByte(178);
                out.writeShort(number);
                out.writeByte(96);
            }
            out.writeByte(172); // ireturn
            out.writeInt(0);
        }
        out.writeShort(0);
        return bytes.toByteArray();
    }

    public static void main(String[] args) throws Exception {
        Class<?> c = MethodHandles.lookup().defineClass(made());
        int sum = 0;
        for (int i = 0; i < METHODS; i++)
            sum += (int) c.getMethod("m" + i).invoke(null);
        System.out.println(sum);

        Box box = new Box();
        Run.turns(
            () -> box.x = 1, // @1
            () -> {
                if (racy())
                    box.x = 2; // @2
            });
    }
}
