/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts the words of text files with several threads, and shows how far it has come.
 *
 *     wordcount [-j THREADS] [-n WORDS] [-p] FILE...
 *
 * The main thread fills a queue with the file names, starts the workers, shows the progress until all
 * files are done, and prints the most frequent words.  Each worker takes file after file from the
 * queue and counts into the shared table.
 *
 * There is one data race in it, where the progress is shown: progress_percent() reads the counter of
 * finished files without the lock under which the workers increase it ("it is only for display").
 * Compiled with -DFIXED it takes the lock, and nothing else changes.
 */
#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "table.h"

enum { THREADS_MAX = 64, WORD_MAX = 64, BLOCK = 1 << 16 };

/* ---- the queue of files ----------------------------------------------------------------------- */

/* Filled before the workers start; after that, only `next` changes. */
struct queue {
    pthread_mutex_t lock;
    char **files;
    size_t count;
    size_t next; /* guarded by lock */
};

/* The next file that nobody has taken yet, or NULL. */
static const char *queue_take(struct queue *q)
{
    const char *file = NULL;
    pthread_mutex_lock(&q->lock);
    if (q->next < q->count) file = q->files[q->next++];
    pthread_mutex_unlock(&q->lock);
    return file;
}

/* ---- progress --------------------------------------------------------------------------------- */

struct progress {
    pthread_mutex_t lock;
    size_t files_total;  /* constant while threads run */
    size_t files_done;   /* guarded by lock */
    size_t files_failed; /* guarded by lock */
    unsigned long words; /* guarded by lock */
};

static void progress_file_done(struct progress *p, unsigned long words, bool failed)
{
    pthread_mutex_lock(&p->lock);
    p->words += words;
    p->files_failed += failed;
    p->files_done++;
    pthread_mutex_unlock(&p->lock);
}

/* How much of the work is done, for the line on the terminal. */
static int progress_percent(struct progress *p)
{
    size_t done;
#ifdef FIXED
    pthread_mutex_lock(&p->lock);
    done = p->files_done;
    pthread_mutex_unlock(&p->lock);
#else
    done = p->files_done; /* one number, only for display: no need for the lock?  A data race. */
#endif
    return (int)(100 * done / p->files_total);
}

/* ---- counting one file ------------------------------------------------------------------------ */

struct counter {
    struct table *table;
    char word[WORD_MAX]; /* the word that is being read, in lower case; longer ones are cut */
    size_t length;
    unsigned long words;
};

static void end_word(struct counter *c)
{
    if (!c->length) return;
    table_add(c->table, c->word, c->length);
    c->words++;
    c->length = 0;
}

/* A word may go on in the next block. */
static void count_block(struct counter *c, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char ch = (unsigned char)text[i];
        if (!isalpha(ch))
            end_word(c);
        else if (c->length < WORD_MAX)
            c->word[c->length++] = (char)tolower(ch);
    }
}

/* The number of words in the file; false: it could not be read. */
static bool count_file(struct table *table, const char *path, char *block, unsigned long *words)
{
    struct counter c = {.table = table};
    FILE *f = fopen(path, "rb");
    if (!f) {
        fprintf(stderr, "wordcount: %s: %s\n", path, strerror(errno));
        return false;
    }
    for (size_t n; (n = fread(block, 1, BLOCK, f)) > 0;) count_block(&c, block, n);
    bool good = !ferror(f);
    if (!good) fprintf(stderr, "wordcount: %s: cannot be read\n", path);
    fclose(f);
    end_word(&c);
    *words = c.words;
    return good;
}

/* ---- threads ---------------------------------------------------------------------------------- */

struct work {
    struct queue queue;
    struct progress progress;
    struct table *table;
};

static struct work work = {
    .queue.lock = PTHREAD_MUTEX_INITIALIZER,
    .progress.lock = PTHREAD_MUTEX_INITIALIZER,
};

static void *worker(void *arg)
{
    struct work *w = arg;
    char *block = malloc(BLOCK);
    if (!block) {
        fputs("wordcount: out of memory\n", stderr);
        exit(1);
    }
    for (const char *file; (file = queue_take(&w->queue));) {
        unsigned long words = 0;
        bool good = count_file(w->table, file, block, &words);
        progress_file_done(&w->progress, words, !good);
    }
    free(block);
    return NULL;
}

static void show_progress(struct progress *p, bool visible)
{
    const struct timespec pause = {.tv_nsec = 2000000};
    for (int percent;;) {
        percent = progress_percent(p);
        if (visible) fprintf(stderr, "\r%3d %%%s", percent, percent == 100 ? "\n" : "");
        if (percent == 100) break;
        nanosleep(&pause, NULL);
    }
}

static void print_result(struct work *w, size_t most)
{
    size_t count;
    struct word *words = table_sorted(w->table, &count);
    for (size_t i = 0; i < count && i < most; i++) printf("%7lu %s\n", words[i].count, words[i].text);
    printf("%lu words, %zu different, in %zu files\n", w->progress.words, count,
           w->progress.files_total - w->progress.files_failed);
    free(words);
}

static int usage(void)
{
    fputs("usage: wordcount [-j THREADS] [-n WORDS] [-p] FILE...\n", stderr);
    return 2;
}

int main(int argc, char **argv)
{
    long threads = 4, most = 10;
    bool visible = false;
    for (int c; (c = getopt(argc, argv, "j:n:p")) != -1;) {
        if (c == 'j')
            threads = strtol(optarg, NULL, 10);
        else if (c == 'n')
            most = strtol(optarg, NULL, 10);
        else if (c == 'p')
            visible = true;
        else
            return usage();
    }
    if (threads < 1 || threads > THREADS_MAX || most < 0 || optind == argc) return usage();

    work.queue.files = argv + optind;
    work.queue.count = work.progress.files_total = (size_t)(argc - optind);
    work.table = table_new();
    pthread_t ids[THREADS_MAX];
    for (long i = 0; i < threads; i++) {
        if (pthread_create(&ids[i], NULL, worker, &work) != 0) {
            fputs("wordcount: a thread could not be started\n", stderr);
            return 1;
        }
    }
    show_progress(&work.progress, visible);
    for (long i = 0; i < threads; i++) pthread_join(ids[i], NULL);

    print_result(&work, (size_t)most);
    size_t failed = work.progress.files_failed;
    table_free(work.table);
    return failed ? 1 : 0;
}
