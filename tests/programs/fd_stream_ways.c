// SPDX-License-Identifier: Apache-2.0
// Streams over pipes order by whatever function fills or empties their buffers, or writes out what they hold back. Racy: the data is written after that.
// peer-skip: libtsan does not order by streams
// flags: -fno-builtin
#include "tests/programs/invisible.h"
#include "tests/programs/lists.h"
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
#include <wchar.h>

wchar_t *__fgetws_chk(wchar_t *s, size_t room, int n, FILE *f);
wchar_t *__fgetws_unlocked_chk(wchar_t *s, size_t room, int n, FILE *f);
int __wprintf_chk(int flag, const wchar_t *format, ...);
int __vwprintf_chk(int flag, const wchar_t *format, va_list ap);
int __fwprintf_chk(FILE *f, int flag, const wchar_t *format, ...);
int __vfwprintf_chk(FILE *f, int flag, const wchar_t *format, va_list ap);
int __isoc99_wscanf(const wchar_t *format, ...);
int __isoc99_vwscanf(const wchar_t *format, va_list ap);
int __isoc99_fwscanf(FILE *f, const wchar_t *format, ...);
int __isoc99_vfwscanf(FILE *f, const wchar_t *format, va_list ap);
// Those of 1995, which the header gives other names in the library.
int old_wscanf(const wchar_t *format, ...) __asm__("wscanf");
int old_vwscanf(const wchar_t *format, va_list ap) __asm__("vwscanf");
int old_fwscanf(FILE *f, const wchar_t *format, ...) __asm__("fwscanf");
int old_vfwscanf(FILE *f, const wchar_t *format, va_list ap) __asm__("vfwscanf");

enum { GETS, PUTS, FLUSHES, KINDS };
static const int ways[KINDS] = {25, 25, 14};
#define MOST 25
#define TEXT "1\n1\n"

static int fd[KINDS][MOST][2];
static FILE *stream[KINDS][MOST];
_Alignas(8) int x[KINDS][MOST][2];

#define WAY(...)      \
    if (way == n++) { \
        __VA_ARGS__;  \
        return;       \
    }

// TEXT is in the pipe.
static void gets_it(int way, FILE *f) {
    wchar_t wide[8];
    int n = 0, got;
    stdin = f;
    WAY(MUST(fgetc(f) == '1'))
    WAY(MUST(fgetc_unlocked(f) == '1'))
    WAY(MUST(getc(f) == '1'))
    WAY(MUST(getc_unlocked(f) == '1'))
    WAY(MUST(getchar() == '1'))
    WAY(MUST(getchar_unlocked() == '1'))
    WAY(MUST(getw(f) > 0))
    WAY(MUST(fgetwc(f) == L'1'))
    WAY(MUST(fgetwc_unlocked(f) == L'1'))
    WAY(MUST(getwc(f) == L'1'))
    WAY(MUST(getwc_unlocked(f) == L'1'))
    WAY(MUST(getwchar() == L'1'))
    WAY(MUST(getwchar_unlocked() == L'1'))
    WAY(MUST(fgetws(wide, 8, f) == wide))
    WAY(MUST(fgetws_unlocked(wide, 8, f) == wide))
    WAY(MUST(__fgetws_chk(wide, 8, 8, f) == wide))
    WAY(MUST(__fgetws_unlocked_chk(wide, 8, 8, f) == wide))
    WAY(MUST(__isoc99_wscanf(L"%d", &got) == 1))
    WAY(MUST(__isoc99_vwscanf(L"%d", list(0, &got)) == 1))
    WAY(MUST(__isoc99_fwscanf(f, L"%d", &got) == 1))
    WAY(MUST(__isoc99_vfwscanf(f, L"%d", list(1, &got)) == 1))
    WAY(MUST(old_wscanf(L"%d", &got) == 1))
    WAY(MUST(old_vwscanf(L"%d", list(2, &got)) == 1))
    WAY(MUST(old_fwscanf(f, L"%d", &got) == 1))
    WAY(MUST(old_vfwscanf(f, L"%d", list(3, &got)) == 1))
    MUST(way == n);
}

