/* SPDX-License-Identifier: Apache-2.0
 *
 * See record.h.  The file is written by whoever tells, under the lock of serial.c: a recording is made to be looked at, and its
 * run is a slow one anyway.
 */
#include "java/record.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "java/agent.h"
#include "java/serial.h"
#include "java/site.h"
#include "java/variable.h"
#include "peers/registry.h"
#include "platform/platform.h"
#include "trace/record.h"

#define EXISTS (-EEXIST)
enum { FLUSH_EVENTS = 4096, FLUSH_SECONDS = 1 }; /* how often the clock is looked at, and how much is lost in a crash */

static struct {
    const struct gl_detector *peer; /* NULL: our engine judges */
    struct gl_state *judge, *state; /* state: what is told, which tells the judge */
    const struct gl_env *env;
    char path[GL_OPTION_TEXT_MAX + 16];
    int fd, error;
    bool unnamed;        /* there was no memory for some name */
    uint8_t *named;      /* by site: its name was told */
    uint32_t sites;
    uint32_t events;     /* since the clock was looked at */
    time_t flushed;
    bool ended;
} record = {.fd = -1};

static bool put_bytes(void *ctx, const void *bytes, size_t n)
{
    (void)ctx;
    long r = gl_os_write_quietly(record.fd, bytes, n);
    if (r < 0) record.error = (int)-r;
    return r >= 0;
}

/* ---- names ---- */

static void name_variable(JNIEnv *env, uint32_t site, jobject object, jint index, char *out, size_t room)
{
    char variable[1024], owner[512];
    struct gl_j_variable v = {.text = variable, .room = sizeof variable, .object = owner, .object_room = sizeof owner};
    if (index < -1) {
        gl_j_name_static(site, object, out, room);
        return;
    }
    gl_j_name_variable(env, site, object, index, &v);
    const char *hash = strrchr(owner, '@');
    unsigned width = index < 0 ? 4 : gl_jelement_bytes(env, (*env)->GetObjectClass(env, object));
    if (width < 4) { /* elements that share a cell: byte[4..7] */
        int per = (int)(4 / width), first = index / per * per;
        const char *bracket = strchr(variable, '[');
        snprintf(out, room, "%.*s[%d..%d]%s", (int)(bracket - variable), variable, first, first + per - 1, hash ? hash : "");
    } else {
        snprintf(out, room, "%s%s", variable, hash ? hash : "");
    }
}

static void on_variable(struct gl_state *state, uint64_t address, const char *name)
{
    if (!gl_record_variable(state, address, 4, name)) record.unnamed = true;
}

static bool sites_reserve(uint32_t site)
{
    if (site < record.sites) return true;
    uint32_t room = record.sites ? record.sites : 4096;
    while (room <= site) room *= 2;
    uint8_t *more = gl_os_map(room);
    if (!more) return false;
    if (record.named) {
        memcpy(more, record.named, record.sites);
        gl_os_unmap(record.named, record.sites);
    }
    record.named = more;
    record.sites = room;
    return true;
}

/* Sites of one line of one method are one location. */
static void on_site(struct gl_state *state, uint32_t number)
{
    char name[1024];
    if (number == 0 || (number < record.sites && record.named[number])) return;
    const struct gl_j_site *site = gl_j_site(number);
    if (!sites_reserve(number) || !site) {
        record.unnamed = true;
        return;
    }
    snprintf(name, sizeof name, "%s.%s %s:%u", site->class_name, site->method, site->file ? site->file : "?", (unsigned)site->line);
    for (char *s = name; *s && *s != ' '; s++)
        if (*s == '/') *s = '.';
    if (gl_record_site(state, number, name))
        record.named[number] = 1;
    else
        record.unnamed = true;
}

static void on_told(struct gl_state *state)
{
    struct timespec now;
    if (++record.events < FLUSH_EVENTS) return;
    record.events = 0;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    if (now.tv_sec - record.flushed < FLUSH_SECONDS) return;
    record.flushed = now.tv_sec;
    (void)gl_record_flush(state); /* a failure shows again at the end */
}

