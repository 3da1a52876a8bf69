// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import java.lang.reflect.Array;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Set;
import jdk.internal.misc.Unsafe;

/**
 * What reflection does not show: the members that the agent adds. A program that copies an object field by field would copy the
 * history of its fields, too, and a side record has one owner.
 */
public final class Hidden {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final long MODIFIERS = U.objectFieldOffset(Method.class, "modifiers");

    private Hidden() {}

    /** In place of jdk.internal.reflect.Reflection.filter: those whose names are not among `names`, and not ours. */
    public static Member[] filter(Member[] members, Set<String> names) {
        tellNatives(members);
        boolean all = names != null && names.contains("*");
        int n = 0;
        for (int i = 0; i < members.length; i++) {
            if (isShown(members[i], names, all)) {
                n++;
            }
        }
        if (n == members.length) {
            return members;
        }
        Member[] shown = (Member[]) Array.newInstance(members[0].getClass(), n);
        n = 0;
        for (int i = 0; i < members.length; i++) {
            if (isShown(members[i], names, all)) {
                shown[n++] = members[i];
            }
        }
        return shown;
    }

    private static boolean isShown(Member m, Set<String> names, boolean all) {
        return !all && !(m.isSynthetic() && isOurs(m.getName())) && (names == null || !names.contains(m.getName()));
    }

    /** A native method that became two is one that calls the other: it goes on to say that it is native. */
    private static void tellNatives(Member[] members) {
        boolean asked = false;
        for (int i = 0; i < members.length; i++) {
            if (!(members[i] instanceof Method)) {
                return;
            }
            Method m = (Method) members[i];
            int modifiers = m.getModifiers();
            if ((modifiers & (Modifier.STATIC | Modifier.SYNCHRONIZED)) == 0 || (modifiers & Modifier.NATIVE) != 0) {
                continue;
            }
            Class<?> c = m.getDeclaringClass();
            if (!asked && !R.isNative(c, null, null)) {
                return;
            }
            asked = true;
            if (R.isNative(c, m.getName(), descriptor(m))) {
                U.putInt(m, MODIFIERS, modifiers | Modifier.NATIVE);
            }
        }
    }

    private static String descriptor(Method m) {
        StringBuilder s = new StringBuilder("(");
        for (Class<?> type : m.getParameterTypes()) {
            s.append(type.descriptorString());
        }
        return s.append(')').append(m.getReturnType().descriptorString()).toString();
    }


    /** In place of java.io.ObjectStreamClass.hasStaticInitializer(): an initializer that we added does not count. */
    public static boolean hasInitializer(Class<?> c) {
        return R.hasInitializer(c);
    }

    private static boolean isOurs(String name) {
        return name.startsWith("$w$") || name.startsWith("$s$") || name.startsWith("$glr$") || name.startsWith("$glw$") || name.startsWith("$gln$");
    }
}
