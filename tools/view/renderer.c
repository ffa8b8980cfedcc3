// SPDX-License-Identifier: MIT
// renderer.c - draws meshes, boxes, lines and the sky: how things look, never which.
#include "renderer.h"

#include "shader_texts.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHADOW_RESOLUTION 2048u
#define SUN_STRENGTH 2.6f
#define NOON_STRENGTH 1.15f // where nothing throws a shadow

// As shaders/frame.glsl has it, by the rules of std140.
typedef struct frame_block {
    float clip[16];
    float shadow[SHADOW_CASCADES][16];
    float eye[4], right[4], up[4], forward[4];
    float cull_eye[4], cull_forward[4];
    float splits[4], texels[4];
    float sun[4], haze[4], viewport[4];
} frame_block;

// The axes and the place of a camera in the world.
typedef struct camera_axes {
    float eye[3], right[3], up[3], forward[3];
} camera_axes;

static camera_axes axes_of(const acre_camera *camera)
{
    const float *const v = camera->view;
    camera_axes axes = {
        .right = {v[0], v[4], v[8]}, .up = {v[1], v[5], v[9]}, .forward = {-v[2], -v[6], -v[10]}};
    for (int k = 0; k < 3; k++) {
        axes.eye[k] = -(axes.right[k] * v[12] + axes.up[k] * v[13] - axes.forward[k] * v[14]);
    }
    return axes;
}

static bool create_programs(renderer *r, char *message, size_t size)
{
    r->solid = gl_program_create(shader_solid_vert, shader_solid_frag, true, message, size);
    r->box =
        r->solid ? gl_program_create(shader_box_vert, shader_solid_frag, true, message, size) : 0;
    r->point =
        r->box ? gl_program_create(shader_point_vert, shader_solid_frag, true, message, size) : 0;
    r->depth = r->point
                   ? gl_program_create(shader_depth_vert, shader_depth_frag, false, message, size)
                   : 0;
    r->sky =
        r->depth ? gl_program_create(shader_sky_vert, shader_sky_frag, true, message, size) : 0;
    r->line =
        r->sky ? gl_program_create(shader_line_vert, shader_line_frag, false, message, size) : 0;
    r->face =
        r->line ? gl_program_create(shader_face_vert, shader_line_frag, false, message, size) : 0;
    if (!r->face) {
        return false;
    }
    r->solid_first = glGetUniformLocation(r->solid, "u_first");
    r->solid_lift = glGetUniformLocation(r->solid, "u_lift");
    r->depth_first = glGetUniformLocation(r->depth, "u_first");
    r->depth_light = glGetUniformLocation(r->depth, "u_light");
    return true;
}

typedef struct attribute {
    GLuint place;
    GLint count;
    GLenum type;
    GLboolean is_normalized;
    size_t offset;
    GLuint divisor;
} attribute;

static void set_attributes(const attribute *attributes, size_t count, size_t stride)
{
    for (size_t i = 0; i < count; i++) {
        const attribute *const a = &attributes[i];
        glEnableVertexAttribArray(a->place);
        glVertexAttribPointer(a->place, a->count, a->type, a->is_normalized, (GLsizei)stride,
                              (const void *)a->offset);
        glVertexAttribDivisor(a->place, a->divisor);
    }
}

static void bind_mesh_attributes(void)
{
    static const attribute attributes[] = {
        {0, 3, GL_FLOAT, GL_FALSE, offsetof(mesh_vertex, position), 0},
        {1, 4, GL_BYTE, GL_TRUE, offsetof(mesh_vertex, normal), 0},
        {2, 4, GL_UNSIGNED_BYTE, GL_TRUE, offsetof(mesh_vertex, color), 0},
        {3, 2, GL_FLOAT, GL_FALSE, offsetof(mesh_vertex, wall), 0},
        {7, 1, GL_FLOAT, GL_FALSE, offsetof(mesh_vertex, part), 0}};
    set_attributes(attributes, 5, sizeof(mesh_vertex));
}

