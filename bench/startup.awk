# SPDX-License-Identifier: Apache-2.0
#
# startup.tsv in, the table out: milliseconds on the clock and of the processor, median and minimum, and peak memory.
# Writes to `facts` what bench/goals compares.  Needs quantile.awk.

BEGIN {
    FS = "\t"
    printf "" >facts
    head = "%-9s %-8s |%8s %8s |%8s %8s |%8s %8s\n"
    printf head, "", "", "wall ms", "", "cpu ms", "", "more ms", "peak MB"
    printf head, "compiler", "variant", "median", "minimum", "median", "minimum", "(wall)", ""
}

$1 == "program" { next } # the heading

{
    key = $2 FS $3
    if (!(key in count))
        order[++keys] = key
    n = ++count[key]
    wall[key, n] = 1000 * $5
    cpu[key, n] = 1000 * ($6 + $7)
    peak[key, n] = $8 / 1024
}

END {
    for (k = 1; k <= keys; k++)
        if (order[k] ~ /plain$/) {
            split(order[k], part, FS)
            base[part[1]] = quantile(wall, order[k], 0.5)
        }
    for (k = 1; k <= keys; k++) {
        key = order[k]
        split(key, part, FS)
        median = quantile(wall, key, 0.5)
        more = median - base[part[1]]
        printf "%-9s %-8s |%8.1f %8.1f |%8.1f %8.1f |%8s %8.1f\n", part[1], part[2], median, quantile(wall, key, 0),
            quantile(cpu, key, 0.5), quantile(cpu, key, 0), part[2] == "plain" ? "" : sprintf("%.1f", more),
            quantile(peak, key, 0.5)
        if (part[2] == "ours")
            printf "startup.more.ms.%s %.2f\n", part[1], more >facts
    }
}
