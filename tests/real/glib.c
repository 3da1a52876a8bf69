/* SPDX-License-Identifier: Apache-2.0
 *
 * GLib as the distribution has it: everything that orders in it, used rightly by two threads. Prints what they computed.
 */
#include <glib-object.h>

static GMutex mutex;
static GCond cond;
static GAsyncQueue *queue;
static int counter, ended, from_once, idled;
static gsize once;
static GMainLoop *loop;

static gpointer worker(gpointer unused)
{
    for (int i = 0; i < 1000; i++) {
        g_mutex_lock(&mutex);
        counter++;
        g_mutex_unlock(&mutex);
        int *item = g_async_queue_pop(queue);
        (*item)++;
        g_free(item);
    }
    g_mutex_lock(&mutex);
    ended++;
    g_cond_signal(&cond);
    g_mutex_unlock(&mutex);
    return unused;
}

static void in_pool(gpointer item, gpointer answers)
{
    (*(int *)item)++;
    g_async_queue_push(answers, item);
}

static gpointer drop(gpointer object)
{
    ((int *)g_object_get_data(object, "data"))[0]++;
    g_object_unref(object);
    return NULL;
}

static void destroy(gpointer data)
{
    int *d = data;
    d[0] = d[1] = 0;
    g_free(d);
}

static gpointer make_once(gpointer p)
{
    *(int *)p = 7;
    return p;
}

static gpointer ask_once(gpointer unused)
{
    static GOnce made = G_ONCE_INIT; /* its function has returned: a plain store of the library's */
    static int by_function;
    (void)unused;
    if (*(int *)g_once(&made, make_once, &by_function) != 7)
        return NULL;
    if (g_once_init_enter(&once)) {
        from_once = 5;
        g_once_init_leave(&once, 1);
    }
    return GINT_TO_POINTER(from_once);
}

static gboolean idle(gpointer item)
{
    (*(int *)item)++;
    g_free(item);
    if (++idled == 100)
        g_main_loop_quit(loop);
    return G_SOURCE_REMOVE;
}

static gpointer add_idle(gpointer unused)
{
    for (int i = 0; i < 50; i++) {
        int *item = g_new(int, 1);
        *item = i;
        g_idle_add(idle, item);
    }
    return unused;
}

static void start(GThread *thread[2], GThreadFunc function)
{
    for (int i = 0; i < 2; i++)
        thread[i] = g_thread_new("thread", function, NULL);
}

static int join(GThread *thread[2])
{
    int sum = 0;
    for (int i = 0; i < 2; i++)
        sum += GPOINTER_TO_INT(g_thread_join(thread[i]));
    return sum;
}

int main(void)
{
    GThread *thread[2];
    queue = g_async_queue_new();
    start(thread, worker);
    for (int i = 0; i < 2000; i++) {
        int *item = g_new(int, 1);
        *item = i;
        g_async_queue_push(queue, item);
    }
    g_mutex_lock(&mutex);
    while (ended < 2)
        g_cond_wait(&cond, &mutex);
    g_mutex_unlock(&mutex);
    g_print("counted %d\n", counter);
    join(thread);

    GAsyncQueue *answers = g_async_queue_new();
    GThreadPool *pool = g_thread_pool_new(in_pool, answers, 2, FALSE, NULL);
    int sum = 0;
    for (int i = 0; i < 100; i++) {
        int *item = g_new(int, 1);
        *item = i;
        g_thread_pool_push(pool, item, NULL);
    }
    for (int i = 0; i < 100; i++) {
        int *item = g_async_queue_pop(answers);
        sum += *item;
        g_free(item);
    }
    g_thread_pool_free(pool, FALSE, TRUE);
    g_print("pooled %d\n", sum);

    for (int i = 0; i < 20; i++) {
        GObject *object = g_object_new(G_TYPE_OBJECT, NULL);
        g_object_set_data_full(object, "data", g_new0(int, 2), destroy);
        g_object_ref(object);
        GThread *other = g_thread_new("drop", drop, object);
        ((int *)g_object_get_data(object, "data"))[1] = 3;
        g_object_unref(object);
        g_thread_unref(other);
    }

    start(thread, ask_once);
    g_print("once %d\n", join(thread));
    loop = g_main_loop_new(NULL, FALSE);
    start(thread, add_idle);
    g_main_loop_run(loop);
    join(thread);
    g_print("idle %d\n", idled);
    return 0;
}
