// SPDX-License-Identifier: MIT
// renderer.h - draws meshes, boxes, lines and the sky: how things look, never which.
//
// Knows draw lists' ranges and mesh parts; knows no scene. The order of a frame:
//     renderer_set_frame, for each cascade renderer_begin_shadow and renderer_draw,
//     renderer_begin, renderer_draw and whatever else, renderer_end.
// Two cameras come in: the one that draws, and the one that culls, from which shadows hang. They
// are the same until the culling camera is frozen.
#ifndef ACRE_TOOLS_RENDERER_H
#define ACRE_TOOLS_RENDERER_H

#include "gl_parts.h"
#include "instances.h"
#include "mesh_store.h"
#include "shadow_maps.h"

typedef struct render_line {
    float from[3], to[3];
    float width; // pixels
    uint8_t rgba[4];
} render_line;

typedef struct render_box {
    acre_aabb box;
    uint8_t rgba[4]; // 255 - a: how much of the color is there without light
} render_box;

// A box that is too far away for its shape to be seen.
typedef struct render_point {
    float at[3], size; // meters
    uint8_t rgba[4];
} render_point;

// A corner of a triangle that lets through what is behind it.
typedef struct render_corner {
    float at[3];
    uint8_t rgba[4];
} render_corner;

// What a frame looks like.
typedef struct render_frame {
    const acre_camera *render;    // how
    const acre_camera *culling;   // where cascades hang
    const acre_cascade *cascades; // SHADOW_CASCADES of them; NULL: no shadows
    bool are_cascades_colored;
    float haze; // a meter's share; 0: clear air
    float seconds;
} render_frame;

typedef struct render_counts {
    uint32_t draws;
    uint64_t triangles;
} render_counts;

typedef struct renderer {
    gl_target target;
    shadow_maps shadows;
    instance_set instances;
    GLuint solid, depth, box, point, line, sky, face; // programs
    GLuint frame_buffer;                              // of the uniform block
    GLuint mesh_buffer, mesh_array;
    GLuint stream_buffer, box_array, point_array, line_array, face_array, cube_buffer, empty_array;
    GLint solid_first, solid_lift, depth_first, depth_light;
    mesh_part *parts;
    uint32_t part_count;
    bool is_shadow;       // between renderer_begin_shadow and renderer_begin
    render_counts counts; // since renderer_set_frame
} renderer;

// Needs a current context. samples: of a pixel, 1 to 8. Returns false and a message.
bool renderer_create(renderer *out, uint32_t width, uint32_t height, uint32_t samples,
                     char *message, size_t message_size);
void renderer_free(renderer *r);

// Another size of the picture. Returns false where the driver refuses it; the old one is gone then.
bool renderer_resize(renderer *r, uint32_t width, uint32_t height);

// Copies the meshes to the graphics card. Returns false where memory is short.
bool renderer_set_meshes(renderer *r, const mesh_store *store);

void renderer_set_frame(renderer *r, const render_frame *frame);

// What renderer_draw draws next goes into a cascade's shadow map.
void renderer_begin_shadow(renderer *r, const acre_cascade *cascade, uint32_t number);

// What is drawn next goes into the picture, which is cleared.
void renderer_begin(renderer *r);

// An instanced draw for each run of ranges, most of which are one building: mesh key + shift,
// instances from `first` on.
typedef struct render_batch {
    const acre_draw_range *ranges;
    size_t count;
    uint32_t first; // of the list, as instances_add answered
    uint32_t shift; // added to keys
} render_batch;
void renderer_draw(renderer *r, const render_batch *batch);

// What renderer_draw would add to the renderer's counts.
render_counts renderer_count(const renderer *r, const render_batch *batch);

// The same for what lies on the ground: over what is there, hidden by what stands before it.
void renderer_draw_ground(renderer *r, const render_batch *batch, float lift);

void renderer_draw_sky(renderer *r);
void renderer_draw_boxes(renderer *r, const render_box *boxes, size_t count);
void renderer_draw_points(renderer *r, const render_point *points, size_t count);
void renderer_draw_lines(renderer *r, const render_line *lines, size_t count);
void renderer_draw_faces(renderer *r, const render_corner *corners,
                         size_t count); // three a triangle

// A smaller picture within the picture, with a camera of its own: what is drawn next goes there.
// place: x and y of its lower left corner, width and height, pixels. renderer_end_screens goes
// back.
void renderer_begin_screen(renderer *r, const render_frame *frame, const uint32_t *place);
void renderer_end_screens(renderer *r);

// The picture is whole, but for what a sheet draws on it.
void renderer_end(renderer *r);

#endif
