# SPDX-License-Identifier: Apache-2.0
#
# What the tables of bench/ share; goes with `-f` before the one that uses it.

# The quantile q of v[key, 1..count]; sorts that part of v in place.
function quantile(v, key, q,    n, i, j, x, at) {
    n = count[key]
    for (i = 2; i <= n; i++) {
        x = v[key, i]
        for (j = i - 1; j >= 1 && v[key, j] > x; j--)
            v[key, j + 1] = v[key, j]
        v[key, j + 1] = x
    }
    at = 1 + q * (n - 1)
    i = int(at)
    return i == at ? v[key, i] : (v[key, i] + v[key, i + 1]) / 2
}
