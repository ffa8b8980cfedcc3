// SPDX-License-Identifier: MIT
// run_sight.c - rays in double precision: whether something that a horizon dropped can be seen.
#include "run_sight.h"

#include "random_numbers.h"

#include <math.h>

typedef struct sight_ray {
    double from[3], way[3]; // way: to the point
    double least;           // share of the way at which the near plane is passed
} sight_ray;

static void place_point(const float *matrix, const float *point, double *out)
{
    for (int k = 0; k < 3; k++) {
        out[k] = (double)matrix[k] * (double)point[0] + (double)matrix[4 + k] * (double)point[1] +
                 (double)matrix[8 + k] * (double)point[2] + (double)matrix[12 + k];
    }
}

// ---- what stops a ray ----

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// Moller and Trumbore, for triangles that face the eye.
static bool triangle_stops(const sight_ray *ray, double corners[3][3])
{
    double edge[2][3], to_eye[3], p[3], q[3];
    for (int k = 0; k < 3; k++) {
        edge[0][k] = corners[1][k] - corners[0][k];
        edge[1][k] = corners[2][k] - corners[0][k];
        to_eye[k] = ray->from[k] - corners[0][k];
    }
    cross(ray->way, edge[1], p);
    const double size = dot(edge[0], p);
    if (!(size > 0)) {
        return false;
    }
    cross(to_eye, edge[0], q);
    const double u = dot(to_eye, p), v = dot(ray->way, q), along = dot(edge[1], q);
    return u >= 0 && v >= 0 && u + v <= size && along >= ray->least * size && along < size;
}

static bool box_is_met(const sight_ray *ray, const acre_aabb *box)
{
    double begin = 0, end = 1;
    for (int k = 0; k < 3; k++) {
        const double low = (double)box->min[k] - ray->from[k];
        const double high = (double)box->max[k] - ray->from[k];
        if (ray->way[k] != 0) {
            begin = fmax(begin, (ray->way[k] > 0 ? low : high) / ray->way[k]);
            end = fmin(end, (ray->way[k] > 0 ? high : low) / ray->way[k]);
        } else if (low > 0 || high < 0) {
            return false;
        }
    }
    return begin <= end;
}

static bool node_stops(const run_world *world, uint32_t number, const sight_ray *ray)
{
    const acre_import_model *const model = world->model;
    const acre_import_node *const node = &model->nodes[number];
    float matrix[16];
    if (acre_entity_world_matrix(world->scene, world->nodes[number], matrix) != ACRE_OK) {
        return false;
    }
    for (uint32_t i = 0; i < node->mesh_count; i++) {
        const acre_import_mesh *const mesh =
            &model->meshes[model->node_meshes[node->first_mesh + i]];
        for (uint32_t t = 0; t < mesh->triangle_count; t++) {
            double corners[3][3];
            for (size_t k = 0; k < 3; k++) {
                const uint32_t point = mesh->triangles[3 * (size_t)t + k];
                place_point(matrix, mesh->points + 3 * (size_t)point, corners[k]);
            }
            if (triangle_stops(ray, corners)) {
                return true;
            }
        }
    }
    return false;
}

static bool is_stopped(const sight_check *check, const sight_ray *ray, uint32_t target)
{
    const acre_scene_view view = acre_scene_get_view(check->world->scene);
    for (size_t i = 0; i < check->found_count; i++) {
        const uint32_t slot = check->found[i];
        if (slot != target && check->world->kinds[slot] == KIND_SOLID &&
            box_is_met(ray, &view.world_bounds[slot]) &&
            node_stops(check->world, (uint32_t)view.user[slot], ray)) {
            return true;
        }
    }
    return false;
}

// ---- where rays go ----

