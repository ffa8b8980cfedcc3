// SPDX-License-Identifier: MIT
// terminal.c - progress and color, for a person at a terminal.
#include "terminal.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double first_after = 1.0, next_after = 0.1; // seconds

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool has_cursor(FILE *stream)
{
    const char *const kind = getenv("TERM");
    return isatty(fileno(stream)) && kind && strcmp(kind, "dumb") != 0;
}

const char *terminal_style_text(FILE *stream, terminal_style style)
{
    static const char *const texts[] = {[TERMINAL_PLAIN] = "\033[0m",
                                        [TERMINAL_GOOD] = "\033[32m",
                                        [TERMINAL_BAD] = "\033[1;31m",
                                        [TERMINAL_STRONG] = "\033[1m"};
    const char *const is_unwanted = getenv("NO_COLOR");
    return (is_unwanted && is_unwanted[0]) || !has_cursor(stream) ? "" : texts[style];
}

progress progress_begin(void)
{
    return (progress){.begin = seconds_now(), .is_terminal = has_cursor(stderr)};
}

progress progress_begin_beside(FILE *output)
{
    progress line = progress_begin();
    line.is_terminal = line.is_terminal && !isatty(fileno(output));
    return line;
}

void progress_show(progress *line, const char *format, ...)
{
    const double now = line->is_terminal ? seconds_now() : 0.0;
    if (!line->is_terminal || now - line->begin < first_after || now - line->shown < next_after) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    fputs("\r\033[K", stderr);
    vfprintf(stderr, format, arguments);
    fflush(stderr);
    va_end(arguments);
    line->shown = now;
    line->is_drawn = true;
}

void progress_end(progress *line)
{
    if (line->is_drawn) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    line->is_drawn = false;
}
