// SPDX-License-Identifier: MIT
// test_acre_hpp_calls.cpp - each function of acre.hpp passes its arguments on: ten boxes in a row,
// and what each call does to them. hpp_calls.sh lists the functions that no test calls.
#include <acre/acre.hpp>

extern "C" {
#include "test.h"
}

#include <algorithm>
#include <array>
#include <vector>

namespace
{

constexpr uint32_t box_count = 10;

// Box i is a cube of size 1 whose lower corner is at 10 i.
acre_aabb box_at(float x)
{
    return {{x, 0, 0}, {x + 1, 1, 1}};
}

std::vector<acre_aabb> row_of_boxes(uint32_t count)
{
    std::vector<acre_aabb> boxes;
    for (uint32_t i = 0; i < count; i++) {
        boxes.push_back(box_at(10 * static_cast<float>(i)));
    }
    return boxes;
}

acre::error fill(acre::quadtree &tree, uint32_t count = box_count)
{
    std::vector<uint32_t> items(count);
    for (uint32_t i = 0; i < count; i++) {
        items[i] = i;
    }
    const acre::error failed = tree ? acre::error{} : tree.create();
    return failed ? failed : tree.insert_many(items, row_of_boxes(count));
}

acre_query query_all()
{
    acre_query query{};
    query.shape = ACRE_QUERY_SHAPE_ALL;
    return query;
}

std::size_t count_of(const acre::quadtree &tree, const acre_query &query)
{
    std::size_t total = 0;
    return tree.query(query, {}, total) ? 0 : total;
}

// A host that runs each task at once, and counts them.
struct task_counter {
    uint32_t runs = 0;

