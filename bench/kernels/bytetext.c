/* SPDX-License-Identifier: Apache-2.0
 *
 * Word frequencies of a text, byte by byte: bytetext [MEGABYTES [PASSES [THREADS]]].  Threads take
 * chunks from a counter under a lock, fold case and hash byte-wise, count in tables of their own, and
 * merge those under the lock at the end.  One-byte accesses, read-shared text, little synchronization.
 *
 * The check: main wrote the text from a vocabulary and knows how often it used each word.
 *
 * Reduced: 1 1
 */
#include "bench/kernels/kernel.h"

#include <string.h>

#define WORDS 4096  /* vocabulary */
#define SLOTS 16384 /* of a table: a power of two, sparse */
#define LONGEST 16  /* bytes of a word, with the end */
#define CHUNK 65536 /* bytes that a thread takes at a time */

struct slot {
    uint32_t count; /* 0: free */
    char word[LONGEST];
};

static char vocabulary[WORDS][LONGEST];
static uint64_t used[WORDS]; /* times that main wrote the word */
static char *text;           /* `length` bytes, then a 0 */
static size_t length, passes, threads;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static size_t next_chunk;        /* guarded by mutex; counts on through all passes */
static struct slot total[SLOTS]; /* guarded by mutex */

/* The slot of `word` in a table that is never full: its own, or the free one where it belongs. */
static struct slot *look_up(struct slot *table, const char *word, uint32_t hash)
{
    for (size_t i = hash;; i++) {
        struct slot *s = &table[i % SLOTS];
        if (!s->count)
            return s;
        size_t k = 0;
        while (s->word[k] == word[k] && word[k])
            k++;
        if (s->word[k] == word[k])
            return s;
    }
}

static void count_word(struct slot *table, const char *word, uint32_t hash, uint32_t times)
{
    struct slot *s = look_up(table, word, hash);
    if (!s->count)
        for (size_t k = 0; k == 0 || word[k - 1]; k++)
            s->word[k] = word[k];
    s->count += times;
}

static char fold(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static uint32_t hash_byte(uint32_t hash, char c)
{
    return (hash ^ (unsigned char)c) * 16777619u; /* FNV-1a */
}

/* Counts the words that begin in [at, end). */
static void scan(struct slot *table, size_t at, size_t end)
{
    if (at > 0) /* a word that began before us is our neighbour's */
        while (text[at - 1] != ' ' && text[at])
            at++;
    while (at < end) {
        char word[LONGEST];
        uint32_t hash = 2166136261u;
        size_t k = 0;
        for (; text[at] != ' ' && text[at] && k < LONGEST - 1; at++) {
            word[k] = fold(text[at]);
            hash = hash_byte(hash, word[k++]);
        }
        word[k] = 0;
        count_word(table, word, hash, 1);
        at++;
    }
}

static void *work(void *self)
{
    (void)self;
    struct slot *table = kernel_array(SLOTS, sizeof *table);
    size_t chunks = (length + CHUNK - 1) / CHUNK;
    for (;;) {
        pthread_mutex_lock(&mutex);
        size_t c = next_chunk++;
        pthread_mutex_unlock(&mutex);
        if (c >= chunks * passes)
            break;
        size_t at = c % chunks * CHUNK;
        scan(table, at, at + CHUNK < length ? at + CHUNK : length);
    }
    pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < SLOTS; i++)
        if (table[i].count) {
            uint32_t hash = 2166136261u;
            for (const char *c = table[i].word; *c; c++)
                hash = hash_byte(hash, *c);
            count_word(total, table[i].word, hash, table[i].count);
        }
    pthread_mutex_unlock(&mutex);
    free(table);
    return NULL;
}

static void write_text(void)
{
    uint64_t random = kernel_seed(0);
    for (size_t w = 0; w < WORDS; w++) {
        size_t n = 0;
        for (size_t rest = w; n == 0 || rest; rest /= 26) /* the number makes the word unique */
            vocabulary[w][n++] = (char)('a' + rest % 26);
        vocabulary[w][n++] = '-';
        for (size_t more = kernel_random(&random) % 8; more; more--)
            vocabulary[w][n++] = (char)('a' + kernel_random(&random) % 26);
    }
    size_t room = length;
    length = 0;
    for (;;) {
        size_t a = kernel_random(&random) % WORDS, b = kernel_random(&random) % WORDS;
        size_t w = a * b / WORDS; /* low numbers are frequent, as in a language */
        size_t n = strlen(vocabulary[w]);
        if (length + n + 1 > room)
            break;
        memcpy(text + length, vocabulary[w], n);
        if (kernel_random(&random) % 8 == 0)
            text[length] = (char)(text[length] - 'a' + 'A');
        text[length + n] = ' ';
        length += n + 1;
        used[w]++;
    }
    text[length] = 0;
}

int main(int argc, char **argv)
{
    length = kernel_size(argc, argv, 1, 16, 1, 1024) << 20;
    passes = kernel_size(argc, argv, 2, 4, 1, 100);
    threads = kernel_size(argc, argv, 3, 2, 1, KERNEL_MAX_THREADS);
    text = kernel_array(length + 1, 1);
    write_text();
    kernel_threads(threads, work);

    uint64_t words = 0, known = 0;
    for (size_t i = 0; i < SLOTS; i++)
        words += total[i].count;
    for (size_t w = 0; w < WORDS; w++) {
        uint32_t hash = 2166136261u;
        for (const char *c = vocabulary[w]; *c; c++)
            hash = hash_byte(hash, *c);
        uint32_t count = look_up(total, vocabulary[w], hash)->count;
        if (count != used[w] * passes)
            kernel_wrong("'%s' was counted %u times, not %llu", vocabulary[w], count,
                         (unsigned long long)(used[w] * passes));
        known += count;
    }
    if (words != known)
        kernel_wrong("%llu words that nobody wrote", (unsigned long long)(words - known));
    printf("bytetext: %zu bytes, %zu passes, %llu words counted\n", length, passes, (unsigned long long)words);
    free(text);
    return 0;
}
