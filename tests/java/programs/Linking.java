// SPDX-License-Identifier: Apache-2.0
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Code that javac does not make: a class with two methods, `Object site()`, which is one invokedynamic, and `Object constant()`, which is one ldc of a
 * dynamic constant. What they call to be linked are methods of the program: `CallSite site(Lookup, String, MethodType)`
 * and `Object constant(Lookup, String, Class)`.
 */
final class Linking {
    private static final String SITE = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;)"
            + "Ljava/lang/invoke/CallSite;";
    private static final String CONSTANT = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/Object;";
    private static final int UTF8 = 1, CLASS = 7, METHOD = 10, NAME_AND_TYPE = 12, HANDLE = 15, DYNAMIC = 17, INVOKE_DYNAMIC = 18;

    private Linking() {}

    /** One of the two, of a class of its own. */
    static MethodHandle of(MethodHandles.Lookup program, String name) throws IOException, ReflectiveOperationException {
        String owner = program.lookupClass().getName();
        Class<?> made = program.defineClass(bytes(owner + "Linked" + name, owner));
        return program.findStatic(made, name, MethodType.methodType(Object.class));
    }

    private static byte[] bytes(String name, String owner) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0xcafebabe);
        out.writeInt(55);
        out.writeShort(25);
        text(out, name); // 1
        pair(out, CLASS, 1); // 2
        text(out, "java/lang/Object"); // 3
        pair(out, CLASS, 3); // 4
        text(out, owner); // 5
        pair(out, CLASS, 5); // 6
        text(out, "site"); // 7
        text(out, "constant"); // 8
        text(out, SITE); // 9
        text(out, CONSTANT); // 10
        pair(out, NAME_AND_TYPE, 7, 9); // 11
        pair(out, NAME_AND_TYPE, 8, 10); // 12
        pair(out, METHOD, 6, 11); // 13
        pair(out, METHOD, 6, 12); // 14
        handle(out, 13); // 15
        handle(out, 14); // 16
        text(out, "()Ljava/lang/Object;"); // 17
        text(out, "Ljava/lang/Object;"); // 18
        pair(out, NAME_AND_TYPE, 7, 17); // 19
        pair(out, NAME_AND_TYPE, 8, 18); // 20
        pair(out, INVOKE_DYNAMIC, 0, 19); // 21
        pair(out, DYNAMIC, 1, 20); // 22
        text(out, "Code"); // 23
        text(out, "BootstrapMethods"); // 24
        tail(out);
        return bytes.toByteArray();
    }

    private static void tail(DataOutputStream out) throws IOException {
        for (int n : new int[] {1, 2, 4, 0, 0, 2}) // public; this, super, interfaces, fields, methods
            out.writeShort(n);
        method(out, 7, new int[] {0xba, 0, 21, 0, 0, 0xb0}); // invokedynamic, areturn
        method(out, 8, new int[] {0x12, 22, 0xb0}); // ldc, areturn
        out.writeShort(1);
        out.writeShort(24);
        out.writeInt(10);
        for (int n : new int[] {2, 15, 0, 16, 0})
            out.writeShort(n);
    }

    private static void method(DataOutputStream out, int name, int[] code) throws IOException {
        for (int n : new int[] {9, name, 17, 1, 23}) // public static; one attribute
            out.writeShort(n);
        out.writeInt(12 + code.length);
        out.writeShort(1);
        out.writeShort(0);
        out.writeInt(code.length);
        for (int b : code)
            out.writeByte(b);
        out.writeInt(0); // no handlers, no attributes
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        out.writeByte(UTF8);
        out.writeUTF(text);
    }

    private static void pair(DataOutputStream out, int tag, int... indices) throws IOException {
        out.writeByte(tag);
        for (int index : indices)
            out.writeShort(index);
    }

    private static void handle(DataOutputStream out, int method) throws IOException {
        out.writeByte(HANDLE);
        out.writeByte(6); // invokestatic
        out.writeShort(method);
    }
}
