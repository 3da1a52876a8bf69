# SPDX-License-Identifier: Apache-2.0
#
# results.tsv in, the table out.  Times are medians over the rounds (time=wall, or cpu: user and system), memory the
# median of the peaks; below the table the spread, since a median alone hides how noisy the machine was.  Says "-"
# for what was not measured, and computes nothing from it.  helgrind and drd are held against the uninstrumented
# program on the same reduced input ("small").  "calls" is what the calls cost by themselves.  Writes OUT-COMPILER.dat for the plot, and to `facts` what
# bench/goals compares, as `name value`.  Needs quantile.awk.

BEGIN {
    FS = "\t"
    split("plain libtsan ours small helgrind drd inline calls", variants, " ")
    n_variants = 8
}

$1 == "program" { next } # the heading

{
    pair = $1 FS $2
    if (!(pair in known)) {
        known[pair] = 1
        order[++pairs] = pair
    }
    if ($3 == "helgrind" || $3 == "drd")
        with_valgrind = 1
    if ($3 == "inline")
        with_inline = 1
    if ($3 == "calls")
        with_calls = 1
    key = pair FS $3
    n = ++count[key]
    seconds[key, n] = time == "cpu" ? $6 + $7 : $5
    peak[key, n] = $8 / 1024
}

function show(format, x) {
    return x == "" ? "-" : sprintf(format, x)
}

function ratio(a, b) {
    return a == "" || b == "" || b <= 0 ? "" : a / b
}

# A mean over programs counts only those where both were measured.
function collect(column, cc, x, program) {
    if (x == "")
        return
    logs[column, cc] += log(x)
    terms[column, cc]++
    if (x > worst[column, cc]) {
        worst[column, cc] = x
        worst_of[column, cc] = program
    }
}

function mean(column, cc) {
    return terms[column, cc] ? exp(logs[column, cc] / terms[column, cc]) : ""
}

# One line: the slow-downs are given as text, so that a mean and a program's value look alike.
function row(program, cc, plain, libtsan, ours, s_libtsan, s_ours, s_inline, s_helgrind, s_drd, r, r_inline, r_calls, m_plain, m_libtsan, m_ours, rm,
    text) {
    text = sprintf("%-11s %-9s |%7s %8s %7s |%8s %7s ", program, cc, plain, libtsan, ours, s_libtsan, s_ours)
    if (with_inline)
        text = text sprintf("%7s ", s_inline)
    if (with_valgrind)
        text = text sprintf("%8s %7s ", s_helgrind, s_drd)
    text = text sprintf("|%8s ", r)
    if (with_inline)
        text = text sprintf("%8s ", r_inline)
    if (with_calls)
        text = text sprintf("%8s ", r_calls)
    print text sprintf("|%7s %8s %7s |%8s", m_plain, m_libtsan, m_ours, rm)
}

function fact(name, value) {
    if (value != "")
        printf "%s %s\n", name, value >facts
}

END {
    if (!pairs) {
        print "nothing was measured"
        exit
    }
    printf "" >facts
    row("", "", time == "cpu" ? "seconds of processors" : "seconds", "", "", "slowdown", "", "", "", "", "ours /", "inline /", "calls /",
        "peak MB", "", "", "ours /")
    row("program", "compiler", "plain", "libtsan", "ours", "libtsan", "ours", "inline", "helgrind", "drd", "libtsan",
        "libtsan", "libtsan", "plain", "libtsan", "ours", "libtsan")
    for (p = 1; p <= pairs; p++) {
        split(order[p], part, FS)
        cc = part[2]
        if (!(cc in met)) {
            met[cc] = 1
            compiler[++compilers] = cc
            print "program libtsan ours inline helgrind drd" >(out "-" cc ".dat")
        }
        for (v = 1; v <= n_variants; v++) {
            key = order[p] FS variants[v]
            t[v] = m[v] = ""
            if (count[key]) {
                t[v] = quantile(seconds, key, 0.5)
                m[v] = quantile(peak, key, 0.5)
                spread[++spreads] = sprintf("%-11s %-9s %-8s n=%-4d     %8.3f %8.3f %8.3f", part[1], cc,
                    variants[v], count[key], quantile(seconds, key, 0), t[v], quantile(seconds, key, 1))
            }
        }
        slow["libtsan"] = ratio(t[2], t[1])
        slow["ours"] = ratio(t[3], t[1])
        slow["inline"] = ratio(t[7], t[1])
        slow["helgrind"] = ratio(t[5], t[4])
        slow["drd"] = ratio(t[6], t[4])
        for (tool in slow)
            collect(tool, cc, slow[tool], part[1])
        collect("time", cc, ratio(t[3], t[2]), part[1])
        collect("inlined", cc, ratio(t[7], t[2]), part[1])
        collect("calls", cc, ratio(t[8], t[2]), part[1])
        collect("memory", cc, ratio(m[3], m[2]), part[1])
        if (t[2] != "" && t[3] != "" && t[3] >= t[2])
            slower = slower " " part[1] "/" cc
        print part[1], show("%.3f", slow["libtsan"]), show("%.3f", slow["ours"]), show("%.3f", slow["inline"]),
            show("%.3f", slow["helgrind"]), show("%.3f", slow["drd"]) >(out "-" cc ".dat")
        row(part[1], cc, show("%.3f", t[1]), show("%.3f", t[2]), show("%.3f", t[3]), show("%.1fx", slow["libtsan"]),
            show("%.1fx", slow["ours"]), show("%.1fx", slow["inline"]), show("%.1fx", slow["helgrind"]),
            show("%.1fx", slow["drd"]), show("%.2f", ratio(t[3], t[2])), show("%.2f", ratio(t[7], t[2])), show("%.2f", ratio(t[8], t[2])),
            show("%.0f", m[1]), show("%.0f", m[2]), show("%.0f", m[3]),
            show("%.2f", ratio(m[3], m[2])))
    }
    for (c = 1; c <= compilers; c++) {
        cc = compiler[c]
        row("geomean", cc, "", "", "", show("%.1fx", mean("libtsan", cc)), show("%.1fx", mean("ours", cc)),
            show("%.1fx", mean("inline", cc)), show("%.1fx", mean("helgrind", cc)), show("%.1fx", mean("drd", cc)),
            show("%.2f", mean("time", cc)), show("%.2f", mean("inlined", cc)), show("%.2f", mean("calls", cc)), "", "", "",
            show("%.2f", mean("memory", cc)))
        fact("programs." cc, terms["time", cc])
        fact("slowdown.inline.mean." cc, mean("inline", cc))
        fact("time.inline.mean." cc, mean("inlined", cc))
        fact("time.mean." cc, mean("time", cc))
        fact("time.worst." cc, worst["time", cc])
        fact("time.worst.of." cc, worst_of["time", cc])
        fact("memory.mean." cc, mean("memory", cc))
        fact("memory.worst." cc, worst["memory", cc])
        fact("memory.worst.of." cc, worst_of["memory", cc])
    }
    print ""
    print "spread of the seconds                     minimum   median  maximum"
    for (s = 1; s <= spreads; s++)
        print spread[s]
    if (slower != "")
        print "\nnot faster than libtsan:" slower
}