// The 36 corners of the unit cube.
static void create_cube(void)
{
    static const uint8_t white[3] = {255, 255, 255};
    static const float corners[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                        {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
    static const uint8_t sides[6][4] = {{4, 5, 7, 6}, {1, 0, 2, 3}, {5, 1, 3, 7},
                                        {0, 4, 6, 2}, {6, 7, 3, 2}, {0, 1, 5, 4}};
    mesh_store store = {0};
    mesh_begin(&store, 0);
    for (int i = 0; i < 6; i++) {
        const uint8_t *const s = sides[i];
        mesh_add_quad(&store, corners[s[0]], corners[s[1]], corners[s[2]], corners[s[3]],
                      MATERIAL_PLAIN, white);
    }
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(store.vertex_count * sizeof(mesh_vertex)),
                 store.vertices, GL_STATIC_DRAW);
    mesh_store_free(&store);
}

static void create_arrays(renderer *r)
{
    static const attribute boxes[] = {
        {4, 3, GL_FLOAT, GL_FALSE, offsetof(render_box, box.min), 1},
        {5, 3, GL_FLOAT, GL_FALSE, offsetof(render_box, box.max), 1},
        {6, 4, GL_UNSIGNED_BYTE, GL_TRUE, offsetof(render_box, rgba), 1}};
    static const attribute lines[] = {
        {0, 3, GL_FLOAT, GL_FALSE, offsetof(render_line, from), 1},
        {1, 3, GL_FLOAT, GL_FALSE, offsetof(render_line, to), 1},
        {2, 4, GL_UNSIGNED_BYTE, GL_TRUE, offsetof(render_line, rgba), 1},
        {3, 1, GL_FLOAT, GL_FALSE, offsetof(render_line, width), 1}};
    static const attribute points[] = {
        {0, 3, GL_FLOAT, GL_FALSE, offsetof(render_point, at), 0},
        {1, 1, GL_FLOAT, GL_FALSE, offsetof(render_point, size), 0},
        {2, 4, GL_UNSIGNED_BYTE, GL_TRUE, offsetof(render_point, rgba), 0}};
    static const attribute corners[] = {
        {0, 3, GL_FLOAT, GL_FALSE, offsetof(render_corner, at), 0},
        {1, 4, GL_UNSIGNED_BYTE, GL_TRUE, offsetof(render_corner, rgba), 0}};
    GLuint buffers[3], arrays[6];
    glGenBuffers(3, buffers);
    glGenVertexArrays(6, arrays);
    r->mesh_buffer = buffers[0];
    r->stream_buffer = buffers[1];
    r->cube_buffer = buffers[2];
    r->mesh_array = arrays[0];
    r->box_array = arrays[1];
    r->line_array = arrays[2];
    r->empty_array = arrays[3];
    r->point_array = arrays[4];
    r->face_array = arrays[5];
    glBindVertexArray(r->mesh_array);
    glBindBuffer(GL_ARRAY_BUFFER, r->mesh_buffer);
    bind_mesh_attributes();
    glBindVertexArray(r->box_array);
    glBindBuffer(GL_ARRAY_BUFFER, r->cube_buffer);
    create_cube();
    bind_mesh_attributes();
    glBindBuffer(GL_ARRAY_BUFFER, r->stream_buffer);
    set_attributes(boxes, 3, sizeof(render_box));
    glBindVertexArray(r->line_array);
    set_attributes(lines, 4, sizeof(render_line));
    glBindVertexArray(r->point_array);
    set_attributes(points, 3, sizeof(render_point));
    glBindVertexArray(r->face_array);
    set_attributes(corners, 2, sizeof(render_corner));
    glGenBuffers(1, &r->frame_buffer);
}

bool renderer_create(renderer *out, uint32_t width, uint32_t height, uint32_t samples,
                     char *message, size_t message_size)
{
    *out = (renderer){0};
    if (!create_programs(out, message, message_size)) {
        return false;
    }
    instances_create(&out->instances);
    create_arrays(out);
    if (!shadow_maps_create(&out->shadows, SHADOW_RESOLUTION)) {
        snprintf(message, message_size, "the driver makes no shadow maps of %u texels",
                 SHADOW_RESOLUTION);
        return false;
    }
    if (!gl_target_create(&out->target, width, height, samples)) {
        snprintf(message, message_size, "the driver makes no picture of %u x %u pixels", width,
                 height);
        return false;
    }
    return true;
}

void renderer_free(renderer *r)
{
    const GLuint buffers[4] = {r->mesh_buffer, r->stream_buffer, r->cube_buffer, r->frame_buffer};
    const GLuint arrays[6] = {r->mesh_array,  r->box_array,   r->line_array,
                              r->empty_array, r->point_array, r->face_array};
    const GLuint programs[7] = {r->solid, r->depth, r->box, r->point, r->line, r->sky, r->face};
    glDeleteBuffers(4, buffers);
    glDeleteVertexArrays(6, arrays);
    for (int i = 0; i < 7; i++) {
        glDeleteProgram(programs[i]);
    }
    instances_free(&r->instances);
    shadow_maps_free(&r->shadows);
    gl_target_free(&r->target);
    free(r->parts);
    *r = (renderer){0};
}

bool renderer_resize(renderer *r, uint32_t width, uint32_t height)
{
    const uint32_t samples = r->target.samples;
    gl_target_free(&r->target);
    return gl_target_create(&r->target, width, height, samples);
}

bool renderer_set_meshes(renderer *r, const mesh_store *store)
{
    mesh_part *const parts = calloc((size_t)store->part_count + 1, sizeof *parts);
    if (!parts || store->is_short) {
        free(parts);
        return false;
    }
    if (store->part_count) {
        memcpy(parts, store->parts, store->part_count * sizeof *parts);
    }
    free(r->parts);
    r->parts = parts;
    r->part_count = store->part_count;
    glBindBuffer(GL_ARRAY_BUFFER, r->mesh_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(store->vertex_count * sizeof(mesh_vertex)),
                 store->vertices, GL_STATIC_DRAW);
    return true;
}

static void set_three(float *out, const float *in, float scale, float fourth)
{
    for (int k = 0; k < 3; k++) {
        out[k] = scale * in[k];
    }
    out[3] = fourth;
}

static void set_cascades(frame_block *block, const acre_cascade *cascades)
{
    for (int i = 0; i < SHADOW_CASCADES; i++) {
        shadow_matrix(&cascades[i], block->shadow[i]);
        block->splits[i] = cascades[i].far_distance;
        block->texels[i] = cascades[i].texel;
    }
    set_three(block->sun, cascades[0].light, -1.0f, SUN_STRENGTH);
}

// For a picture of that size.
static void upload_frame(renderer *r, const render_frame *frame, float width, float height)
{
    assert(frame->render->clip == ACRE_CLIP_NEGATIVE_ONE_TO_ONE);
    static const float noon[3] = {0.45f, 0.75f, 0.48f};
    const camera_axes render = axes_of(frame->render), culling = axes_of(frame->culling);
    frame_block block = {.haze = {frame->haze, 0.0022f, 0.97f, 0},
                         .viewport = {width, height, 1.0f / width, 1.0f / height}};
    multiply_matrices(frame->render->projection, frame->render->view, block.clip);
    set_three(block.eye, render.eye, 1.0f, frame->seconds);
    set_three(block.right, render.right, 1.0f / frame->render->projection[0], 0.0f);
    set_three(block.up, render.up, 1.0f / frame->render->projection[5], 0.0f);
    // Where the lens is moved aside, the picture's middle looks aside.
    const float *const lens = frame->render->projection;
    for (int k = 0; k < 3; k++) {
        block.forward[k] = render.forward[k] + lens[8] * block.right[k] + lens[9] * block.up[k];
    }
    set_three(block.cull_eye, culling.eye, 1.0f, frame->cascades ? 1.0f : 0.0f);
    set_three(block.cull_forward, culling.forward, 1.0f, frame->are_cascades_colored ? 1.0f : 0.0f);
    set_three(block.sun, noon, 1.0f, NOON_STRENGTH);
    if (frame->cascades) {
        set_cascades(&block, frame->cascades);
    }
    glBindBuffer(GL_UNIFORM_BUFFER, r->frame_buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof block, &block, GL_DYNAMIC_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, GL_FRAME_BINDING, r->frame_buffer);
}

void renderer_set_frame(renderer *r, const render_frame *frame)
{
    upload_frame(r, frame, (float)r->target.width, (float)r->target.height);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glDisable(GL_BLEND);
    r->counts = (render_counts){0};
}

void renderer_begin_shadow(renderer *r, const acre_cascade *cascade, uint32_t number)
{
    float light[16];
    multiply_matrices(cascade->camera.projection, cascade->camera.view, light);
    shadow_maps_begin(&r->shadows, number);
    glUseProgram(r->depth);
    glUniformMatrix4fv(r->depth_light, 1, GL_FALSE, light);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.5f, 2.0f);
    r->is_shadow = true;
}

