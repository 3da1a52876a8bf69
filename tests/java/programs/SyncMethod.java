// SPDX-License-Identifier: Apache-2.0
// Synchronized methods of one object; an unsynchronized one forgets the lock.
// EXPECT: race Account.balance write @1 then read @2
import static goldilocks.test.Order.*;

class SyncMethod {
    static class Account {
        private int balance;

        synchronized void set(int value) {
            balance = value; // @1
        }

        synchronized int get() {
            return balance;
        }

        int peek() {
            return balance; // @2
        }
    }

    public static void main(String[] args) {
        Account account = new Account();
        Run.turns(() -> account.set(1), () -> use(racy() ? account.peek() : account.get()));
    }
}
