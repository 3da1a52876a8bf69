// SPDX-License-Identifier: Apache-2.0
package goldilocks.rt;

import java.lang.reflect.Array;
import java.lang.reflect.Member;
import java.util.Set;

/**
 * What reflection does not show: the members that the agent adds. A program that copies an object field by field would copy the
 * history of its fields, too, and a side record has one owner.
 */
public final class Hidden {
    private Hidden() {}

    /** In place of jdk.internal.reflect.Reflection.filter: those whose names are not among `names`, and not ours. */
    public static Member[] filter(Member[] members, Set<String> names) {
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

    /** In place of java.io.ObjectStreamClass.hasStaticInitializer(): an initializer that we added does not count. */
    public static boolean hasInitializer(Class<?> c) {
        return R.hasInitializer(c);
    }

    private static boolean isOurs(String name) {
        return name.startsWith("$w$") || name.startsWith("$s$") || name.startsWith("$glr$") || name.startsWith("$glw$") || name.startsWith("$gln$")
                || name.startsWith("$glc$");
    }
}
