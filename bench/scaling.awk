# SPDX-License-Identifier: Apache-2.0
#
# scaling.tsv in, the table out, OUT-SERIES.dat for the plots, and to `facts` what bench/goals compares.  Medians of the
# nanoseconds that the kernels measured.  A pair is an operation without an access; an access (a `+=` of a word) is
# what an operation on integers of `width` words costs more, divided by the words.  Needs quantile.awk.

BEGIN {
    FS = "\t"
    split("plain libtsan ours", variants, " ")
    n_series = split("sharedspot-pair sharedspot-access localspot-pair localspot-access multiset-visit readspot-pair", series, " ")
}

$1 == "kernel" { next } # the heading

{
    key = $1 FS $2 FS $3 FS $4
    n = ++count[key]
    cost[key, n] = $6
    if (!(($3) in seen)) {
        seen[$3] = 1
        threads[++n_threads] = $3
    }
}

function median(kernel, words, t, variant,    key) {
    key = kernel FS words FS t FS variant
    return count[key] ? quantile(cost, key, 0.5) : ""
}

function value(s, t, variant,    part, none, all) {
    split(s, part, "-")
    none = median(part[1], 0, t, variant)
    if (part[2] != "access")
        return none
    all = median(part[1], width, t, variant)
    return none == "" || all == "" ? "" : (all - none) / width
}

function show(format, x) {
    return x == "" ? "-" : sprintf(format, x)
}

function ratio(a, b) {
    return a == "" || b == "" || b <= 0 ? "" : a / b
}

END {
    printf "" >facts
    line = "%-18s %7s |%8s %8s %8s |%8s |%8s %8s\n"
    printf line, "", "", "ns", "", "", "ours /", "itself at", "2 threads"
    printf line, "what", "threads", "plain", "libtsan", "ours", "libtsan", "libtsan", "ours"
    for (i = 1; i <= n_series; i++) {
        s = series[i]
        label = s
        sub("-", ", ", label)
        file = out "-" s ".dat"
        print "threads plain libtsan ours" >file
        worst = highest = ""
        for (k = 1; k <= n_threads; k++) {
            t = threads[k]
            for (v = 1; v <= 3; v++)
                x[v] = value(s, t, variants[v])
            r = ratio(x[3], x[2])
            mine = ratio(x[3], value(s, 2, "ours"))
            if (mine != "" && (worst == "" || mine > worst)) {
                worst = mine
                worst_at = t
            }
            if (r != "" && r > highest)
                highest = r
            printf line, label, t, show("%.1f", x[1]), show("%.1f", x[2]), show("%.1f", x[3]), show("%.2f", r),
                show("%.2f", ratio(x[2], value(s, 2, "libtsan"))), show("%.2f", mine)
            print t, show("%.2f", x[1]), show("%.2f", x[2]), show("%.2f", x[3]) >file
        }
        if (worst != "") {
            print "scaling." s, worst >facts
            print "scaling.at." s, worst_at >facts
        }
        if (highest != "")
            print "scaling.peer." s, highest >facts
    }
}
