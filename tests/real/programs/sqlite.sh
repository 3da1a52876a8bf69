# SPDX-License-Identifier: Apache-2.0
# sqlite's own tests of threads: connections in several threads, with rollback journal and WAL, a shared cache, serialized
# and multi-threaded mode. They check themselves; what they print depends on the scheduler, but for the rows.
# shellcheck shell=bash disable=SC2034,SC2086,SC2100,SC2154,SC2164
packages=sqlite3

build()
{
    ./configure --disable-tcl --disable-readline
    make -j"$jobs" sqlite3.c
    $CC -O2 -DSQLITE_THREADSAFE=1 -c sqlite3.c
    $CC -O2 -I. -Isrc test/threadtest3.c src/test_multiplex.c sqlite3.o -o threadtest3 -lpthread -lm -ldl
    $CC -O2 -I. test/threadtest4.c sqlite3.o -o threadtest4 -lpthread -lm -ldl
    $CC -O2 -I. test/threadtest5.c sqlite3.o -o threadtest5 -lpthread -lm -ldl
    $CC -O2 -I. shell.c sqlite3.o -o sqlite3 -lpthread -lm -ldl
    $CC -O2 -I. test/speedtest1.c sqlite3.o -o speedtest1 -lpthread -lm -ldl
    gcc -O1 -I. test/speedtest1.c sqlite3.c -o speedtest1-plain -lpthread -lm -ldl
}

# It tries ten times to get at a database that others use, and then takes that for a deadlock; and it does not try again at all
# where a statement is prepared while others hold the schema (code 6). Both happen on a busy machine, watched or not. So may the second where a
# statement is prepared anew in a step, of which no code is told: then it has to go well another time.
threadtest4()
{
    for _ in 1 2 3 4; do
        ! $launch "$source/threadtest4" "$@" >"$scratch/said" 2>"$scratch/errors" || return 0
        ! grep -E '^Deadlock in thread .* while running|^SQL error \(6,' "$scratch/errors" || return 0
        grep -q 'Failed to step: ' "$scratch/said" || break
    done
    cat "$scratch/said" "$scratch/errors"
    return 1
}

# It waits two seconds for a database that others use, and then takes that for an error. And its task 52 makes table p2 in one
# transaction and fills it in the next: a task that deletes what is no prime may come in between, and its result is then incorrect. Where
# the database is locked when a table is to be made, it does not notice, and waits for the table for ever.
threadtest5()
{
    local code
    for _ in 1 2 3 4; do
        code=0
        timeout 600 $launch "$source/threadtest5" >"$scratch/said" 2>&1 || code=$?
        [ "$code" -eq 124 ] || { [ "$code" -ne 0 ] && grep -qE 'ERROR - database is locked$|^incorrect result$' "$scratch/said"; } || break
    done
    cat "$scratch/said"
    return "$code"
}

check()
{
    cd "$scratch"
    threadtest4 -multithread 4
    threadtest4 -serialized 4
    threadtest4 -multithread -wal 4
    threadtest5
    # What is instrumented computes the same as what is not.
    for set in main cte fp orm; do
        $launch "$source/speedtest1" --verify --size 5 --testset $set ":memory:" | grep -a Hash
        "$source/speedtest1-plain" --verify --size 5 --testset $set ":memory:" | grep -a Hash
    done | sed 's/^Verification Hash: //' >"$scratch/hashes"
    [ "$(wc -l <"$scratch/hashes")" -eq 8 ] && [ "$(uniq "$scratch/hashes" | wc -l)" -eq 4 ] || { cat "$scratch/hashes" && return 1; }
    $launch "$source/threadtest3" walthread1 walthread5 cgt_pager_1 dynamic_triggers create_drop_index_1 shared1
    # A sort with worker threads.
    $launch "$source/sqlite3" sort.db >"$out/sorted" <<'SQL'
PRAGMA threads=4;
PRAGMA cache_size=200;
CREATE TABLE t(a, b);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<60000)
  INSERT INTO t SELECT (i*7919)%60013, printf('row %d of a table that is sorted by several threads', i) FROM n;
CREATE INDEX t_ab ON t(b, a);
SELECT a, b FROM t ORDER BY a, b DESC;
PRAGMA integrity_check;
SQL
}
