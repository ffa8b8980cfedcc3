// SPDX-License-Identifier: MIT
// instances.h - what draw lists hand to the graphics card: a matrix and a look for each slot.
//
// They lie in a texture of floats, four texels each, because OpenGL 3.3 and WebGL 2 cannot start an
// instanced draw at another instance than the first: shaders add the number of the first.
#ifndef ACRE_TOOLS_INSTANCES_H
#define ACRE_TOOLS_INSTANCES_H

#include "gl_api.h"

#include <acre/draw_list.h>

#define INSTANCE_FLOATS 16    // three rows of the matrix, then color, strength, slot, 0
#define INSTANCES_PER_ROW 256 // of the texture

// How a slot is marked: 0 is as it is.
typedef struct instance_look {
    uint32_t rgb;   // 0xRRGGBB
    float strength; // 0 .. 1
} instance_look;

typedef struct instance_set {
    float *floats;
    size_t count, capacity; // instances
    GLuint texture;
    uint32_t rows; // of the texture
} instance_set;

void instances_create(instance_set *out);
void instances_free(instance_set *set);
void instances_clear(instance_set *set);

// Adds what a list holds, in its order; it has matrices as rows. looks: by slot; NULL: none is
// marked. *first receives the number of the first. Returns false where memory is short.
bool instances_add(instance_set *set, const acre_draw *draw, const instance_look *looks,
                   uint32_t *first);

// Adds one that is no entity and stands where its mesh says.
bool instances_add_unmoved(instance_set *set, uint32_t *first);

void instances_upload(instance_set *set);

#endif
