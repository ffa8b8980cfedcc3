// SPDX-License-Identifier: MIT
// shared_file.c - files that are installed with the program, or stand where it was built.
#define _POSIX_C_SOURCE 200809L // readlink

#include "shared_file.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

// The folder of the program, with its last slash; "" where the system does not say.
static void program_folder(char *out, size_t size)
{
    const ssize_t length = readlink("/proc/self/exe", out, size - 1);
    out[length > 0 ? length : 0] = '\0';
    char *const slash = strrchr(out, '/');
    out[slash ? (size_t)(slash - out) + 1 : 0] = '\0';
}

void shared_file_path(const char *name, const char *built, char *out, size_t size)
{
    char folder[900];
    program_folder(folder, sizeof folder);
    static const char *const places[] = {"../share/acre/", ""};
    for (size_t i = 0; i < sizeof places / sizeof places[0] && folder[0]; i++) {
        snprintf(out, size, "%s%s%s", folder, places[i], name);
        if (access(out, R_OK) == 0) {
            return;
        }
    }
    snprintf(out, size, "%s", built);
}

void default_scene_path(char *out, size_t size)
{
    shared_file_path("scenes/san_francisco.glb", ACRE_SCENE_BUILT, out, size);
}
