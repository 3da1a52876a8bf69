/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads with databases: sqlite [ROWS [THREADS]].  Each thread fills a table in a database of its own (in memory), makes
 * an index, sorts, joins and deletes; allocator, page cache and their locks are all threads'.  Then each enters its
 * sums into one database through one connection, which sqlite's serialized mode lets them share.
 *
 * The check: sums that are known beforehand.
 */
#include "bench/kernels/kernel.h"
#include <sqlite3.h>

#include <string.h>

static size_t rows, threads;
static sqlite3 *common;

static void must(int code, int wanted, sqlite3 *db, const char *what)
{
    if (code != wanted)
        kernel_wrong("%s: %s", what, sqlite3_errmsg(db));
}

static void run(sqlite3 *db, const char *sql)
{
    must(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK, db, sql);
}

static int64_t ask(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *s;
    must(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK, db, sql);
    must(sqlite3_step(s), SQLITE_ROW, db, sql);
    int64_t answer = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return answer;
}

static void expect(sqlite3 *db, const char *sql, int64_t answer)
{
    int64_t got = ask(db, sql);
    if (got != answer)
        kernel_wrong("%s: %lld, not %lld", sql, (long long)got, (long long)answer);
}

static void fill(sqlite3 *db)
{
    sqlite3_stmt *s;
    const char *sql = "INSERT INTO t VALUES(?, ?, ?)";
    run(db, "CREATE TABLE t(id INTEGER PRIMARY KEY, n INTEGER, name TEXT); BEGIN");
    must(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK, db, sql);
    for (size_t i = 0; i < rows; i++) {
        char name[32];
        int length = snprintf(name, sizeof name, "row %zu", i * 7919 % rows);
        sqlite3_bind_int64(s, 1, (sqlite3_int64)i);
        sqlite3_bind_int64(s, 2, (sqlite3_int64)(i % 100));
        sqlite3_bind_text(s, 3, name, length, SQLITE_TRANSIENT);
        must(sqlite3_step(s), SQLITE_DONE, db, sql);
        sqlite3_reset(s);
    }
    sqlite3_finalize(s);
    run(db, "COMMIT");
}

static void *work(void *self)
{
    sqlite3 *db;
    must(sqlite3_open(":memory:", &db), SQLITE_OK, NULL, "a database in memory");
    int64_t n = (int64_t)rows;
    fill(db);
    expect(db, "SELECT sum(id) FROM t", n * (n - 1) / 2);
    run(db, "CREATE INDEX by_name ON t(name)");
    expect(db, "SELECT count(*) FROM (SELECT name FROM t ORDER BY name DESC, id)", n);
    expect(db, "SELECT count(*) FROM t a JOIN t b ON a.name = b.name WHERE a.id = b.id", n);
    run(db, "DELETE FROM t WHERE n < 50");
    int64_t left = n / 100 * 50 + (n % 100 > 50 ? n % 100 - 50 : 0);
    expect(db, "SELECT count(*) FROM t", left);
    sqlite3_close(db);

    char sql[96];
    snprintf(sql, sizeof sql, "INSERT INTO sums VALUES(%zu, %lld)", (size_t)self, (long long)left);
    run(common, sql);
    return NULL;
}

int main(int argc, char **argv)
{
    rows = kernel_size(argc, argv, 1, 20000, 1, 10000000);
    threads = kernel_size(argc, argv, 2, 2, 1, KERNEL_MAX_THREADS);
    sqlite3_initialize();
    must(sqlite3_open_v2(":memory:", &common, SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX, NULL), SQLITE_OK,
         NULL, "the common database");
    run(common, "CREATE TABLE sums(thread INTEGER PRIMARY KEY, n INTEGER)");
    kernel_threads(threads, work);
    expect(common, "SELECT count(*) FROM sums", (int64_t)threads);
    printf("sqlite: %zu threads, %lld rows left of %zu\n", threads,
           (long long)ask(common, "SELECT sum(n) FROM sums"), rows * threads);
    sqlite3_close(common);
    return 0;
}
