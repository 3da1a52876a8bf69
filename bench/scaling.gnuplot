# SPDX-License-Identifier: Apache-2.0
#
# data (the beginning of scaling.awk's files) to out, an SVG: nanoseconds over threads, both axes by powers.

set terminal svg size 1100,640 font "sans-serif,12" background "white"
set output out
set datafile missing "-"
set logscale xy
set grid
set key below horizontal maxrows 1
set xtics (1, 4, 16, 64, 256, 1024)
set xlabel "threads"
set xrange [0.8:1300]
set ylabel "ns of processor time"
set multiplot layout 2,3
do for [s in "sharedspot-pair localspot-pair multiset-visit sharedspot-access localspot-access readspot-pair"] {
    kernel = s[1:strstrt(s, "-") - 1]
    what = s[strstrt(s, "-") + 1:*]
    set title kernel.": ".(what eq "access" ? "one += of a word" : what eq "visit" ? "a slot visited" : \
        kernel eq "readspot" ? "lock, a read of what all read, unlock" : "lock and unlock")
    if (what eq "access") { set yrange [0.1:200] } else { set yrange [5:20000] } # the same for all that are alike
    plot for [i = 2:4] data.s.".dat" skip 1 using 1:i with linespoints linewidth 2 title word("plain libtsan ours", i - 1)
}
unset multiplot
