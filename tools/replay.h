// SPDX-License-Identifier: MIT
// replay.h - the command `acre replay`.
#ifndef REPLAY_H
#define REPLAY_H

#include "options.h"

// arguments[0] is the command's name. @return the exit status.
int replay_command(int count, char **arguments);

extern const option_table replay_option_table;

#endif
