// SPDX-License-Identifier: Apache-2.0
// With allocations=yes a report names where the object or array was allocated, and by which thread: by new and all instructions that make
// arrays, by clone(), reflection and the JDK's methods that make arrays for their caller.  Of a static field there is no object.
// OPTIONS: allocations=yes
// EXPECT: race Base.x write @w_base then read @r_base
// EXPECT: race Sub.y write @w_sub then read @r_sub
// EXPECT: race int[3] write @w_int then read @r_int
// EXPECT: race long[1] write @w_long then read @r_long
// EXPECT: race short[4] write @w_short then read @r_short
// EXPECT: race char[2] write @w_char then read @r_char
// EXPECT: race byte[8] write @w_byte then read @r_byte
// EXPECT: race Copied.z write @w_copy then read @r_copy
// EXPECT: race Made.v write @w_made then read @r_made
// EXPECT: race Referred.u write @w_referred then read @r_referred
// EXPECT: race String[0] write @w_list then read @r_list
// EXPECT: race double[0] write @w_double then read @r_double
// EXPECT: race char[0] write @w_letters then read @r_letters
// EXPECT: race ReportAllocations.none write @w_none then read @r_none
// REPORT: The object is ReportAllocations\$Base@\w+,\n  allocated by thread "main" at ReportAllocations\.base\(ReportAllocations\.java:@base\)\.$
// REPORT: The object is ReportAllocations\$Sub@\w+,\n  allocated by thread "the maker" at ReportAllocations\.lambda\$main\$\d+\(ReportAllocations\.java:@sub\)\.$
// REPORT: The object is int\[\]@\w+,\n  allocated by thread "main" at ReportAllocations\.main\(ReportAllocations\.java:@int\)\.$
// REPORT: The object is long\[\]@\w+,\n  allocated by thread "main" at ReportAllocations\.main\(ReportAllocations\.java:@long\)\.$
// REPORT: The object is short\[\]@\w+,\n  allocated by thread "main" at ReportAllocations\.main\(ReportAllocations\.java:@short\)\.$
// REPORT: The object is char\[\]@\w+,\n  allocated by thread "main" at ReportAllocations\.main\(ReportAllocations\.java:@char\)\.$
// REPORT: The object is byte\[\]@\w+,\n  allocated by thread "main" at ReportAllocations\.main\(ReportAllocations\.java:@byte\)\.$
// REPORT: The object is ReportAllocations\$Copied@\w+,\n  allocated by thread "main" at ReportAllocations\$Copied\.copy\(ReportAllocations\.java:@copy\)\.$
// REPORT: The object is ReportAllocations\$Made@\w+,\n  allocated by thread "main" at ReportAllocations\.main\(ReportAllocations\.java:@made\)\.$
// REPORT: The object is ReportAllocations\$Referred@\w+,\n  allocated by thread "main" at ReportAllocations\.main\(ReportAllocations\.java:@referred\)\.$
// REPORT: The object is java\.lang\.String\[\]@\w+,\n  allocated by thread "main" at ReportAllocations\.main\(ReportAllocations\.java:@list\)\.$
// REPORT: The object is double\[\]@\w+,\n  allocated by thread "main" at ReportAllocations\.main\(ReportAllocations\.java:@double\)\.$
// REPORT: The object is char\[\]@\w+\.$
// REPORT: Read of ReportAllocations\.none by .*\n(    .*\n)+\n  Previous write of .*\n(    .*\n)+\n  Nothing orders
import static goldilocks.test.Order.*;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

class ReportAllocations {
    static class Base {
        int x;
    }

    static class Sub extends Base {
        int y;
    }

    static class Copied implements Cloneable {
        int z;

        Copied copy() throws CloneNotSupportedException {
            return (Copied) clone(); // @copy
        }
    }

    static class Made {
        int v;
    }

    static class Referred {
        int u;
    }

    static int none;
    static Sub sub;
    static Object kept;

    static Base base() {
        return new Base(); // @base
    }

    public static void main(String[] args) throws Exception {
        Base base = base();
        Thread maker = new Thread(() -> sub = new Sub(), "the maker"); // @sub
        maker.start();
        Run.join(maker);
        int[] ints = new int[4]; // @int
        long[][] rows = new long[2][3]; // @long
        short[][] each = {{}, new short[5]}; // @short
        char[] chars = "abc".toCharArray().clone(); // @char
        byte[] bytes = Arrays.copyOf(new byte[1], 9); // @byte
        Copied copied = new Copied().copy();
        Made made = Made.class.getDeclaredConstructor().newInstance(); // @made
        Supplier<Referred> reference = Referred::new;
        Referred referred = reference.get(); // @referred
        String[] list = List.of("a", "b").toArray(new String[0]); // @list
        double[] doubles = (double[]) Array.newInstance(double.class, 1); // @double
        char[] letters = "x".toCharArray(); // made within the JDK
        for (int i = 0; i < 100; i++)
            kept = new int[100_000];
        System.gc(); // what is there is moved
        Run.guarded(() -> {
            base.x = 1; // @w_base
            sub.y = 1; // @w_sub
            ints[3] = 1; // @w_int
            rows[1][1] = 1; // @w_long
            each[1][4] = 1; // @w_short
            chars[2] = 1; // @w_char
            bytes[8] = 1; // @w_byte
            copied.z = 1; // @w_copy
            made.v = 1; // @w_made
            referred.u = 1; // @w_referred
            list[0] = "c"; // @w_list
            doubles[0] = 1; // @w_double
            letters[0] = 1; // @w_letters
            none = 1; // @w_none
        }, () -> {
            use(base.x); // @r_base
            use(sub.y); // @r_sub
            use(ints[3]); // @r_int
            use(rows[1][1]); // @r_long
            use(each[1][4]); // @r_short
            use(chars[2]); // @r_char
            use(bytes[8]); // @r_byte
            use(copied.z); // @r_copy
            use(made.v); // @r_made
            use(referred.u); // @r_referred
            use(list[0]); // @r_list
            use(doubles[0]); // @r_double
            use(letters[0]); // @r_letters
            use(none); // @r_none
        });
    }
}
