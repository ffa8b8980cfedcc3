// SPDX-License-Identifier: MIT
// view_options.h - the command line of `acre view`.
#ifndef ACRE_TOOLS_VIEW_OPTIONS_H
#define ACRE_TOOLS_VIEW_OPTIONS_H

#include "options.h"

typedef struct view_options {
    const char *scene_path;
    const char *png_path;   // NULL: a window
    const char *apng_path;  // of an animation; NULL: none
    const char *json_path;  // of the picture's figures; NULL: none
    const char *sample;     // NULL: the city
    uint32_t width, height; // 1600 x 900 where has_size is false
    bool has_size;
    uint32_t frame;      // of the picture; where a window starts
    uint32_t last_frame; // of the animation
    bool has_frames;
    bool is_rise; // see view_animation.h
    uint32_t cars;
    uint64_t seed;
    uint32_t overlays; // a bit for each view_overlay
    uint32_t samples;  // of a pixel; 0: as the driver allows
    bool are_shadows_drawn;
    bool is_occlusion_on;
    bool help;
} view_options;

// As run_options_parse.
bool view_options_parse(int argc, char **argv, view_options *out, char *message,
                        size_t message_size);
extern const option_table view_option_table;

#endif
