# SPDX-License-Identifier: Apache-2.0
#
# data (the beginning of what `run --sweep` writes) to out, an SVG: milliseconds over threads for each of kernels, a line for each
# of modes, both axes by powers.

set terminal svg size 1100,440 font "sans-serif,12" background "white"
set output out
set datafile missing "-"
set logscale x 2
set logscale y
set grid
set key below horizontal maxrows 2 samplen 2
set xtics (1, 4, 16, 64, 256)
set xlabel "threads"
set xrange [0.8:320]
set ylabel "ms, all threads together"
set multiplot layout 1,words(kernels)
do for [k in kernels] {
    set title k
    plot for [i = 1:words(modes)] data.k.".dat" skip 1 using 1:(column(i + 1)) with linespoints linewidth 2 title word(modes, i)
}
unset multiplot
