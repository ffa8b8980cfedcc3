// SPDX-License-Identifier: MIT
// terminal.h - what the commands of `acre` show only to a person at a terminal: progress and color.
//
// Where the standard error is a file or a pipe, nothing of it is written.
#ifndef ACRE_TOOLS_TERMINAL_H
#define ACRE_TOOLS_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

typedef enum terminal_style {
    TERMINAL_PLAIN,
    TERMINAL_GOOD,
    TERMINAL_BAD,
    TERMINAL_STRONG
} terminal_style;

// The characters that begin a style on this stream, and with TERMINAL_PLAIN end it. Empty where the
// stream is no terminal, where TERM is "dumb" and where NO_COLOR is set (no-color.org).
const char *terminal_style_text(FILE *stream, terminal_style style);

// One line on the standard error that says how far a long piece of work is. It appears when the
// work has lasted a second, is written anew at most ten times a second, and disappears at the end.
//
// Typical use:
//     progress line = progress_begin();
//     for (...) { ...; progress_show(&line, "frame %u of %u", frame, frames); }
//     progress_end(&line);
typedef struct progress {
    double begin, shown; // seconds of a clock that never goes back
    bool is_terminal, is_drawn;
} progress;

progress progress_begin(void);

// For work that writes to `output` as it goes. Where that is a terminal, its lines show how far it
// is, and a line of progress would stand among them: none appears.
progress progress_begin_beside(FILE *output);

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void progress_show(progress *line, const char *format, ...);

// May be called twice.
void progress_end(progress *line);

#endif
