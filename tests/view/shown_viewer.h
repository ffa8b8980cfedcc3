// SPDX-License-Identifier: MIT
// shown_viewer.h - the one viewer that a test program has open at a time.
#ifndef ACRE_SHOWN_VIEWER_H
#define ACRE_SHOWN_VIEWER_H

#include "viewer.h"

#include <stdio.h>

static viewer shown;
static bool is_open;

static void close_viewer(void)
{
    if (is_open) {
        viewer_free(&shown);
        is_open = false;
    }
}

// Closes the one that a case left open where a CHECK failed.
static bool open_viewer(const view_options *options)
{
    char message[256];
    close_viewer();
    is_open = true; // what a viewer made before it failed is freed, too
    const bool is_good = viewer_create(&shown, options, message, sizeof message);
    if (!is_good) {
        printf("  %s\n", message);
    }
    return is_good;
}

#endif