void renderer_begin(renderer *r)
{
    glDisable(GL_POLYGON_OFFSET_FILL);
    glBindFramebuffer(GL_FRAMEBUFFER, r->target.drawn);
    glViewport(0, 0, (GLsizei)r->target.width, (GLsizei)r->target.height);
    glDepthMask(GL_TRUE);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_SHADOWS);
    glBindTexture(GL_TEXTURE_2D_ARRAY, r->shadows.texture);
    r->is_shadow = false;
}

// The number of the mesh that a range is drawn with.
static uint32_t part_of(const renderer *r, const render_batch *batch, const acre_draw_range *range)
{
    const uint32_t key = range->key + batch->shift;
    assert(key < r->part_count && r->parts[key].coarser < r->part_count - key);
    const uint32_t coarser = r->parts[key].coarser;
    return key + (range->lod < coarser ? range->lod : coarser);
}

// How many ranges from the first on are one draw: single instances of meshes that follow each
// other. Their vertices lie one after the other, as their instances do, and each vertex knows its
// mesh.
static size_t run_length(const renderer *r, const render_batch *batch, size_t first, uint32_t part)
{
    const acre_draw_range *const ranges = batch->ranges;
    size_t length = 1;
    while (ranges[first].count == 1 && first + length < batch->count &&
           ranges[first + length].count == 1 &&
           part_of(r, batch, &ranges[first + length]) == part + length) {
        assert(ranges[first + length].first == ranges[first].first + length);
        length++;
    }
    return length;
}

