# SPDX-License-Identifier: Apache-2.0
#
# data (OUT-SERIES.dat of traces.awk) to out, an SVG: seconds and peak memory over `what`, both axes by powers.

set terminal svg size 900,380 font "sans-serif,12" background "white"
set output out
set datafile missing "-"
set logscale xy
set grid
set key top left
set xlabel what
names = system("head -n 1 ".data." | sed 's/_[a-zA-Z]*//g'") # "# WHAT NAME... NAME..."
n = (words(names) - 2) / 2
set multiplot layout 1,2
set ylabel "seconds of one processor"
plot for [i = 1:n] data using 1:(column(i + 1)) with linespoints linewidth 2 title word(names, i + 2)
set ylabel "peak memory, MB"
plot for [i = 1:n] data using 1:(column(i + 1 + n)) with linespoints linewidth 2 title word(names, i + 2)
unset multiplot
