// SPDX-License-Identifier: Apache-2.0

/** Two tellers pay into one account. With -Dfixed=true they hold its lock while they do. */
public class Bank {
    static class Account {
        private long balance;

        void deposit(long amount) {
            balance += amount;
        }

        synchronized void depositLocked(long amount) {
            balance += amount;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        boolean fixed = Boolean.getBoolean("fixed");
        Account account = new Account();
        Runnable teller = () -> {
            for (int i = 0; i < 1000; i++) {
                if (fixed) {
                    account.depositLocked(1);
                } else {
                    account.deposit(1);
                }
            }
        };
        Thread first = new Thread(teller, "first teller"), second = new Thread(teller, "second teller");
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("balance " + account.balance);
    }
}
