# SPDX-License-Identifier: Apache-2.0
#
# traces.tsv in, the table out, and OUT-SERIES.dat for the plots.  Times are medians of the processor's seconds (user
# and system), memory the median of the peaks; "-" is what was not measured.  Needs quantile.awk.

BEGIN {
    FS = "\t"
    n_detectors = split(detectors, detector, ",")
}

$1 == "series" { next } # the heading

{
    row = $1 FS $2
    if (!(row in known)) {
        known[row] = 1
        order[++rows] = row
    }
    key = row FS $3
    n = ++count[key]
    cpu[key, n] = $6 + $7
    peak[key, n] = $8 / 1024
}

function cell(v, key, format) {
    return count[key] ? sprintf(format, quantile(v, key, 0.5)) : "-"
}

function ratio(row, other,    mine, its) {
    mine = row FS "goldilocks"
    its = row FS other
    return count[mine] && count[its] ? sprintf("%.2f", quantile(cpu, mine, 0.5) / quantile(cpu, its, 0.5)) : "-"
}

END {
    line = sprintf("%-8s %8s |", "", "")
    head = sprintf("%-8s %8s |", "series", "n")
    for (part = 1; part <= 2; part++) {
        line = line sprintf(" %-" (11 * n_detectors) "s|", part == 1 ? "seconds of one processor" : "peak MB")
        for (d = 1; d <= n_detectors; d++)
            head = head sprintf(" %10s", detector[d])
        head = head " |"
    }
    print line "  goldilocks /"
    print head "  fasttrack"
    for (r = 1; r <= rows; r++) {
        split(order[r], at, FS)
        line = sprintf("%-8s %8s |", at[1], at[2])
        data = at[2]
        for (d = 1; d <= n_detectors; d++) {
            t = cell(cpu, order[r] FS detector[d], "%.2f")
            line = line sprintf(" %10s", t)
            data = data " " t
        }
        line = line " |"
        for (d = 1; d <= n_detectors; d++) {
            m = cell(peak, order[r] FS detector[d], "%.0f")
            line = line sprintf(" %10s", m)
            data = data " " m
        }
        print line " |" sprintf(" %10s", ratio(order[r], "fasttrack"))
        file = out "-" at[1] ".dat"
        if (!(file in begun)) {
            begun[file] = 1
            heading = "# " at[1]
            for (part = 1; part <= 2; part++)
                for (d = 1; d <= n_detectors; d++)
                    heading = heading " " detector[d] (part == 1 ? "_s" : "_MB")
            print heading >file
        }
        print data >file
    }
}