// One draw of a batch.
typedef struct batch_draw {
    const acre_draw_range *range; // the first
    uint32_t part, vertices;
} batch_draw;

// The draw that begins with range *at, which goes on to the next one's. False: there is none.
static bool next_draw(const renderer *r, const render_batch *batch, size_t *at, batch_draw *out)
{
    while (*at < batch->count) {
        out->range = &batch->ranges[*at];
        out->part = part_of(r, batch, out->range);
        const size_t length = run_length(r, batch, *at, out->part);
        const mesh_part *const last = &r->parts[out->part + length - 1];
        out->vertices = last->first + last->count - r->parts[out->part].first;
        *at += length;
        if (out->vertices > 0) {
            return true;
        }
    }
    return false;
}

static void count_draw(render_counts *counts, const batch_draw *draw)
{
    counts->draws++;
    counts->triangles += (uint64_t)draw->vertices / 3 * draw->range->count;
}

render_counts renderer_count(const renderer *r, const render_batch *batch)
{
    render_counts counts = {0};
    batch_draw draw;
    for (size_t at = 0; next_draw(r, batch, &at, &draw);) {
        count_draw(&counts, &draw);
    }
    return counts;
}

static void draw_ranges(renderer *r, const render_batch *batch, GLint first_uniform)
{
    batch_draw draw;
    glBindVertexArray(r->mesh_array);
    for (size_t at = 0; next_draw(r, batch, &at, &draw);) {
        glUniform1i(first_uniform, (GLint)(batch->first + draw.range->first) - (GLint)draw.part);
        glDrawArraysInstanced(GL_TRIANGLES, (GLint)r->parts[draw.part].first,
                              (GLsizei)draw.vertices, (GLsizei)draw.range->count);
        count_draw(&r->counts, &draw);
    }
}

