// SPDX-License-Identifier: MIT
// shadow_maps.h - depth as the light sees it, a layer of one texture for each cascade.
#ifndef ACRE_TOOLS_SHADOW_MAPS_H
#define ACRE_TOOLS_SHADOW_MAPS_H

#include "gl_api.h"

#include <acre/cascades.h>

#define SHADOW_CASCADES 4

typedef struct shadow_maps {
    GLuint texture, framebuffer;
    uint32_t resolution;
} shadow_maps;

bool shadow_maps_create(shadow_maps *out, uint32_t resolution);
void shadow_maps_free(shadow_maps *maps);

// Clears a cascade's layer; what is drawn next goes there.
void shadow_maps_begin(const shadow_maps *maps, uint32_t cascade);

// World to the cascade's texels and depth, 0..1, column by column.
void shadow_matrix(const acre_cascade *cascade, float *out);

// a times b, column by column; out is neither.
void multiply_matrices(const float *a, const float *b, float *out);

#endif
