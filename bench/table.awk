# SPDX-License-Identifier: Apache-2.0
#
# results.tsv in, the table out.  Times are medians over the rounds, memory the median of the peaks;
# below the table the spread, since a median alone hides how noisy the machine was.  Says "-" for what
# was not measured, and computes nothing from it.  Needs quantile.awk.

BEGIN {
    FS = "\t"
    split("plain libtsan ours", variants, " ")
}

$1 == "program" { next } # the heading

{
    pair = $1 FS $2
    if (!(pair in known)) {
        known[pair] = 1
        order[++pairs] = pair
    }
    key = pair FS $3
    n = ++count[key]
    wall[key, n] = $5
    peak[key, n] = $8 / 1024
}

function show(format, x) {
    return x == "" ? "-" : sprintf(format, x)
}

function ratio(a, b) {
    return a == "" || b == "" || b <= 0 ? "" : a / b
}

# A mean over programs counts only those where both were measured.
function collect(column, cc, x) {
    if (x != "") {
        logs[column, cc] += log(x)
        terms[column, cc]++
    }
}

function mean(column, cc) {
    return terms[column, cc] ? exp(logs[column, cc] / terms[column, cc]) : ""
}

END {
    if (!pairs) {
        print "nothing was measured"
        exit
    }
    line = "%-11s %-9s |%7s %8s %7s |%8s %7s |%8s |%7s %8s %7s\n"
    printf line, "", "", "seconds", "", "", "slowdown", "", "ours /", "peak MB", "", ""
    printf line, "program", "compiler", "plain", "libtsan", "ours", "libtsan", "ours", "libtsan", "plain", "libtsan", "ours"
    for (p = 1; p <= pairs; p++) {
        split(order[p], part, FS)
        cc = part[2]
        if (!(cc in met)) {
            met[cc] = 1
            compiler[++compilers] = cc
        }
        for (v = 1; v <= 3; v++) {
            key = order[p] FS variants[v]
            t[v] = m[v] = ""
            if (count[key]) {
                t[v] = quantile(wall, key, 0.5)
                m[v] = quantile(peak, key, 0.5)
                spread[++spreads] = sprintf("%-11s %-9s %-8s n=%-4d     %8.3f %8.3f %8.3f", part[1], cc,
                    variants[v], count[key], quantile(wall, key, 0), t[v], quantile(wall, key, 1))
            }
        }
        collect("libtsan", cc, ratio(t[2], t[1]))
        collect("ours", cc, ratio(t[3], t[1]))
        collect("both", cc, ratio(t[3], t[2]))
        if (t[2] != "" && t[3] != "" && t[3] >= t[2])
            slower = slower " " part[1] "/" cc
        printf line, part[1], cc, show("%.3f", t[1]), show("%.3f", t[2]), show("%.3f", t[3]),
            show("%.1fx", ratio(t[2], t[1])), show("%.1fx", ratio(t[3], t[1])), show("%.2f", ratio(t[3], t[2])),
            show("%.0f", m[1]), show("%.0f", m[2]), show("%.0f", m[3])
    }
    for (c = 1; c <= compilers; c++)
        printf line, "geomean", compiler[c], "", "", "", show("%.1fx", mean("libtsan", compiler[c])),
            show("%.1fx", mean("ours", compiler[c])), show("%.2f", mean("both", compiler[c])), "", "", ""
    print ""
    print "spread of the seconds                     minimum   median  maximum"
    for (s = 1; s <= spreads; s++)
        print spread[s]
    if (slower != "")
        print "\nnot faster than libtsan:" slower
}