void renderer_draw(renderer *r, const render_batch *batch)
{
    if (r->is_shadow) {
        draw_ranges(r, batch, r->depth_first);
        return;
    }
    glUseProgram(r->solid);
    glUniform1f(r->solid_lift, 0.0f);
    draw_ranges(r, batch, r->solid_first);
}

void renderer_draw_ground(renderer *r, const render_batch *batch, float lift)
{
    assert(!r->is_shadow);
    glUseProgram(r->solid);
    glUniform1f(r->solid_lift, lift);
    glDepthMask(GL_FALSE);
    draw_ranges(r, batch, r->solid_first);
    glDepthMask(GL_TRUE);
}

void renderer_draw_sky(renderer *r)
{
    glUseProgram(r->sky);
    glDepthMask(GL_FALSE);
    glBindVertexArray(r->empty_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDepthMask(GL_TRUE);
    r->counts.draws++;
}

static void stream(renderer *r, const void *bytes, size_t size)
{
    glBindBuffer(GL_ARRAY_BUFFER, r->stream_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size, bytes, GL_STREAM_DRAW);
}

void renderer_draw_boxes(renderer *r, const render_box *boxes, size_t count)
{
    if (count == 0) {
        return;
    }
    glUseProgram(r->box);
    glBindVertexArray(r->box_array);
    stream(r, boxes, count * sizeof *boxes);
    glDrawArraysInstanced(GL_TRIANGLES, 0, 36, (GLsizei)count);
    r->counts.draws++;
    r->counts.triangles += 12 * (uint64_t)count;
}

void renderer_draw_points(renderer *r, const render_point *points, size_t count)
{
    if (count == 0) {
        return;
    }
#if !ACRE_VIEW_IS_WEB // there it is always on
    glEnable(GL_PROGRAM_POINT_SIZE);
#endif
    glUseProgram(r->point);
    glBindVertexArray(r->point_array);
    stream(r, points, count * sizeof *points);
    glDrawArrays(GL_POINTS, 0, (GLsizei)count);
    r->counts.draws++;
}

void renderer_begin_screen(renderer *r, const render_frame *frame, const uint32_t *place)
{
    assert(place[0] + place[2] <= r->target.width && place[1] + place[3] <= r->target.height);
    const GLint x = (GLint)place[0], y = (GLint)place[1];
    const GLsizei width = (GLsizei)place[2], height = (GLsizei)place[3];
    upload_frame(r, frame, (float)width, (float)height);
    glEnable(GL_SCISSOR_TEST);
    glScissor(x, y, width, height);
    glViewport(x, y, width, height);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

void renderer_end_screens(renderer *r)
{
    glDisable(GL_SCISSOR_TEST);
    glViewport(0, 0, (GLsizei)r->target.width, (GLsizei)r->target.height);
}

// What is drawn from here on lets through what is behind it, until end_blending.
static void begin_blending(GLuint program, GLuint array)
{
    glUseProgram(program);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDepthMask(GL_FALSE);
    glBindVertexArray(array);
}

static void end_blending(void)
{
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
}

void renderer_draw_faces(renderer *r, const render_corner *corners, size_t count)
{
    assert(count % 3 == 0);
    if (count == 0) {
        return;
    }
    begin_blending(r->face, r->face_array);
    stream(r, corners, count * sizeof *corners);
    glDrawArrays(GL_TRIANGLES, 0, (GLsizei)count);
    end_blending();
    r->counts.draws++;
    r->counts.triangles += count / 3;
}

void renderer_draw_lines(renderer *r, const render_line *lines, size_t count)
{
    if (count == 0) {
        return;
    }
    begin_blending(r->line, r->line_array);
    stream(r, lines, count * sizeof *lines);
    glDrawArraysInstanced(GL_TRIANGLES, 0, 6, (GLsizei)count);
    end_blending();
    r->counts.draws++;
    r->counts.triangles += 2 * (uint64_t)count;
}

void renderer_end(renderer *r)
{
    gl_target_resolve(&r->target);
}
