// SPDX-License-Identifier: MIT
// view_overlays.c - the overlays by name: one table for keys, switches, help and command line.
#include "view_overlays.h"

#include <string.h>

const view_overlay_info view_overlays[OVERLAY_COUNT_] = {
    {"freeze", '1', "freeze the culling camera and fly on; its frustum is drawn"},
    {"cascades", '8', "shadow cascades by color"}};

int view_overlay_find(const char *name, size_t length)
{
    for (int i = 0; i < OVERLAY_COUNT_; i++) {
        if (strlen(view_overlays[i].name) == length &&
            memcmp(view_overlays[i].name, name, length) == 0) {
            return i;
        }
    }
    return -1;
}

const char *view_overlay_list(void)
{
    return "freeze, cascades";
}