    acre_tasks tasks()
    {
        acre_tasks out{};
        out.worker_count = 4;
        out.user = this;
        out.divides_small_calls = true;
        out.enqueue = [](void *user, acre_task *task, void *context, const char *) -> void * {
            static_cast<task_counter *>(user)->runs++;
            task(context);
            return nullptr;
        };
        out.finish = [](void *, void *) {};
        return out;
    }
};

void trees_are_edited_in_batches()
{
    acre::quadtree tree;
    CHECK(!fill(tree) && tree.contains(9) && !tree.contains(10));
    const std::array<uint32_t, 2> items = {3, 4};
    const std::array<acre_aabb, 2> boxes = {box_at(500), box_at(600)};
    CHECK(!tree.refresh_many(items, boxes));
    acre_aabb box{};
    CHECK(!tree.get_box(4, box) && box.min[0] == 600);
    CHECK(tree.refresh_many(items, acre::span(boxes.data(), 1)).result() ==
          ACRE_ERROR_INVALID_ARGUMENT);
    acre_box_array rows{};
    rows.first = boxes[1].min;
    rows.second = boxes[1].max;
    CHECK(!tree.refresh_many(acre::span(items.data(), 1), rows));
    CHECK(!tree.get_box(3, box) && box.min[0] == 600);
    const std::array<uint32_t, 3> gone = {3, 77, 4};
    CHECK(tree.remove_many(gone).result() == ACRE_ERROR_NOT_FOUND && !tree.contains(4));
    const acre_quadtree_report report = tree.last_report();
    CHECK(report.refused == 1 && report.first_row == 1);
    CHECK(report.first_result == ACRE_ERROR_NOT_FOUND);
    const std::array<uint32_t, 2> back = {3, 4}, masks = {1, 6};
    const acre::span<const uint32_t> one_mask(masks.data(), 1);
    CHECK(!tree.insert_many_in_layers(back, acre::span(boxes.data(), 2), masks));
    CHECK(tree.insert_many_in_layers(back, boxes, one_mask).result() ==
          ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(acre_quadtree_get_layers(tree.get(), 3) == 1 &&
          acre_quadtree_get_layers(tree.get(), 4) == 6);
    CHECK(!tree.set_layers_many(back, gone) && acre_quadtree_get_layers(tree.get(), 3) == 3);
    CHECK(tree.set_layers_many(back, one_mask).result() == ACRE_ERROR_INVALID_ARGUMENT);

    acre_aabb before{}, after{};
    acre_shift_report moved{};
    const double offset[3] = {64.0, -8.0, 0.0};
    CHECK(!tree.get_box(3, before) && !tree.shift(offset, {}, &moved) && !tree.get_box(3, after));
    CHECK(moved.is_exact && after.min[0] == before.min[0] + 64.0f);
}

void trees_are_asked()
{
    acre::quadtree tree;
    CHECK(!fill(tree) && !tree.set_layers(2, 8));
    acre_query query = query_all();
    query.layers = 8;
    CHECK(count_of(tree, query) == 10); // all others are in every layer
    query.layers = 4;
    CHECK(count_of(tree, query) == 9);
    std::array<uint32_t, box_count> items{};
    const acre_aabb wide = {{0, 0, 0}, {35, 1, 1}};
    CHECK(tree.query_aabb(wide, items) == 4);
    std::array<acre_query_hit, 3> hits{};
    std::size_t count = 0;
    const acre_aabb origin = box_at(52);
    query = query_all();
    query.origin = &origin;
    CHECK(!tree.query_nearest(query, hits, count) && count == 3);
    CHECK(hits[0].item == 5 && hits[0].distance == 1 && hits[1].item == 6 && hits[2].item == 4);
    std::array<acre_item_span, box_count> spans{};
    acre_span_totals totals{};
    CHECK(!tree.query_spans(query_all(), spans, items, totals) && totals.items == box_count);
    std::size_t sum = 0;
    for (std::size_t i = 0; i < totals.spans; i++) {
        sum += spans[i].count;
    }
    CHECK(sum == box_count);
}

void trees_are_kept_up()
{
    acre::quadtree tree;
    CHECK(!fill(tree));
    CHECK(!tree.reserve(100000));
    const std::size_t reserved = tree.stats().bytes;
    CHECK(!tree.trim() && tree.stats().bytes < reserved);
    CHECK(!tree.optimize() && !tree.validate() && count_of(tree, query_all()) == box_count);
    std::array<char, 100> message{'x'};
    CHECK(!tree.validate(message) && message[0] == '\0');
    tree.clear();
    CHECK(tree.stats().items == 0);
}

std::size_t visited; // by a plain function

void count_visited(acre::span<const uint32_t> found)
{
    visited += found.size();
}

bool stop_at_once(acre::span<const uint32_t>) noexcept
{
    visited++;
    return false;
}

void a_visitor_may_be_a_function()
{
    acre::quadtree tree;
    CHECK(!fill(tree));
    visited = 0;
    CHECK(!tree.query_visit(query_all(), count_visited) && visited == box_count);
    CHECK(!tree.query_visit(query_all(), &count_visited) && visited == 2 * box_count);
    visited = 0;
    CHECK(!tree.query_visit(query_all(), stop_at_once) && visited == 1);
    // An object whose call changes it, and one that may not be changed.
    struct sum_items {
        uint32_t sum = 0;
        void operator()(acre::span<const uint32_t> found)
        {
            for (const uint32_t item : found) {
                sum += item;
            }
        }
    } sum;
    CHECK(!tree.query_visit(query_all(), sum) && sum.sum == 45);
    const auto count = [](acre::span<const uint32_t> found) { visited += found.size(); };
    visited = 0;
    CHECK(!tree.query_visit(query_all(), count) && visited == box_count);
}

void tasks_reach_every_object()
{
    task_counter counter;
    const acre_tasks tasks = counter.tasks();
    acre::quadtree tree;
    CHECK(!tree.create() && !tree.set_tasks(&tasks) && !fill(tree, 50000) && counter.runs > 0);
    counter.runs = 0;
    tree.clear();
    CHECK(!tree.set_tasks(nullptr) && !fill(tree, 50000) && counter.runs == 0);
    acre::interest interest;
    CHECK(!interest.create(tree) && !interest.set_tasks(&tasks));
    acre_observer_def def{};
    def.enter_radius = 30;
    for (uint32_t i = 0; i < 8; i++) {
        acre_observer observer{};
        CHECK(!interest.add(def, observer));
    }
    CHECK(!interest.update() && counter.runs > 0);
    acre::scene scene;
    acre::culling culling;
    acre_culling_def culled{};
    culled.register_all = true;
    CHECK(!scene.create() && !scene.reserve(64) && !scene.trim() && !scene.set_tasks(&tasks));
    CHECK(!culling.create(scene, culled));
    const acre_aabb unit = box_at(0);
    acre_entity_def entity_def{};
    entity_def.bounds = &unit;
    const std::vector<acre_entity_def> defs(5000, entity_def);
    std::vector<acre_entity> entities(defs.size());
    counter.runs = 0;
    CHECK(!scene.create_entities(defs, entities) && !scene.commit() && counter.runs > 0);
    acre_tasks without_functions{};
    without_functions.worker_count = 4;
    CHECK(culling.set_tasks(&without_functions).result() == ACRE_ERROR_INVALID_ARGUMENT);
    counter.runs = 0;
    CHECK(!culling.set_tasks(&tasks) && !culling.optimize() && counter.runs > 0);
}

// Entities of a scene at 0, 10, 20, ..
acre::error fill(acre::scene &scene, std::array<acre_entity, box_count> &entities)
{
    const acre_aabb unit = box_at(0);
    std::array<acre_entity_def, box_count> defs{};
    std::array<acre_transform, box_count> locals{};
    for (uint32_t i = 0; i < box_count; i++) {
        defs[i].bounds = &unit;
        locals[i] = ACRE_TRANSFORM_IDENTITY;
        locals[i].translation[0] = 10 * static_cast<float>(i);
    }
    acre::error failed = scene.create();
    failed = failed ? failed : scene.create_entities(defs, entities);
    failed = failed ? failed : scene.set_locals(entities, locals);
    return failed ? failed : scene.commit();
}

void scenes_are_edited()
{
    acre::scene scene;
    std::array<acre_entity, box_count> entities{};
    CHECK(!fill(scene, entities));
    acre_aabb box{};
    CHECK(!scene.world_bounds(entities[3], box) && box.min[0] == 30);
    CHECK(scene.set_locals(entities, {}).result() == ACRE_ERROR_INVALID_ARGUMENT);
    const float up[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 7, 0, 1};
    CHECK(!scene.set_local_matrix(entities[2], up) && !scene.set_parent(entities[2], entities[3]));
    CHECK(!scene.set_bounds(entities[2], box_at(100)) && !scene.commit());
    float world[16] = {};
    CHECK(!scene.world_matrix(entities[2], world) && world[12] == 30 && world[13] == 7);
    CHECK(!scene.world_bounds(entities[2], box) && box.min[0] == 130 && box.min[1] == 7);
    CHECK(scene.parent(entities[2]).index1 == entities[3].index1);
    CHECK(scene.parent(entities[3]).index1 == 0);
    CHECK(!scene.set_flags(entities[0], ACRE_ENTITY_STATIC) && !scene.set_layers(entities[0], 6));
    CHECK(!scene.set_user(entities[0], 1234) && !scene.commit());
    const uint32_t slot = acre::slot_of(entities[0]);
    const acre_scene_view view = scene.view();
    CHECK(view.flags[slot] == ACRE_ENTITY_STATIC && view.layers[slot] == 6);
    CHECK(view.user[slot] == 1234 && scene.entity(slot).index1 == entities[0].index1);
    CHECK(!scene.destroy_entities(acre::span(entities.data(), 2)) && !scene.commit());
    CHECK(!scene.is_alive(entities[1]) && scene.view().entity_count == box_count - 2);
    const double offset[3] = {64, 0, 0};
    CHECK(!scene.shift_origin(offset) && !scene.commit() && scene.shift_report().is_exact);
    CHECK(!scene.world_bounds(entities[3], box) && box.min[0] == 94);
}

void roots_have_places_in_double()
{
    acre::scene scene;
    acre_entity root{};
    acre_scene_def def{};
    def.flags = ACRE_SCENE_DOUBLES;
    const double there[3] = {1e9 + 0.125, 2, 3}, offset[3] = {-1e9, 0, 0};
    double place[3] = {};
    CHECK(!scene.create(def) && !scene.create_entity({}, root));
    CHECK(!scene.set_translation(root, there) && !scene.shift_origin(offset) && !scene.commit());
    CHECK(!scene.translation(root, place) && place[0] == there[0] && place[2] == 3);
    float world[16] = {};
    CHECK(!scene.world_matrix(root, world) && world[12] == 0.125f);
    CHECK(scene.set_translation({}, there).result() == ACRE_ERROR_STALE_HANDLE);
}

void entities_are_registered_one_by_one()
{
    acre::scene scene;
    acre::culling culling;
    std::array<acre_entity, box_count> entities{};
    CHECK(!fill(scene, entities) && !culling.create(scene));
    CHECK(!culling.register_entity(entities[0]) && !culling.register_entity(entities[5]));
    CHECK(culling.is_registered(entities[5]) && !culling.is_registered(entities[1]));
    CHECK(culling.stats().moving.items == 2);
    CHECK(acre_quadtree_contains(culling.tree(), acre::slot_of(entities[5])));
    CHECK(!culling.unregister_entity(entities[0]) && !culling.is_registered(entities[0]));
    acre_aabb box{};
    CHECK(!culling.refresh_bounds(entities[5], box_at(70)));
    CHECK(!acre_quadtree_get_box(culling.tree(), acre::slot_of(entities[5]), &box));
    CHECK(box.min[0] == 70);
    CHECK(!culling.register_entity(entities[6]));
    acre_transform moved = ACRE_TRANSFORM_IDENTITY;
    moved.translation[0] = 300;
    CHECK(!scene.set_local(entities[6], moved) && !culling.refresh(entities[6]));
    CHECK(!acre_quadtree_get_box(culling.tree(), acre::slot_of(entities[6]), &box));
    CHECK(box.min[0] == 300); // without a commit
    CHECK(!culling.optimize() && culling.stats().moving.items == 2);
}

void cullers_are_asked()
{
    acre::scene scene;
    acre::culling culling;
    std::array<acre_entity, box_count> entities{};
    acre_culling_def def{};
    def.register_all = true;
    CHECK(!fill(scene, entities) && !culling.create(scene, def));
    std::size_t total = 0;
    const acre_aabb wide = {{0, 0, 0}, {35, 1, 1}};
    acre_query query{};
    query.shape = ACRE_QUERY_SHAPE_AABB;
    query.box = &wide;
    CHECK(!culling.query(query, {}, total) && total == 4);
    const acre_aabb origin = box_at(52);
    query = query_all();
    query.origin = &origin;
    std::array<acre_query_hit, 2> hits{};
    CHECK(!culling.query_nearest(query, hits, total) && total == 2);
    CHECK(hits[0].item == acre::slot_of(entities[5]) && hits[0].distance == 1);
    // It looks along -z from between the boxes at 10 and 20: 30 wide, those at 0 to 30.
    acre_camera camera{};
    CHECK(acre_camera_orthographic(&camera, 30, 30, -50, 50, ACRE_CLIP_NEGATIVE_ONE_TO_ONE) ==
          ACRE_OK);
    camera.view[12] = -15.5f;
    CHECK(!culling.query(camera, {}, total) && total == 4);
}

void rules_hide_what_is_far()
{
    acre::scene scene;
    acre::culling culling;
    std::array<acre_entity, box_count> entities{};
    acre_culling_def def{};
    def.register_all = true;
    CHECK(!fill(scene, entities) && !culling.create(scene, def));
    std::array<acre_visibility_rule, 1> rules{};
    rules[0].max_distance = 20;
    CHECK(!culling.set_rules(rules) && !culling.set_rule(entities[9], 1));
    std::size_t total = 0;
    CHECK(!culling.query(acre_view{}, {}, total) && total == box_count - 1);
    rules[0].max_distance = -1;
    CHECK(culling.set_rules(rules).result() == ACRE_ERROR_INVALID_ARGUMENT);
}

void a_frozen_set_keeps_its_view()
{
    acre::scene scene;
    acre::culling culling;
    acre::visible_set set;
    std::array<acre_entity, box_count> entities{};
    acre_culling_def def{};
    def.register_all = true;
    CHECK(!fill(scene, entities) && !culling.create(scene, def));
    CHECK(!set.create(ACRE_VISIBLE_CHANGES));
    CHECK(set.freeze(true).result() == ACRE_ERROR_NOT_FOUND);
    const acre_view everything{};
    acre_view left_half{};
    left_half.frustum.plane_count = 1;
    left_half.frustum.planes[0][0] = -1; // x <= 45
    left_half.frustum.planes[0][3] = 45;
    CHECK(!set.find(culling, everything) && set.slots().size() == box_count);
    CHECK(!set.freeze(true) && !set.find(culling, left_half) && set.slots().size() == box_count);
    CHECK(!set.freeze(false) && !set.find(culling, left_half) && set.slots().size() == 5);
    CHECK(set.left().size() == 5 && set.entered().empty());
    CHECK(set.result().count == 5 && set.result().slots == set.slots().data());
    CHECK(std::find(set.left().begin(), set.left().end(), acre::slot_of(entities[9])) !=
          set.left().end());
    set.clear();
    CHECK(set.slots().empty() && !set.find(culling, left_half) && set.entered().size() == 5);
    const double offset[3] = {64, 0, 0};
    CHECK(!set.freeze(true) && !scene.shift_origin(offset) && !scene.commit());
    CHECK(!set.shift(offset) && !set.find(culling, left_half) && set.slots().size() == 5);
}

// An allocator that counts the bytes that are in use.
void *count_bytes(void *user, void *block, std::size_t old_size, std::size_t new_size,
                  std::size_t alignment)
{
    *static_cast<std::size_t *>(user) += new_size - old_size;
    return acre_resize(nullptr, block, old_size, new_size, alignment);
}

void a_set_takes_an_allocator()
{
    std::size_t bytes = 0;
    const acre_allocator allocator = {count_bytes, &bytes};
    acre::visible_set set;
    CHECK(!set.create(ACRE_VISIBLE_LODS, &allocator) && bytes > 0);
    set.reset();
    CHECK(bytes == 0);
}

void observers_are_edited()
{
    acre::quadtree tree;
    acre::interest interest;
    CHECK(!fill(tree) && !interest.create(tree));
    acre_observer_def def{};
    def.enter_radius = 25;
    def.band_limits[0] = 15;
    acre_observer observer{};
    CHECK(!interest.add(def, observer) && !interest.update());
    std::array<uint32_t, box_count> seen{};
    std::size_t total = 0;
    CHECK(!interest.list_seen(observer, seen, total) && total == 3 && seen[2] == 2);
    def.place[0] = 10;
    CHECK(!interest.set(observer, def) && !interest.update());
    CHECK(interest.entered(observer).size() == 1 && interest.entered(observer)[0] == 3);
    CHECK(interest.changed(observer).size() == 1 && interest.changed(observer)[0] == 2);
    CHECK(!tree.remove(3));
    const std::array<uint32_t, 1> edited = {3};
    CHECK(!interest.update_changed(edited) && interest.left(observer).size() == 1);
    const double offset[3] = {64, 0, 0};
    CHECK(!tree.shift(offset) && !interest.shift(offset) && !interest.update());
    CHECK(interest.left(observer).empty() && interest.entered(observer).empty());
    CHECK(!interest.reserve({1, 8, 8, 16}) && !interest.update() && !interest.trim());
    CHECK(!interest.list_seen(observer, seen, total) && !interest.remove(observer));
    CHECK(interest.remove(observer).result() == ACRE_ERROR_STALE_HANDLE);
}

void rooms_show_what_is_far()
{
    acre::quadtree tree;
    acre::interest interest;
    CHECK(!fill(tree) && !interest.create(tree));
    acre_observer observer{};
    CHECK(!interest.add({}, observer) && !interest.join(observer, 5));
    CHECK(interest.join(observer, 5).result() == ACRE_ERROR_EXISTS);
    CHECK(acre_interest_join_item(interest.get(), 9, 5) == ACRE_OK && !interest.update());
    const acre::span<const uint32_t> entered = interest.entered(observer);
    CHECK(std::find(entered.begin(), entered.end(), 9u) != entered.end());
    CHECK(!interest.leave(observer, 5) && !interest.update());
    CHECK(interest.left(observer).size() == 1 && interest.left(observer)[0] == 9);
}

void a_room_takes_many_at_once()
{
    acre::quadtree tree;
    acre::interest interest;
    acre_interest_def def = {};
    def.flags = ACRE_INTEREST_INVERSE;
    CHECK(!fill(tree) && !interest.create(tree, def));
    acre_observer observer{};
    acre_observer_def away = {};
    away.place[0] = -1000;
    CHECK(!interest.add(away, observer) && !interest.join(observer, 5));
    const uint32_t items[3] = {9, 8, 9};
    acre_room_batch batch = {};
    batch.room = 5;
    batch.items = items;
    batch.count = 3;
    CHECK(interest.change_room(batch).result() == ACRE_ERROR_EXISTS); // the row that stands twice
    CHECK(interest.last_report().refused == 1 && interest.last_report().first_row == 2);
    CHECK(!interest.update() && interest.entered(observer).size() == 2);
    const acre::span<const acre_observer> seers = interest.observers_of(8);
    CHECK(seers.size() == 1 && seers[0].index1 == observer.index1);
    CHECK(interest.observers_of(7).empty());
    const float range = 5000; // item 9 is noticed from afar, when both have left the room
    acre_range_batch ranges = {};
    ranges.items = items + 2;
    ranges.ranges = &range;
    ranges.count = 1;
    batch.leaves = true;
    batch.count = 2;
    CHECK(!interest.set_ranges(ranges) && !interest.change_room(batch) && !interest.update());
    CHECK(interest.left(observer).size() == 1 && interest.left(observer)[0] == 8);
}

void objects_of_the_host_are_culled()
{
    const std::vector<acre_aabb> boxes = row_of_boxes(box_count);
    const std::array<uint32_t, 3> added = {2, 3, 9};
    acre_objects objects{};
    objects.slot_count = box_count;
    objects.boxes = {boxes[0].min, boxes[0].max, sizeof boxes[0], sizeof boxes[0],
                     ACRE_BOX_FORM_MIN_MAX};
    objects.added = added.data();
    objects.added_count = added.size();
    acre::culling culling;
    CHECK(!culling.create_for_objects() && !culling.update(objects));
    CHECK(culling.object(9).index1 == 10 && culling.object(1).index1 == 0);
    std::array<acre_visibility_rule, 1> rules{};
    rules[0].max_distance = 25;
    const std::array<uint16_t, 4> numbers = {0, 0, 0, 1}; // of slot 3
    std::size_t total = 0;
    CHECK(!culling.set_rules(rules) && !culling.set_rule_numbers(numbers));
    CHECK(!culling.query(acre_view{}, {}, total) && total == 2);
    // Slot 1 has nothing that could be removed.
    const std::array<uint32_t, 2> removed = {1, 9};
    acre_batch_report report{};
    objects.removed = removed.data();
    objects.removed_count = removed.size();
    objects.added_count = 0;
    CHECK(culling.update(objects, &report).result() == ACRE_ERROR_NOT_FOUND);
    CHECK(report.refused == 1 && culling.object(9).index1 == 0);
    CHECK(!culling.query(acre_view{}, {}, total) && total == 1);
    const double offset[3] = {64, 0, 0};
    CHECK(!culling.reserve(64, 64, 0) && !culling.trim());
    acre::visible_set set;
    CHECK(!set.create(0) && !set.reserve(culling, 8) && !set.trim());
    CHECK(!culling.shift(offset) && !culling.query(acre_view{}, {}, total) && total == 1);
}

void an_interest_may_stand_over_a_culler()
{
    acre::scene scene;
    acre::culling culling;
    acre::interest interest;
    std::array<acre_entity, box_count> entities{};
    acre_culling_def def{};
    def.register_all = true;
    CHECK(!fill(scene, entities) && !culling.create(scene, def) && !interest.create(culling));
    acre_observer_def follows{};
    follows.entity = entities[5];
    follows.enter_radius = 12;
    acre_observer observer{};
    CHECK(!interest.add(follows, observer) && !interest.update());
    CHECK(interest.entered(observer).size() == 2); // without the one that it follows
    CHECK(interest.changes().entered.entities[0].index1 == entities[4].index1);
}

} // namespace

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(trees_are_edited_in_batches),
        TEST(trees_are_asked),
        TEST(trees_are_kept_up),
        TEST(a_visitor_may_be_a_function),
        TEST(tasks_reach_every_object),
        TEST(scenes_are_edited),
        TEST(roots_have_places_in_double),
        TEST(entities_are_registered_one_by_one),
        TEST(cullers_are_asked),
        TEST(rules_hide_what_is_far),
        TEST(objects_of_the_host_are_culled),
        TEST(a_frozen_set_keeps_its_view),
        TEST(a_set_takes_an_allocator),
        TEST(observers_are_edited),
        TEST(rooms_show_what_is_far),
        TEST(a_room_takes_many_at_once),
        TEST(an_interest_may_stand_over_a_culler),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