/* ---- begin ---- */

static void *map(void *ctx, size_t bytes)
{
    (void)ctx;
    return gl_os_map(bytes);
}
static void unmap(void *ctx, void *p, size_t bytes)
{
    (void)ctx;
    gl_os_unmap(p, bytes);
}
static void pause_cpu(void *ctx, unsigned rounds)
{
    (void)ctx;
    gl_os_pause(rounds);
}

static bool open_file(char *error, size_t cap)
{
    const char *path = gl_j_agent.options.record;
    snprintf(record.path, sizeof record.path, "%s", path);
    record.fd = gl_os_open_new(path);
    if (record.fd == EXISTS) {
        snprintf(record.path, sizeof record.path, "%s.%u", path, gl_os_pid());
        record.fd = gl_os_open_new(record.path);
        if (record.fd >= 0) gl_j_say("%s is there; this run is recorded in %s", path, record.path);
    }
    if (record.fd >= 0) return true;
    snprintf(error, cap, "record: %s cannot be written (%s); name a file in a folder that exists and is writable", record.path,
             strerror(-record.fd));
    return false;
}

bool gl_j_record_begin(bool *on, char *error, size_t cap)
{
    static const char *const names[] = {"goldilocks", "vc", "fasttrack", "eraser"};
    static const struct gl_env env = {.map = map, .unmap = unmap, .pause = pause_cpu};
    const struct gl_j_options *o = &gl_j_agent.options;
    bool recording = o->record[0] != 0;
    *on = recording || o->detector != GL_J_GOLDILOCKS;
    if (!*on) return true;
    if (o->on_race == GL_J_THROW) {
        snprintf(error, cap, "on_race=throw goes with detector=goldilocks and without record: an access that is not made cannot be taken"
                             " back from other detectors and recordings");
        return false;
    }
    struct gl_jserial_to to = {0};
    if (o->detector != GL_J_GOLDILOCKS) {
        record.peer = gl_detector_by_name(names[o->detector]);
        record.judge = record.peer->create(&env);
        if (!record.judge) {
            snprintf(error, cap, "there is no memory for the detector %s", record.peer->name);
            return false;
        }
        to = (struct gl_jserial_to){.detector = record.peer, .state = record.judge, .judges = true};
    }
    if (recording) {
        if (!open_file(error, cap)) return false;
        record.state = gl_record_over(&env, record.peer, record.judge, put_bytes, NULL);
        if (!record.state) {
            snprintf(error, cap, "record: %s cannot be written (%s)", record.path, record.error ? strerror(record.error) : "no memory");
            return false;
        }
        to.detector = &gl_detector_record;
        to.state = record.state;
        to.name = name_variable;
        to.variable = on_variable;
        to.site = on_site;
        to.told = on_told;
    }
    gl_jserial_begin(&to);
    return true;
}

bool gl_j_record_precise(void) { return !record.peer || (record.peer->can & GL_CAN_PRECISE); }

const char *gl_j_record_detector(void) { return record.peer ? record.peer->name : "goldilocks"; }

/* ---- end ---- */

void gl_j_record_end(void)
{
    if (!gl_jserial_is_on() || record.ended) return;
    record.ended = true;
    gl_jserial_end();
    if (gl_jserial_complaint())
        gl_j_say("%s: %s; checking stopped at a synchronization, later races were missed", gl_j_record_detector(), gl_jserial_complaint());
    if (!record.state) return;
    bool whole = gl_record_close(record.state);
    gl_os_close(record.fd);
    if (!whole)
        gl_j_say("the recording %s is not whole (%s); what is there can be read", record.path,
                 record.error ? strerror(record.error) : "memory ran out");
    else if (record.unnamed)
        gl_j_say("memory ran out: some variables or places in the recording %s have no name", record.path);
}
