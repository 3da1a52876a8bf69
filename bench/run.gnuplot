# SPDX-License-Identifier: Apache-2.0
#
# data (programs-COMPILER.dat of table.awk) to out, an SVG: the slow-down of each program under each tool, by powers.

set terminal svg size 1100,420 font "sans-serif,12" background "white"
set output out
set datafile missing "-"
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.8 noborder
set boxwidth 0.9
set logscale y
set yrange [1:*]
set grid ytics
set key outside top center horizontal
set xtics rotate by -40 scale 0
set ylabel "times the uninstrumented program"
# Tools that ran with no program of this compiler have no bars, and no line in the key.
names = system("head -n 1 '".data."'")
runs(i) = int(system(sprintf("awk 'NR > 1 && $%d != \"-\"' '%s' | wc -l", i, data))) > 0
used = ""
do for [i = 2:words(names)] {
    if (runs(i)) {
        used = used.sprintf(" %d", i)
    }
}
plot for [k = 1:words(used)] data skip 1 using int(word(used, k)):xtic(1) title word(names, int(word(used, k)))