// The stream holds back nothing.
static void puts_it(int way, FILE *f) {
    int n = 0;
    stdout = stderr = f;
    WAY(MUST(fputc('1', f) == '1'))
    WAY(MUST(fputc_unlocked('1', f) == '1'))
    WAY(MUST(putc('1', f) == '1'))
    WAY(MUST(putc_unlocked('1', f) == '1'))
    WAY(MUST(putchar('1') == '1'))
    WAY(MUST(putchar_unlocked('1') == '1'))
    WAY(MUST(putw(1, f) == 0))
    WAY(perror("1"))
    WAY(psignal(SIGHUP, "1"))
    WAY(MUST(fputwc(L'1', f) == L'1'))
    WAY(MUST(fputwc_unlocked(L'1', f) == L'1'))
    WAY(MUST(putwc(L'1', f) == L'1'))
    WAY(MUST(putwc_unlocked(L'1', f) == L'1'))
    WAY(MUST(putwchar(L'1') == L'1'))
    WAY(MUST(putwchar_unlocked(L'1') == L'1'))
    WAY(MUST(fputws(L"1", f) >= 0))
    WAY(MUST(fputws_unlocked(L"1", f) >= 0))
    WAY(MUST(wprintf(L"1") == 1))
    WAY(MUST(vwprintf(L"%d", list(4, (void *)1)) == 1))
    WAY(MUST(fwprintf(f, L"1") == 1))
    WAY(MUST(vfwprintf(f, L"%d", list(5, (void *)1)) == 1))
    WAY(MUST(__wprintf_chk(1, L"1") == 1))
    WAY(MUST(__vwprintf_chk(1, L"%d", list(6, (void *)1)) == 1))
    WAY(MUST(__fwprintf_chk(f, 1, L"1") == 1))
    WAY(MUST(__vfwprintf_chk(f, 1, L"%d", list(7, (void *)1)) == 1))
    MUST(way == n);
}

// The stream holds back TEXT.  What is meant for files writes it, too, before it fails.
static void flushes_it(int way, FILE *f) {
    static fpos_t at;
    static fpos64_t at64;
    FILE *volatile every = NULL;
    int n = 0;
    WAY(MUST(fflush(f) == 0))
    WAY(MUST(fflush_unlocked(f) == 0))
    WAY(MUST(fflush(every) == 0))
    WAY(MUST(fflush_unlocked(every) == 0))
    WAY((void)fseek(f, 0, SEEK_SET))
    WAY((void)fseeko(f, 0, SEEK_SET))
    WAY((void)fseeko64(f, 0, SEEK_SET))
    WAY((void)fsetpos(f, &at))
    WAY((void)fsetpos64(f, &at64))
    WAY(rewind(f))
    WAY(setvbuf(f, NULL, _IONBF, 0))
    WAY(setbuf(f, NULL))
    WAY(setbuffer(f, NULL, 0))
    WAY(fcloseall()) // the last: no stream can be used after it
    MUST(way == n);
}

static void put(int kind, int way) {
    switch (kind) {
    case GETS: MUST(write(fd[kind][way][1], TEXT, 4) == 4); break;
    case PUTS: puts_it(way, stream[kind][way]); break;
    default: flushes_it(way, stream[kind][way]);
    }
}

THREAD(first) {
    for (int kind = 0; kind < KINDS; kind++) {
        for (int way = 0; way < ways[kind]; way++) {
            if (kind == FLUSHES)
                MUST(fputs(TEXT, stream[kind][way]) >= 0);
            if (racy)
                put(kind, way);
            x[kind][way][0] = 1; //@race 1 write 4
            if (!racy)
                put(kind, way);
        }
        turn_pass();
        turn_wait(2 * kind + 2);
    }
    return NULL;
}

THREAD(second) {
    for (int kind = 0; kind < KINDS; kind++) {
        turn_wait(2 * kind + 1);
        for (int way = 0; way < ways[kind]; way++) {
            char got;
            if (kind == GETS)
                gets_it(way, stream[kind][way]);
            else
                MUST(read(fd[kind][way][0], &got, 1) == 1);
            USE(x[kind][way][0]); //@race 2 read 4
        }
        turn_pass();
    }
    return NULL;
}

int main(void) {
    for (int kind = 0; kind < KINDS; kind++)
        for (int way = 0; way < ways[kind]; way++) {
            MUST(pipe(fd[kind][way]) == 0);
            FILE *f = stream[kind][way] = fdopen(fd[kind][way][kind != GETS], kind == GETS ? "r" : "w");
            MUST(f);
            if (kind == PUTS)
                setvbuf(f, NULL, _IONBF, 0);
        }
    RUN(first, second);
    return 0;
}