// A point of a node's triangles or lines.
static bool find_node_point(const run_world *world, uint32_t number, uint64_t *random, double *out)
{
    const acre_import_model *const model = world->model;
    const acre_import_node *const node = &model->nodes[number];
    float matrix[16];
    if (node->mesh_count == 0 ||
        acre_entity_world_matrix(world->scene, world->nodes[number], matrix) != ACRE_OK) {
        return false;
    }
    const uint32_t which = (uint32_t)(random_next(random) % node->mesh_count);
    const acre_import_mesh *const mesh =
        &model->meshes[model->node_meshes[node->first_mesh + which]];
    const uint32_t corners = mesh->triangle_count > 0 ? 3 : mesh->line_count > 0 ? 2 : 1;
    const uint32_t count = corners == 3   ? mesh->triangle_count
                           : corners == 2 ? mesh->line_count
                                          : mesh->point_count;
    if (count == 0) {
        return false;
    }
    const uint32_t *const indices = corners == 3 ? mesh->triangles : mesh->lines;
    const size_t first = random_next(random) % count * corners;
    double sum = 0, shares[3] = {1, 0, 0};
    for (uint32_t k = 0; k < corners; k++) {
        shares[k] = (double)(random_next(random) >> 11) + 1;
        sum += shares[k];
    }
    out[0] = out[1] = out[2] = 0;
    for (uint32_t k = 0; k < corners; k++) {
        const size_t point = corners == 1 ? first : indices[first + k];
        double corner[3];
        place_point(matrix, mesh->points + 3 * point, corner);
        for (int axis = 0; axis < 3; axis++) {
            out[axis] += shares[k] / sum * corner[axis];
        }
    }
    return true;
}

static bool find_point(const sight_check *check, uint32_t slot, uint64_t *random, double *out)
{
    const acre_scene_view view = acre_scene_get_view(check->world->scene);
    if (check->world->kinds[slot] != KIND_CAR) {
        return find_node_point(check->world, (uint32_t)view.user[slot], random, out);
    }
    for (int k = 0; k < 3; k++) {
        const double low = (double)view.world_bounds[slot].min[k];
        const double high = (double)view.world_bounds[slot].max[k];
        out[k] = low + (high - low) * (double)(random_next(random) >> 11) * 0x1p-53;
    }
    return true;
}

static bool is_in_frustum(const acre_frustum *frustum, const double *point)
{
    for (uint32_t i = 0; i < frustum->plane_count; i++) {
        const float *const plane = frustum->planes[i];
        if (!((double)plane[0] * point[0] + (double)plane[1] * point[1] +
                  (double)plane[2] * point[2] + (double)plane[3] >
              0)) {
            return false;
        }
    }
    return true;
}

// The ray from the camera's eye to a point that lies behind the near plane.
static sight_ray aim(const acre_camera *camera, const float *eye, const double *point)
{
    sight_ray ray;
    double depth = 0;
    for (int k = 0; k < 3; k++) {
        ray.from[k] = (double)eye[k];
        ray.way[k] = point[k] - ray.from[k];
        depth -= (double)camera->view[4 * k + 2] * ray.way[k];
    }
    // Zero to one: the near plane is where z of the clip volume is 0.
    ray.least = (double)camera->projection[14] / (double)camera->projection[10] / depth;
    return ray;
}

bool check_sight(const sight_check *check, sight_counts *counts, uint32_t *slot)
{
    uint64_t random = check->seed;
    acre_view view;
    if (acre_view_from_camera(&view, check->camera) != ACRE_OK) {
        return true;
    }
    counts->found += check->found_count;
    for (size_t i = 0; i < check->found_count; i++) {
        *slot = check->found[i];
        if (check->marks[*slot] != 0) {
            continue;
        }
        counts->dropped++;
        for (uint32_t k = 0; k < check->rays; k++) {
            double point[3];
            if (!find_point(check, *slot, &random, point) ||
                !is_in_frustum(check->frustum, point)) {
                continue;
            }
            const sight_ray ray = aim(check->camera, view.eye, point);
            counts->rays++;
            if (!is_stopped(check, &ray, *slot)) {
                return false;
            }
        }
    }
    return true;
}
