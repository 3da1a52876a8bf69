/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a map of lines, once for each question: maps are short, and so are lists of questions.
 *
 *     SMAP                      then the class's own file, then the stratum that counts
 *     *S Kotlin                 a stratum: one way to tell where lines come from
 *     *F
 *     + 1 Box.kt                file 1; with a plus, a path follows in the next line
 *     BoxKt
 *     *L
 *     12#1,3:43                 lines 12, 13, 14 of file 1 are lines 43, 44, 45 of the class file; `,2` behind 43: 43-44, 45-46, 47-48
 *     *E
 *
 * A map inside (*O to *C) tells where the sources come from; that is not asked.
 */
#include "java/classfile_lines.h"

#include <string.h>

struct map {
    const char *at, *end;
    const char *stratum;
    size_t stratum_n;
    bool mine; /* in the stratum that counts */
    char section;
    unsigned inside;  /* of how many maps inside */
    const char *line; /* the one at hand, n bytes */
    size_t n;
};

static bool read_line(struct map *m)
{
    if (m->at == m->end)
        return false;
    m->line = m->at;
    while (m->at < m->end && *m->at != '\n' && *m->at != '\r')
        m->at++;
    m->n = (size_t)(m->at - m->line);
    if (m->at < m->end && *m->at++ == '\r' && m->at < m->end && *m->at == '\n')
        m->at++;
    return true;
}

static bool open_map(struct map *m, const char *text, size_t n)
{
    *m = (struct map){.at = text, .end = text + n};
    if (!read_line(m) || m->n != 4 || memcmp(m->line, "SMAP", 4) != 0 || !read_line(m) || !read_line(m))
        return false;
    m->stratum = m->line;
    m->stratum_n = m->n;
    return true;
}

static bool names_stratum(const struct map *m)
{
    size_t at = 2;
    while (at < m->n && m->line[at] == ' ')
        at++;
    return m->n - at == m->stratum_n && memcmp(m->line + at, m->stratum, m->stratum_n) == 0;
}

/* The next line of that section of the stratum that counts. */
static bool next(struct map *m, char section)
{
    while (read_line(m)) {
        bool head = m->n >= 2 && m->line[0] == '*';
        if (head && m->line[1] == 'O') {
            m->inside++;
        } else if (head && m->line[1] == 'C') {
            if (m->inside)
                m->inside--;
        } else if (m->inside) {
            continue;
        } else if (head && m->line[1] == 'E') {
            return false;
        } else if (head) {
            m->section = m->line[1];
            if (m->section == 'S')
                m->mine = names_stratum(m);
        } else if (m->mine && m->section == section) {
            return true;
        }
    }
    return false;
}

/* Below 2^31. */
static bool number(const char **at, const char *end, uint32_t *out)
{
    const char *begin = *at;
    for (*out = 0; *at < end && **at >= '0' && **at <= '9'; ++*at) {
        if (*out > (INT32_MAX - 9) / 10)
            return false;
        *out = *out * 10 + (uint32_t)(**at - '0');
    }
    return *at > begin;
}

/* A number behind that sign, if the sign is there. */
static bool after(char sign, const char **at, const char *end, uint32_t *out)
{
    if (*at == end || **at != sign)
        return true;
    ++*at;
    return number(at, end, out);
}

/* The line in its file, if it is one of those that m->line is about; 0 if not.  *file stays what it was, when none is named. */
static uint32_t line_of(const struct map *m, uint32_t line, uint32_t *file)
{
    const char *at = m->line, *end = at + m->n;
    uint32_t from, count = 1, to, step = 1;
    if (!number(&at, end, &from) || !after('#', &at, end, file) || !after(',', &at, end, &count))
        return 0;
    if (at == end || *at++ != ':' || !number(&at, end, &to) || !after(',', &at, end, &step))
        return 0;
    if (line < to)
        return 0;
    uint32_t nth = step ? (line - to) / step : line - to;
    return nth < count && from <= INT32_MAX - nth ? from + nth : 0;
}

static bool find_file(const char *text, size_t n, uint32_t file, struct gl_jsource_line *out)
{
    struct map m;
    if (!open_map(&m, text, n))
        return false;
    while (next(&m, 'F')) {
        const char *at = m.line, *end = at + m.n;
        uint32_t found;
        bool path = at < end && *at == '+';
        if (path)
            at++;
        while (at < end && *at == ' ')
            at++;
        bool good = number(&at, end, &found) && at < end && *at++ == ' ';
        if (good && found == file && at < end) {
            out->file = at;
            out->file_n = (size_t)(end - at);
            return true;
        }
        if (path && !next(&m, 'F'))
            return false;
    }
    return false;
}

bool gl_jsource_line(const char *text, size_t n, uint32_t line, struct gl_jsource_line *out)
{
    struct map m;
    uint32_t file = 0;
    if (!line || !open_map(&m, text, n))
        return false;
    while (next(&m, 'L')) {
        out->line = line_of(&m, line, &file);
        if (out->line)
            return find_file(text, n, file, out);
    }
    return false;
}
