// SPDX-License-Identifier: Apache-2.0
// Synchronized blocks on one object.
// EXPECT: race Account.balance write @1 then write @2
import static goldilocks.test.Order.*;

class SyncBlock {
    static class Account {
        int balance;
    }

    public static void main(String[] args) {
        Account account = new Account();
        Object lock = new Object();
        Object other = racy() ? new Object() : lock;
        Run.turns(() -> {
            synchronized (lock) {
                account.balance = 1; // @1
            }
        }, () -> {
            synchronized (other) {
                account.balance = 2; // @2
            }
        });
    }
}
