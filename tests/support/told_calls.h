// SPDX-License-Identifier: MIT
// told_calls.h - watches the handler of refused calls while a test runs: included behind Acre's
// headers, it puts every call of a stable function that returns an acre_result between two looks.
//
// A refused call must have told the handler once: of itself, with its result, and with a text that
// begins with its name and, if an argument is at fault, with that argument. Any other call must
// have told nothing.
#ifndef ACRE_TOLD_CALLS_H
#define ACRE_TOLD_CALLS_H

#include <acre/base.h>

#include <stddef.h>

/// The text of the last refused call.
extern char told_text[256];
/// What the last refused call refused, as data.
extern acre_batch_report told_report;

/// Begins to watch a call, which may be made from within another one.
void told_begin(void);

/// Ends it; a call that told wrongly makes the test fail. @return result.
acre_result told_end(const char *function, acre_result result);

/// How many refused calls of functions without an acre_result were told since the last look.
size_t told_take_others(void);

/// How often a function has answered a result so far.
size_t told_count(const char *function, acre_result result);

#define TOLD(function, ...) (told_begin(), told_end(#function, function(__VA_ARGS__)))

#define acre_camera_frustum(...) TOLD(acre_camera_frustum, __VA_ARGS__)
#define acre_camera_look_at(...) TOLD(acre_camera_look_at, __VA_ARGS__)
#define acre_camera_orthographic(...) TOLD(acre_camera_orthographic, __VA_ARGS__)
#define acre_camera_perspective(...) TOLD(acre_camera_perspective, __VA_ARGS__)
#define acre_camera_project(...) TOLD(acre_camera_project, __VA_ARGS__)
#define acre_camera_ray(...) TOLD(acre_camera_ray, __VA_ARGS__)
#define acre_camera_sub_frustum(...) TOLD(acre_camera_sub_frustum, __VA_ARGS__)
#define acre_culling_create(...) TOLD(acre_culling_create, __VA_ARGS__)
#define acre_culling_find_visible(...) TOLD(acre_culling_find_visible, __VA_ARGS__)
#define acre_culling_find_visible_many(...) TOLD(acre_culling_find_visible_many, __VA_ARGS__)
#define acre_culling_optimize(...) TOLD(acre_culling_optimize, __VA_ARGS__)
#define acre_culling_query_frustum(...) TOLD(acre_culling_query_frustum, __VA_ARGS__)
#define acre_culling_query_nearest(...) TOLD(acre_culling_query_nearest, __VA_ARGS__)
#define acre_culling_query_shape(...) TOLD(acre_culling_query_shape, __VA_ARGS__)
#define acre_culling_query_view(...) TOLD(acre_culling_query_view, __VA_ARGS__)
#define acre_culling_refresh(...) TOLD(acre_culling_refresh, __VA_ARGS__)
#define acre_culling_refresh_bounds(...) TOLD(acre_culling_refresh_bounds, __VA_ARGS__)
#define acre_culling_register(...) TOLD(acre_culling_register, __VA_ARGS__)
#define acre_culling_set_rule(...) TOLD(acre_culling_set_rule, __VA_ARGS__)
#define acre_culling_set_rules(...) TOLD(acre_culling_set_rules, __VA_ARGS__)
#define acre_culling_set_tasks(...) TOLD(acre_culling_set_tasks, __VA_ARGS__)
#define acre_culling_unregister(...) TOLD(acre_culling_unregister, __VA_ARGS__)
#define acre_culling_validate(...) TOLD(acre_culling_validate, __VA_ARGS__)
#define acre_entity_create(...) TOLD(acre_entity_create, __VA_ARGS__)
#define acre_entity_create_many(...) TOLD(acre_entity_create_many, __VA_ARGS__)
#define acre_entity_destroy(...) TOLD(acre_entity_destroy, __VA_ARGS__)
#define acre_entity_destroy_many(...) TOLD(acre_entity_destroy_many, __VA_ARGS__)
#define acre_entity_get_bounds(...) TOLD(acre_entity_get_bounds, __VA_ARGS__)
#define acre_entity_get_flags(...) TOLD(acre_entity_get_flags, __VA_ARGS__)
#define acre_entity_get_layers(...) TOLD(acre_entity_get_layers, __VA_ARGS__)
#define acre_entity_get_local(...) TOLD(acre_entity_get_local, __VA_ARGS__)
#define acre_entity_get_local_matrix(...) TOLD(acre_entity_get_local_matrix, __VA_ARGS__)
#define acre_entity_get_user(...) TOLD(acre_entity_get_user, __VA_ARGS__)
#define acre_entity_set_bounds(...) TOLD(acre_entity_set_bounds, __VA_ARGS__)
#define acre_entity_set_flags(...) TOLD(acre_entity_set_flags, __VA_ARGS__)
#define acre_entity_set_layers(...) TOLD(acre_entity_set_layers, __VA_ARGS__)
#define acre_entity_set_local(...) TOLD(acre_entity_set_local, __VA_ARGS__)
#define acre_entity_set_local_matrix(...) TOLD(acre_entity_set_local_matrix, __VA_ARGS__)
#define acre_entity_set_parent(...) TOLD(acre_entity_set_parent, __VA_ARGS__)
#define acre_entity_set_user(...) TOLD(acre_entity_set_user, __VA_ARGS__)
#define acre_entity_world_bounds(...) TOLD(acre_entity_world_bounds, __VA_ARGS__)
#define acre_entity_world_matrix(...) TOLD(acre_entity_world_matrix, __VA_ARGS__)
#define acre_frustum_from_matrix(...) TOLD(acre_frustum_from_matrix, __VA_ARGS__)
#define acre_frustum_from_matrix_double(...) TOLD(acre_frustum_from_matrix_double, __VA_ARGS__)
#define acre_interest_add(...) TOLD(acre_interest_add, __VA_ARGS__)
#define acre_interest_create(...) TOLD(acre_interest_create, __VA_ARGS__)
#define acre_interest_create_for_entities(...) TOLD(acre_interest_create_for_entities, __VA_ARGS__)
#define acre_interest_remove(...) TOLD(acre_interest_remove, __VA_ARGS__)
#define acre_interest_set(...) TOLD(acre_interest_set, __VA_ARGS__)
#define acre_interest_update(...) TOLD(acre_interest_update, __VA_ARGS__)
#define acre_quadtree_create(...) TOLD(acre_quadtree_create, __VA_ARGS__)
#define acre_quadtree_get_box(...) TOLD(acre_quadtree_get_box, __VA_ARGS__)
#define acre_quadtree_insert(...) TOLD(acre_quadtree_insert, __VA_ARGS__)
#define acre_quadtree_insert_many(...) TOLD(acre_quadtree_insert_many, __VA_ARGS__)
#define acre_quadtree_insert_many_from(...) TOLD(acre_quadtree_insert_many_from, __VA_ARGS__)
#define acre_quadtree_maintain(...) TOLD(acre_quadtree_maintain, __VA_ARGS__)
#define acre_quadtree_maintain_budget(...) TOLD(acre_quadtree_maintain_budget, __VA_ARGS__)
#define acre_quadtree_optimize(...) TOLD(acre_quadtree_optimize, __VA_ARGS__)
#define acre_quadtree_query(...) TOLD(acre_quadtree_query, __VA_ARGS__)
#define acre_quadtree_query_nearest(...) TOLD(acre_quadtree_query_nearest, __VA_ARGS__)
#define acre_quadtree_query_visit(...) TOLD(acre_quadtree_query_visit, __VA_ARGS__)
#define acre_quadtree_refresh(...) TOLD(acre_quadtree_refresh, __VA_ARGS__)
#define acre_quadtree_refresh_all(...) TOLD(acre_quadtree_refresh_all, __VA_ARGS__)
#define acre_quadtree_refresh_all_from(...) TOLD(acre_quadtree_refresh_all_from, __VA_ARGS__)
#define acre_quadtree_refresh_many(...) TOLD(acre_quadtree_refresh_many, __VA_ARGS__)
#define acre_quadtree_refresh_many_from(...) TOLD(acre_quadtree_refresh_many_from, __VA_ARGS__)
#define acre_quadtree_remove(...) TOLD(acre_quadtree_remove, __VA_ARGS__)
#define acre_quadtree_remove_many(...) TOLD(acre_quadtree_remove_many, __VA_ARGS__)
#define acre_quadtree_reserve(...) TOLD(acre_quadtree_reserve, __VA_ARGS__)
#define acre_quadtree_set_layers(...) TOLD(acre_quadtree_set_layers, __VA_ARGS__)
#define acre_quadtree_set_tasks(...) TOLD(acre_quadtree_set_tasks, __VA_ARGS__)
#define acre_quadtree_tighten(...) TOLD(acre_quadtree_tighten, __VA_ARGS__)
#define acre_quadtree_trim(...) TOLD(acre_quadtree_trim, __VA_ARGS__)
#define acre_quadtree_validate(...) TOLD(acre_quadtree_validate, __VA_ARGS__)
#define acre_scene_attach(...) TOLD(acre_scene_attach, __VA_ARGS__)
#define acre_scene_commit(...) TOLD(acre_scene_commit, __VA_ARGS__)
#define acre_scene_create(...) TOLD(acre_scene_create, __VA_ARGS__)
#define acre_scene_detach(...) TOLD(acre_scene_detach, __VA_ARGS__)
#define acre_scene_set_locals(...) TOLD(acre_scene_set_locals, __VA_ARGS__)
#define acre_scene_set_tasks(...) TOLD(acre_scene_set_tasks, __VA_ARGS__)
#define acre_scene_trim(...) TOLD(acre_scene_trim, __VA_ARGS__)
#define acre_scene_validate(...) TOLD(acre_scene_validate, __VA_ARGS__)
#define acre_view_from_camera(...) TOLD(acre_view_from_camera, __VA_ARGS__)
#define acre_view_set_viewport(...) TOLD(acre_view_set_viewport, __VA_ARGS__)
#define acre_visible_set_create(...) TOLD(acre_visible_set_create, __VA_ARGS__)
#define acre_visible_set_freeze(...) TOLD(acre_visible_set_freeze, __VA_ARGS__)
#define acre_visible_set_masks(...) TOLD(acre_visible_set_masks, __VA_ARGS__)

#endif
