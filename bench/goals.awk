# SPDX-License-Identifier: Apache-2.0
#
# The facts of table.awk, scaling.awk and startup.awk (`name value`) in, the goals out.  A goal whose fact is
# not there was not measured.

{
    fact[$1] = $2
}

# One goal: at most `limit`.  `note` says more about the figure.
function at_most(what, against, name, limit, note,    value, verdict) {
    goals++
    value = "-"
    verdict = "not measured"
    if (name in fact) {
        value = sprintf("%.2f", fact[name])
        verdict = fact[name] + 0 <= limit ? "reached" : "not reached"
        if (verdict == "reached")
            reached++
    } else
        note = ""
    printf "%-50s %-26s %8s %9s  %s%s\n", what, against, sprintf("%.2f", limit), value, verdict, note == "" ? "" : " (" note ")"
}

function at(series,    name) {
    name = "scaling.at." series
    return (name in fact) ? "at " fact[name] " threads" : ""
}

END {
    printf "%-50s %-26s %8s %9s\n", "goal", "against", "at most", "measured"
    clang = "clang-19"
    gcc = "gcc-12"
    libtsan = "'s ThreadSanitizer"
    at_most("time, drop-in, geometric mean", clang libtsan, "time.mean." clang, 0.45, fact["programs." clang] " programs")
    at_most("time, drop-in, the worst program", clang libtsan, "time.worst." clang, 0.8, fact["time.worst.of." clang])
    at_most("time, drop-in, geometric mean", gcc libtsan, "time.mean." gcc, 0.15, fact["programs." gcc] " programs")
    at_most("time, inlined build, geometric mean", clang libtsan, "time.inline.mean." clang, 0.25, "")
    at_most("slow-down, inlined build, geometric mean", "uninstrumented", "slowdown.inline.mean." clang, 3.5, "")
    at_most("peak memory, geometric mean", clang libtsan, "memory.mean." clang, 0.9, sprintf("the worst %.2f, %s", fact["memory.worst." clang], fact["memory.worst.of." clang]))
    at_most("an access, SharedSpot, 1 to 1,024 threads", "itself at 2 threads", "scaling.sharedspot-access", 1.3, at("sharedspot-access"))
    at_most("an access, LocalSpot, 1 to 1,024 threads", "itself at 2 threads", "scaling.localspot-access", 1.3, at("localspot-access"))
    at_most("a slot visited, Multiset, 1 to 1,024 threads", "itself at 2 threads", "scaling.multiset-visit", 1.3, at("multiset-visit"))
    at_most("a lock/unlock pair, SharedSpot, 1 to 1,024 threads", "itself at 2 threads", "scaling.sharedspot-pair", 1.3, at("sharedspot-pair"))
    at_most("a lock/unlock pair, LocalSpot, 1 to 1,024 threads", "itself at 2 threads", "scaling.localspot-pair", 1.3, at("localspot-pair"))
    at_most("a lock/unlock pair, SharedSpot, at every count", clang libtsan, "scaling.peer.sharedspot-pair", 1, "the highest ratio")
    at_most("a lock/unlock pair, LocalSpot, at every count", clang libtsan, "scaling.peer.localspot-pair", 1, "the highest ratio")
    at_most("start-up of an empty program, ms more, gcc-12", "uninstrumented", "startup.more.ms." gcc, 15, "")
    at_most("start-up of an empty program, ms more, clang-19", "uninstrumented", "startup.more.ms." clang, 15, "")
    printf "%d of %d goals reached\n", reached, goals
}
