// SPDX-License-Identifier: MIT
// view_names.c - options of `acre view` whose values are names that only the viewer has.
#include "view_names.h"

#include "samples.h"
#include "view_overlays.h"

#include <string.h>

// Names with commas between them.
bool view_set_overlays(void *target, const char *text, const option_message *message)
{
    uint32_t *const out = target;
    while (*text) {
        const size_t length = strcspn(text, ",");
        const int overlay = view_overlay_find(text, length);
        if (overlay < 0) {
            snprintf(message->text, message->size,
                     "there is no overlay '%.*s'; the overlays are %s", (int)length, text,
                     view_overlay_list());
            return false;
        }
        *out |= 1u << overlay;
        text += length + (text[length] == ',' ? 1 : 0);
    }
    return true;
}

bool view_set_sample(void *target, const char *text, const option_message *message)
{
    *(const char **)target = text;
    if (view_sample_find(text)) {
        return true;
    }
    int length =
        snprintf(message->text, message->size, "there is no sample '%.40s'; the samples are", text);
    for (size_t i = 0; i < view_sample_count() && (size_t)length < message->size; i++) {
        length += snprintf(message->text + length, message->size - (size_t)length, "%s %s",
                           i ? "," : "", view_samples[i]->name);
    }
    return false;
}
