/* SPDX-License-Identifier: Apache-2.0
 *
 * Two tellers pay money into one account.  deposit() changes the balance without a lock, so that a
 * payment can be lost.  Compiled with -DFIXED it takes the lock.
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long balance;

static void deposit(long amount)
{
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    balance += amount;
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
}

static void *teller(void *arg)
{
    for (int i = 0; i < 1000; i++) deposit(*(const long *)arg);
    return NULL;
}

int main(void)
{
    long small = 1, large = 100;
    pthread_t a, b;
    pthread_create(&a, NULL, teller, &small);
    pthread_create(&b, NULL, teller, &large);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_mutex_lock(&lock);
    printf("balance %ld\n", balance);
    pthread_mutex_unlock(&lock);
    return 0;
}
