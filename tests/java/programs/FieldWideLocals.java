// SPDX-License-Identifier: Apache-2.0
// A method with 130 local variables of two slots each, whose accesses use the wide forms of instructions.
// EXPECT: race Box.x write @1 then write @2
import static goldilocks.test.Order.*;

class FieldWideLocals {
    static class Box {
        long x;
    }

    static void set(Box box, long v) {
        long l0 = v - v, l1 = v - v, l2 = v - v, l3 = v - v, l4 = v - v, l5 = v - v, l6 = v - v, l7 = v - v, l8 = v - v;
        long l9 = v - v, l10 = v - v, l11 = v - v, l12 = v - v, l13 = v - v, l14 = v - v, l15 = v - v, l16 = v - v, l17 = v - v;
        long l18 = v - v, l19 = v - v, l20 = v - v, l21 = v - v, l22 = v - v, l23 = v - v, l24 = v - v, l25 = v - v, l26 = v - v;
        long l27 = v - v, l28 = v - v, l29 = v - v, l30 = v - v, l31 = v - v, l32 = v - v, l33 = v - v, l34 = v - v, l35 = v - v;
        long l36 = v - v, l37 = v - v, l38 = v - v, l39 = v - v, l40 = v - v, l41 = v - v, l42 = v - v, l43 = v - v, l44 = v - v;
        long l45 = v - v, l46 = v - v, l47 = v - v, l48 = v - v, l49 = v - v, l50 = v - v, l51 = v - v, l52 = v - v, l53 = v - v;
        long l54 = v - v, l55 = v - v, l56 = v - v, l57 = v - v, l58 = v - v, l59 = v - v, l60 = v - v, l61 = v - v, l62 = v - v;
        long l63 = v - v, l64 = v - v, l65 = v - v, l66 = v - v, l67 = v - v, l68 = v - v, l69 = v - v, l70 = v - v, l71 = v - v;
        long l72 = v - v, l73 = v - v, l74 = v - v, l75 = v - v, l76 = v - v, l77 = v - v, l78 = v - v, l79 = v - v, l80 = v - v;
        long l81 = v - v, l82 = v - v, l83 = v - v, l84 = v - v, l85 = v - v, l86 = v - v, l87 = v - v, l88 = v - v, l89 = v - v;
        long l90 = v - v, l91 = v - v, l92 = v - v, l93 = v - v, l94 = v - v, l95 = v - v, l96 = v - v, l97 = v - v, l98 = v - v;
        long l99 = v - v, l100 = v - v, l101 = v - v, l102 = v - v, l103 = v - v, l104 = v - v, l105 = v - v, l106 = v - v, l107 = v - v;
        long l108 = v - v, l109 = v - v, l110 = v - v, l111 = v - v, l112 = v - v, l113 = v - v, l114 = v - v, l115 = v - v, l116 = v - v;
        long l117 = v - v, l118 = v - v, l119 = v - v, l120 = v - v, l121 = v - v, l122 = v - v, l123 = v - v, l124 = v - v, l125 = v - v;
        long l126 = v - v, l127 = v - v, l128 = v - v, l129 = v - v;
        box.x = v + l0 + l64 + l129; // @1 @2
        Box far = box;
        long last = far.x;
        must(last == v);
    }

    public static void main(String[] args) {
        Box box = new Box();
        Run.guarded(() -> set(box, 1), () -> set(box, 2));
    }
}
