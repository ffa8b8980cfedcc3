// SPDX-License-Identifier: MIT
// replay.h - the command `acre replay`.
#ifndef REPLAY_H
#define REPLAY_H

// arguments[0] is the command's name. @return the exit status.
int replay_command(int count, char **arguments);

#endif
