# SPDX-License-Identifier: Apache-2.0
#
# atomics.tsv in, the table out: nanoseconds on the clock for an operation of each of two threads, the median.  Needs quantile.awk.

BEGIN { FS = "\t" }

$1 == "operation" { next } # the heading

{
    row = $1 FS $2
    if (!(row in seen))
        rows[++n_rows] = row
    seen[row] = 1
    if (!($3 in column)) {
        columns[++n_columns] = $3
        column[$3] = 1
    }
    ns[row FS $3, ++count[row FS $3]] = $5
}

function median(key) { return key in count ? quantile(ns, key, 0.5) : 0 }

END {
    printf "%-22s %-8s |", "operation", "compiler"
    for (c = 1; c <= n_columns; c++)
        printf "%9s", columns[c]
    printf " | ours / libtsan\n"
    for (r = 1; r <= n_rows; r++) {
        split(rows[r], part, FS)
        printf "%-22s %-8s |", part[1], part[2]
        for (c = 1; c <= n_columns; c++)
            printf "%9.1f", median(rows[r] FS columns[c])
        peer = median(rows[r] FS "libtsan")
        if (peer && median(rows[r] FS "ours"))
            printf " | %.2f", median(rows[r] FS "ours") / peer
        printf "\n"
    }
}
