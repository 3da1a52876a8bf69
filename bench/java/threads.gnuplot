# SPDX-License-Identifier: Apache-2.0
#
# data (the beginning of what `run --sweep` writes) to out, an SVG: milliseconds over threads for each of kernels, a line for each
# of modes, both axes by powers.

set terminal svg size 1100,400 font "sans-serif,12" background "white"
set output out
set datafile missing "-"
set logscale x 2
set logscale y
set grid
set key below horizontal maxrows 1
set xtics (1, 4, 16, 64, 256)
set xlabel "threads"
set xrange [0.8:320]
set ylabel "ms, all threads together"
# The same range for all, so that the kernels can be compared.
low = 1e9
high = 1
do for [k in kernels] {
    do for [i = 2:words(modes) + 1] {
        stats data.k.".dat" skip 1 using i nooutput
        if (STATS_min < low) { low = STATS_min }
        if (STATS_max > high) { high = STATS_max }
    }
}
set yrange [(low < 1 ? 1 : low) / 1.5:high * 1.5]
set multiplot layout 1,words(kernels)
do for [k in kernels] {
    set title k
    plot for [i = 1:words(modes)] data.k.".dat" skip 1 using 1:(column(i + 1)) with linespoints linewidth 2 title word(modes, i)
}
unset multiplot
