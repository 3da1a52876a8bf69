// SPDX-License-Identifier: Apache-2.0
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Threads with connections of their own move money between the accounts of one database in memory, and look at the total while others
 * do; a transaction that the database gives up is begun again. Argument: the database's URL. Prints what must come out.
 */
final class Bank {
    static final int THREADS = 4, ACCOUNTS = 20, MOVES = 150, START = 1000;

    private Bank() {}

    static long total(Connection db) throws SQLException {
        try (Statement s = db.createStatement(); ResultSet r = s.executeQuery("select sum(balance), count(*) from account")) {
            r.next();
            if (r.getInt(2) != ACCOUNTS)
                throw new IllegalStateException("accounts: " + r.getInt(2));
            return r.getLong(1);
        }
    }

    static void change(PreparedStatement update, int account, int by) throws SQLException {
        update.setInt(1, by);
        update.setInt(2, account);
        if (update.executeUpdate() != 1)
            throw new IllegalStateException("no account " + account);
    }

    static int move(String url, int thread) throws SQLException {
        int made = 0;
        try (Connection db = DriverManager.getConnection(url, "sa", "");
                PreparedStatement update = db.prepareStatement("update account set balance = balance + ? where id = ?")) {
            db.setAutoCommit(false);
            for (int i = 0; made < MOVES; i++) {
                int from = (thread * 7 + i) % ACCOUNTS, to = (thread * 3 + i * 5 + 1) % ACCOUNTS;
                try {
                    // Always in the same order, so that nobody waits in a circle.
                    change(update, Math.min(from, to), from < to ? -1 : 1);
                    change(update, Math.max(from, to), from < to ? 1 : -1);
                    db.commit();
                    made++;
                } catch (SQLException conflict) {
                    db.rollback();
                    if (i > 100 * MOVES)
                        throw conflict;
                }
                if (i % 50 == 0 && total(db) != (long) ACCOUNTS * START)
                    throw new IllegalStateException("money was made, or lost");
                db.rollback();
            }
        }
        return made;
    }

    public static void main(String[] args) throws Exception {
        String url = args[0];
        try (Connection db = DriverManager.getConnection(url, "sa", "")) {
            try (Statement s = db.createStatement()) {
                s.execute("create table account (id int primary key, balance int)");
                for (int i = 0; i < ACCOUNTS; i++)
                    s.execute("insert into account values (" + i + ", " + START + ")");
            }
            ExecutorService pool = Executors.newFixedThreadPool(THREADS);
            List<Future<Integer>> moves = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                int thread = t;
                moves.add(pool.submit(() -> move(url, thread)));
            }
            int made = 0;
            for (Future<Integer> m : moves)
                made += m.get();
            pool.shutdown();
            System.out.println("moves " + made + ", total " + total(db));
        }
    }
}
