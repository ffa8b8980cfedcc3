// SPDX-License-Identifier: MIT
// item_buffer.h - what an eye really sees: each pixel has the nearest triangle's item.
//
// Plain C and slow. A pixel is what its middle sees, in doubles. Triangles that face away are left
// out, as renderers do, and what is nearer than the near plane is cut off.
//
// Typical use:
//     item_buffer buffer;
//     item_buffer_create(&buffer, 640, 360);
//     item_buffer_begin(&buffer, &camera);
//     item_buffer_draw(&buffer, item, &mesh, world_matrix);
//     item_buffer_count(&buffer, pixels);                 // pixels[item]
#ifndef ACRE_ITEM_BUFFER_H
#define ACRE_ITEM_BUFFER_H

#include <acre/camera.h>
#include <acre/occluder.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ITEM_BUFFER_NONE UINT32_MAX

typedef struct item_buffer {
    uint32_t width, height;
    uint32_t *items;
    double *nearness;  // 1 / depth along the camera's direction
    double matrix[16]; // of the camera: projection x view, column-major
} item_buffer;

typedef struct item_mesh {
    const float *points; // x y z each
    const uint32_t *triangles;
    uint32_t triangle_count;
    bool is_two_sided;
} item_mesh;

// Returns false when memory is short; *out is then to be freed all the same.
bool item_buffer_create(item_buffer *out, uint32_t width, uint32_t height);
void item_buffer_free(item_buffer *buffer);

// Empties it for a perspective camera whose clip is ACRE_CLIP_ZERO_TO_ONE.
void item_buffer_begin(item_buffer *buffer, const acre_camera *camera);

// matrix: from the mesh to the world, column-major; NULL: it stands in the world.
void item_buffer_draw(item_buffer *buffer, uint32_t item, const item_mesh *mesh,
                      const float *matrix);

// A solid prism. One without a bottom begins 1 m under the lower of its top and 0.
void item_buffer_draw_prism(item_buffer *buffer, uint32_t item, const acre_occluder *prism);

// Counts the pixels of each item: pixels[item] grows.
void item_buffer_count(const item_buffer *buffer, uint32_t *pixels);

#endif
