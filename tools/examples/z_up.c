// SPDX-License-Identifier: MIT
// z_up.c - a world whose z axis points up, in a tree alone and in a scene: boxes, cameras and
// transforms are turned on the way in; numbers and counts need no turning.
#include <acre/culling.h>
#include <acre/quadtree.h>
#include <acre/z_up_scene.h>

#include <math.h>
#include <stdio.h>

// ROS, Blender and CAD are right-handed; for Unreal it would be ACRE_Z_UP_LEFT_HANDED.
#define HAND ACRE_Z_UP_RIGHT_HANDED

enum { ROBOTS = 4 };

// x to the east, y to the north, z up. The last robot stands on a lift, 40 m above the ground.
static const float places[ROBOTS][3] = {{0, 20, 0}, {5, 30, 0}, {0, -20, 0}, {0, 25, 40}};
static const acre_aabb body = {{-0.5f, -0.5f, 0}, {0.5f, 0.5f, 1.8f}};

static acre_aabb robot_box(int robot)
{
    acre_aabb box = body;
    for (int k = 0; k < 3; k++) {
        box.min[k] += places[robot][k];
        box.max[k] += places[robot][k];
    }
    return box;
}

// Turns boxes on the way in; item numbers come out unchanged.
static acre_result ask_a_tree(void)
{
    acre_quadtree *tree = NULL;
    acre_result result = acre_quadtree_create(&(acre_quadtree_def){0}, &tree);
    for (int i = 0; i < ROBOTS && result == ACRE_OK; i++) {
        const acre_aabb outer = robot_box(i), inner = acre_z_up_box_in(HAND, &outer);
        result = acre_quadtree_insert(tree, (uint32_t)i, &inner);
    }
    if (result == ACRE_OK) {
        const acre_aabb north = {{-50, 0, 0}, {50, 50, 10}}; // near the ground
        const acre_aabb asked = acre_z_up_box_in(HAND, &north);
        uint32_t found[ROBOTS];
        const size_t count = acre_quadtree_query_aabb(tree, &asked, found, ROBOTS);
        printf("in the north, up to 10 m high: %zu robots\n", count);
    }
    acre_quadtree_destroy(tree);
    return result;
}

// A camera of the outer world: at the origin, 2 m high, looking north. Points are turned on their
// way in; a program that has matrices of its own uses acre_z_up_view_projection_in instead.
static acre_result aim_camera(acre_camera *camera)
{
    float eye[3] = {0, 0, 2}, target[3] = {0, 1, 2}, up[3] = {0, 0, 1};
    acre_z_up_point_in(HAND, eye, eye);
    acre_z_up_point_in(HAND, target, target);
    acre_z_up_point_in(HAND, up, up);
    const acre_result result = acre_camera_perspective(camera, 1.0f, 16.0f / 9.0f, 0.1f, INFINITY,
                                                       ACRE_CLIP_REVERSED_ZERO_TO_ONE);
    return result == ACRE_OK ? acre_camera_look_at(camera, eye, target, up) : result;
}

static acre_result add_robots(acre_scene *scene, acre_entity *robots)
{
    const acre_aabb box = acre_z_up_box_in(HAND, &body);
    acre_result result = ACRE_OK;
    for (int i = 0; i < ROBOTS && result == ACRE_OK; i++) {
        const acre_transform outer = {
            {places[i][0], places[i][1], places[i][2]}, {0, 0, 0, 1}, {1, 1, 1}};
        const acre_transform inner = acre_z_up_transform_in(HAND, &outer);
        result = acre_entity_create(
            scene, &(acre_entity_def){.local = &inner, .bounds = &box, .user = (uint64_t)i},
            &robots[i]);
    }
    return result == ACRE_OK ? acre_scene_commit(scene) : result;
}

static acre_result look_from_a_camera(acre_scene *scene)
{
    acre_culling *culling = NULL;
    acre_camera camera = {0};
    acre_entity robots[ROBOTS];
    acre_result result =
        acre_culling_create(scene, &(acre_culling_def){.register_all = true}, &culling);
    if (result == ACRE_OK) {
        result = add_robots(scene, robots);
    }
    if (result == ACRE_OK) {
        result = aim_camera(&camera);
    }
    uint32_t slots[ROBOTS];
    const size_t count =
        result == ACRE_OK ? acre_culling_query(culling, &camera, slots, ROBOTS) : 0;
    for (size_t i = 0; i < count && result == ACRE_OK; i++) {
        acre_aabb inner;
        result = acre_entity_world_bounds(scene, acre_scene_entity(scene, slots[i]), &inner);
        const acre_aabb outer = acre_z_up_box_out(HAND, &inner);
        printf("robot %u is in view, its top is %.1f m high\n", slots[i], (double)outer.max[2]);
    }
    acre_culling_destroy(culling);
    return result;
}

int main(void)
{
    acre_scene *scene = NULL;
    acre_result result = ask_a_tree();
    if (result == ACRE_OK) {
        result = acre_scene_create(&(acre_scene_def){0}, &scene);
    }
    if (result == ACRE_OK) {
        result = look_from_a_camera(scene);
    }
    acre_scene_destroy(scene);
    if (result != ACRE_OK) {
        printf("%s\n", acre_result_text(result));
    }
    return result != ACRE_OK;
}
