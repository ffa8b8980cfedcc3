// SPDX-License-Identifier: MIT
// test_acre_hpp_results.cpp - the classes of acre.hpp for what is made of trees and cullers:
// neighbors, pairs, contacts, explanations, cascades, casters and draw lists, against plain loops.
#include <acre/acre.hpp>

extern "C" {
#include "test.h"
}

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace
{

constexpr uint32_t box_count = 300;

using boxes_t = std::vector<acre_aabb>;

boxes_t random_boxes()
{
    test_random random = {test_seed};
    boxes_t boxes(box_count);
    for (acre_aabb &box : boxes) {
        const float x = random_float(&random, -100, 100), z = random_float(&random, -100, 100);
        const float size = random_float(&random, 0.5f, 8);
        box = {{x - size, 0, z - size}, {x + size, 2 * size, z + size}};
    }
    return boxes;
}

std::vector<uint32_t> all_items(uint32_t first = 0, uint32_t step = 1)
{
    std::vector<uint32_t> items;
    for (uint32_t i = first; i < box_count; i += step) {
        items.push_back(i);
    }
    return items;
}

acre_box_array rows_of(const boxes_t &boxes)
{
    return {boxes[0].min, boxes[0].max, sizeof boxes[0], sizeof boxes[0], ACRE_BOX_FORM_MIN_MAX};
}

// A culler over boxes of the host; every fourth object is static.
acre::error fill(acre::culling &culling, const boxes_t &boxes)
{
    const std::vector<uint32_t> slots = all_items();
    std::vector<uint32_t> flags(box_count);
    for (uint32_t i = 0; i < box_count; i += 4) {
        flags[i] = ACRE_ENTITY_STATIC;
    }
    acre_objects objects{};
    objects.slot_count = box_count;
    objects.boxes = rows_of(boxes);
    objects.flags = flags.data();
    objects.added = slots.data();
    objects.added_count = box_count;
    const acre::error failed = culling.create_for_objects();
    return failed ? failed : culling.update(objects);
}

using pairs_t = std::vector<std::array<uint32_t, 2>>;

// All pairs of boxes that a loop finds, where `takes` says yes; sorted.
template <class Takes> pairs_t pairs_of(const boxes_t &boxes, Takes takes)
{
    pairs_t pairs;
    for (uint32_t a = 0; a < boxes.size(); a++) {
        for (uint32_t b = a + 1; b < boxes.size(); b++) {
            if (takes(a, b) && acre_aabb_overlaps(&boxes[a], &boxes[b])) {
                pairs.push_back({a, b});
            }
        }
    }
    return pairs;
}

pairs_t sorted(acre::span<const acre_pair> found)
{
    pairs_t pairs;
    for (const acre_pair &pair : found) {
        pairs.push_back({std::min(pair.a, pair.b), std::max(pair.a, pair.b)});
    }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

template <class Slots> std::vector<uint32_t> sorted_slots(const Slots &slots, std::size_t count)
{
    std::vector<uint32_t> out(slots.data(), slots.data() + count);
    std::sort(out.begin(), out.end());
    return out;
}

void neighbors_are_those_of_a_loop()
{
    const boxes_t boxes = random_boxes();
    acre::quadtree tree;
    CHECK(!tree.create() && !tree.insert_many(all_items(), boxes));
    acre_neighbors_query query{};
    query.count = box_count;
    query.radius = 12;
    std::vector<acre_neighbor_row> rows;
    std::vector<uint32_t> items;
    acre_neighbor_lists lists{};
    CHECK(!tree.neighbors_into(query, rows, items, lists) && lists.total > box_count);
    CHECK(rows.size() == box_count && items.size() == lists.total);
    CHECK(tree.neighbors(query, acre::span(rows.data(), 5), items, lists).result() ==
          ACRE_ERROR_INVALID_ARGUMENT);
    for (uint32_t i = 0; i < box_count; i++) {
        acre_query around{};
        acre_sphere sphere{};
        for (int k = 0; k < 3; k++) {
            sphere.center[k] = 0.5f * boxes[i].min[k] + 0.5f * boxes[i].max[k];
        }
        sphere.radius = query.radius;
        around.shape = ACRE_QUERY_SHAPE_SPHERE;
        around.sphere = &sphere;
        std::size_t count = 0;
        CHECK(!tree.query(around, {}, count) && rows[i].count + 1 == count);
    }
    // Of a row that is refused the others are answered, also into a room that grows.
    const uint32_t listed[3] = {4, box_count, 7};
    query.items = listed;
    query.count = 3;
    std::vector<uint32_t> grown;
    CHECK(tree.neighbors_into(query, rows, grown, lists).result() == ACRE_ERROR_NOT_FOUND);
    CHECK(lists.refused.refused == 1 && lists.refused.first_row == 1);
    CHECK(rows.size() == box_count && grown.size() == lists.total && rows[1].count == 0);
}

void layers_within_reach_are_those_of_the_neighbors()
{
    const boxes_t boxes = random_boxes();
    acre::quadtree tree;
    CHECK(!tree.create() && !tree.insert_many(all_items(), boxes));
    for (uint32_t i = 0; i < box_count; i++) {
        CHECK(!tree.set_layers(i, 1u << i % 8));
    }
    acre_neighbors_query query{};
    query.count = box_count;
    query.radius = 6;
    std::vector<acre_neighbor_row> rows;
    std::vector<uint32_t> items, layers(box_count);
    acre_neighbor_lists lists{};
    CHECK(!tree.neighbors_into(query, rows, items, lists));
    CHECK(!tree.layers_within(query, layers));
    for (uint32_t i = 0; i < box_count; i++) {
        uint32_t expected = 0;
        for (std::size_t k = 0; k < rows[i].count; k++) {
            expected |= 1u << items[rows[i].first + k] % 8;
        }
        CHECK(layers[i] == expected);
    }
    CHECK(tree.layers_within(query, acre::span(layers.data(), 5)).result() ==
          ACRE_ERROR_INVALID_ARGUMENT);
}

void pairs_are_those_of_a_loop()
{
    const boxes_t boxes = random_boxes();
    const auto all = [](uint32_t, uint32_t) { return true; };
    const pairs_t expected = pairs_of(boxes, all);
    acre::quadtree tree, even, odd;
    CHECK(!tree.create() && !tree.insert_many(all_items(), boxes));
    std::vector<acre_pair> room;
    std::size_t total = 0;
    CHECK(!tree.pairs_into({}, room, total) && total == expected.size());
    CHECK(sorted({room.data(), total}) == expected && !expected.empty());
    CHECK(!tree.pairs({}, {}, total) && total == expected.size());
    CHECK(!even.create() && !odd.create());
    for (uint32_t i = 0; i < box_count; i++) {
        CHECK(!(i % 2 ? odd : even).insert(i, boxes[i]));
    }
    const auto mixed = [](uint32_t a, uint32_t b) { return (a + b) % 2 == 1; };
    CHECK(!even.pairs(odd, {}, room, total));
    CHECK(sorted({room.data(), total}) == pairs_of(boxes, mixed));
    CHECK(total > 0 && room[0].a % 2 == 0);
    std::vector<uint32_t> partners(box_count);
    const uint32_t item = expected[0][0];
    CHECK(!tree.item_pairs(item, {}, partners, total));
    const auto has_item = [item](uint32_t a, uint32_t b) { return a == item || b == item; };
    CHECK(total == pairs_of(boxes, has_item).size());
}

void contacts_begin_and_end()
{
    const boxes_t boxes = random_boxes();
    const auto all = [](uint32_t, uint32_t) { return true; };
    const pairs_t expected = pairs_of(boxes, all);
    const uint32_t item = expected[0][0];
    const auto has_item = [item](uint32_t a, uint32_t b) { return a == item || b == item; };
    acre::quadtree tree, empty;
    acre::contacts contacts, between;
    CHECK(!tree.create() && !tree.insert_many(all_items(), boxes) && !empty.create());
    CHECK(!contacts.create() && !contacts.update(tree) && contacts.ended().empty());
    CHECK(sorted(contacts.now()) == expected && sorted(contacts.began()) == expected);
    CHECK(!tree.remove(item) && !contacts.update(tree) && contacts.began().empty());
    CHECK(sorted(contacts.ended()) == pairs_of(boxes, has_item));
    CHECK(contacts.result().now_count + contacts.ended().size() == expected.size());
    CHECK(!between.create() && !between.update(tree, empty) && between.now().empty());
    CHECK(!empty.insert(0, boxes[item]) && !between.update(tree, empty));
    CHECK(between.began().size() == contacts.ended().size() && between.began()[0].b == 0);
}

void contacts_of_objects_have_handles()
{
    const boxes_t boxes = random_boxes();
    acre::culling culling;
    acre::entity_contacts contacts;
    CHECK(!fill(culling, boxes) && !culling.validate());
    const auto moving = [](uint32_t a, uint32_t b) { return a % 4 != 0 || b % 4 != 0; };
    const pairs_t expected = pairs_of(boxes, moving);
    std::vector<acre_pair> room;
    std::size_t total = 0;
    CHECK(!culling.pairs_into({}, room, total) && sorted({room.data(), total}) == expected);
    CHECK(!culling.pairs({}, {}, total) && total == expected.size());
    CHECK(!contacts.create() && !contacts.update(culling) && contacts.ended().empty());
    CHECK(contacts.now().size() == expected.size());
    CHECK(contacts.began().size() == contacts.result().began_count);
    const acre_entity_pair first = contacts.now()[0];
    CHECK(acre::slot_of(first.a) == expected[0][0] && acre::slot_of(first.b) == expected[0][1]);
    const uint32_t gone = expected[0][0];
    const auto has_gone = [&](uint32_t a, uint32_t b) {
        return moving(a, b) && (a == gone || b == gone);
    };
    std::vector<uint32_t> partners(box_count);
    CHECK(!culling.entity_pairs(first.a, {}, partners, total));
    CHECK(total == pairs_of(boxes, has_gone).size());
    acre_objects objects{};
    objects.slot_count = box_count;
    objects.removed = &gone;
    objects.removed_count = 1;
    CHECK(!culling.update(objects) && !contacts.update(culling));
    CHECK(contacts.ended().size() == total && contacts.ended()[0].a.index1 == first.a.index1);
}

void an_explanation_says_what_hides()
{
    const boxes_t boxes = random_boxes();
    acre::culling culling;
    acre::visible_set set;
    CHECK(!fill(culling, boxes) && !set.create(ACRE_VISIBLE_LODS | ACRE_VISIBLE_CHANGES));
    acre_view view{};
    view.frustum.plane_count = 1;
    view.frustum.planes[0][0] = 1; // x >= 0
    CHECK(!set.find(culling, view) && set.lods().size() == set.slots().size());
    for (uint32_t slot = 0; slot < box_count; slot++) {
        const bool is_seen = acre_frustum_test_aabb(&view.frustum, &boxes[slot]);
        acre::explanation why{}, why_of_set{};
        CHECK(!culling.explain(view, culling.object(slot), why));
        CHECK(!set.explain(culling, view, culling.object(slot), why_of_set));
        CHECK(why.hidden_by == (is_seen ? ACRE_HIDDEN_BY_NOTHING : ACRE_HIDDEN_BY_PLANE));
        CHECK(why_of_set.hidden_by == why.hidden_by);
        CHECK(!why.was_visible && why_of_set.was_visible == is_seen);
        CHECK(acre_quadtree_contains(culling.static_tree(), slot) == (slot % 4 == 0));
        std::array<char, 200> text{}, expected{};
        CHECK(why.text(text) == acre_explanation_text(&why, expected.data(), expected.size()));
        CHECK(text == expected && text[0] != 0);
    }
    acre::explanation why{};
    CHECK(culling.explain(view, {}, why).result() == ACRE_ERROR_STALE_HANDLE);
}

acre::error look(acre_camera &camera)
{
    const float eye[3] = {0, 20, 120}, target[3] = {0, 0, 0}, up[3] = {0, 1, 0};
    const acre::error failed =
        acre_camera_perspective(&camera, 1, 1.5f, 1, 300, ACRE_CLIP_ZERO_TO_ONE);
    return failed ? failed : acre_camera_look_at(&camera, eye, target, up);
}

void casters_are_those_of_a_loop()
{
    const boxes_t boxes = random_boxes();
    acre::culling culling;
    acre::cascades cascades;
    acre::receivers receivers;
    acre_camera camera{};
    acre_cascades_def sun{};
    sun.light[0] = 1;
    sun.light[1] = -1;
    sun.count = 2;
    sun.caster_distance = 100;
    sun.resolution = 1024;
    CHECK(!fill(culling, boxes) && !look(camera) && cascades.get().empty());
    CHECK(!cascades.fit(sun, camera) && cascades.get().size() == 2);
    sun.count = 0;
    CHECK(cascades.fit(sun, camera).result() == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(cascades.get().size() == 2 && !receivers.create());
    std::vector<uint32_t> seen(box_count), casters;
    std::size_t seen_count = 0, total = 0;
    CHECK(!culling.query(camera, seen, seen_count) && seen_count > 0);
    const acre_aabb ground = {{-100, 0, -100}, {100, 0, 100}};
    std::size_t least = box_count, most = 0;
    for (const acre_cascade &cascade : cascades.get()) {
        CHECK(!receivers.begin(cascade) && !receivers.add_boxes(acre::span(&ground, 1)));
        CHECK(!receivers.add(culling, {seen.data(), seen_count}));
        CHECK(!receivers.query_casters_into(culling, casters, total));
        std::vector<uint32_t> expected;
        for (uint32_t slot = 0; slot < box_count; slot++) {
            if (receivers.test_aabb(boxes[slot])) {
                expected.push_back(slot);
            }
        }
        CHECK(sorted_slots(casters, total) == expected);
        least = std::min(least, total);
        most = std::max(most, total);
        CHECK(!receivers.begin(cascade) && !receivers.add_in_slice(culling));
        CHECK(!receivers.query_casters(culling, {}, total) && total <= expected.size());
    }
    CHECK(least < box_count && most > 0);
    acre_frustum volume{};
    CHECK(!cascades.caster_frustum(1, volume) && volume.plane_count > 4);
}

void casters_of_a_light_have_faces_and_the_lods_of_the_picture()
{
    const boxes_t boxes = random_boxes();
    acre::culling culling;
    acre::receivers receivers;
    acre::visible_set set;
    acre_camera camera{};
    acre_view view{};
    acre_local_light lamp{};
    lamp.position[1] = 30;
    lamp.range = 200;
    CHECK(!fill(culling, boxes) && !look(camera) && !receivers.create());
    CHECK(!receivers.begin_light(lamp) && !receivers.add_in_slice(culling));
    std::vector<uint32_t> slots(box_count);
    std::vector<uint8_t> faces(box_count), lods(box_count, 9);
    std::size_t total = 0;
    CHECK(!receivers.query_casters_by_face(culling, slots, faces, total) && total > 0);
    for (std::size_t i = 0; i < total; i++) {
        CHECK(faces[i] > 0 && faces[i] < 64 && receivers.test_aabb(boxes[slots[i]]));
    }
    CHECK(acre_view_from_camera(&view, &camera) == ACRE_OK);
    CHECK(!set.create(ACRE_VISIBLE_LODS));
    CHECK(set.find_lods(culling, {slots.data(), total}, {lods.data(), total}).result() ==
          ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(!set.find(culling, view));
    CHECK(!set.find_lods(culling, {slots.data(), total}, {lods.data(), total}));
    CHECK(lods[0] == 0 && lods[total - 1] == 0); // there are no rules
}

void what_an_object_hides_is_not_found()
{
    const acre_aabb boxes[] = {{{9, -5, -5}, {10, 5, 5}}, {{14, -1, -1}, {15, 1, 1}}};
    const float eye[] = {0, 0, 0}, target[] = {1, 0, 0}, up[] = {0, 1, 0};
    acre::culling culling;
    acre::horizon horizon;
    acre_camera camera{};
    acre_view view{};
    acre_occluder wall{};
    const std::array<uint32_t, 2> slots = {0, 1};
    std::array<uint32_t, 2> found{};
    acre_objects objects{};
    objects.slot_count = 2;
    objects.boxes = {boxes[0].min, boxes[0].max, sizeof *boxes, sizeof *boxes,
                     ACRE_BOX_FORM_MIN_MAX};
    objects.added = slots.data();
    objects.added_count = 2;
    CHECK(!culling.create_for_objects() && !culling.update(objects) && !horizon.create());
    CHECK(acre_camera_perspective(&camera, 1, 1, 0.1f, 100, ACRE_CLIP_ZERO_TO_ONE) == ACRE_OK);
    CHECK(acre_camera_look_at(&camera, eye, target, up) == ACRE_OK);
    CHECK(acre_occluder_from_box(&wall, &boxes[0]) == ACRE_OK);
    CHECK(!culling.set_occluders(culling.object(0), acre::span(&wall, 1)));
    CHECK(acre_view_from_camera(&view, &camera) == ACRE_OK && !horizon.begin(camera));
    view.horizon = horizon.get();
    std::size_t total = 0;
    CHECK(!culling.query(view, found, total) && total == 1 && found[0] == 0);
    CHECK(horizon.stats().dropped > 0 && horizon.hides(boxes[1]));
    CHECK(!horizon.begin(eye, nullptr, 0) && !horizon.hides(boxes[1]) && horizon.add(wall));
    CHECK(horizon.test(acre::span(boxes, 2), found) == 1 && found[0] == 0);
    int lines = 0;
    acre_debug_draw draw{};
    draw.user = &lines;
    draw.line = [](void *user, const float *, const float *, uint32_t) {
        ++*static_cast<int *>(user);
    };
    horizon.debug_draw(draw);
    CHECK(lines > 200 && lines < 512);
    acre::receivers receivers;
    CHECK(!receivers.create() &&
          receivers.set_horizon(horizon, 0).result() == ACRE_ERROR_INVALID_ARGUMENT);
}

void a_draw_list_has_ranges_and_matrices()
{
    const boxes_t boxes = random_boxes();
    acre::culling culling;
    acre::draw_list list;
    std::vector<std::array<float, 12>> worlds(box_count);
    std::vector<uint32_t> keys(box_count);
    for (uint32_t i = 0; i < box_count; i++) {
        worlds[i] = {1, 0, 0, static_cast<float>(i), 0, 1, 0, 0, 0, 0, 1, 0};
        keys[i] = i % 3;
    }
    const std::vector<uint32_t> slots = all_items(1, 2);
    acre_matrix_array matrices{worlds.data(), 0, ACRE_MATRIX_ROWS};
    acre_draw_input input{};
    input.slots = slots.data();
    input.count = slots.size();
    input.keys = keys.data();
    input.key_count = keys.size();
    CHECK(!fill(culling, boxes) && !list.create() && !list.build(culling, input));
    CHECK(list.matrices().empty() && list.slots().size() == slots.size());
    input.matrices = ACRE_MATRIX_ROWS;
    input.worlds = &matrices;
    CHECK(!list.build(culling, input) && list.ranges().size() == 3);
    CHECK(list.matrices().size() == 12 * slots.size() && list.result().matrix_floats == 12);
    std::size_t row = 0;
    for (const acre_draw_range &range : list.ranges()) {
        CHECK(range.first == row && range.count == slots.size() / 3);
        for (; row < range.first + range.count; row++) {
            const uint32_t slot = list.slots()[row];
            CHECK(keys[slot] == range.key);
            CHECK(!std::memcmp(&list.matrices()[12 * row], worlds[slot].data(), sizeof worlds[0]));
        }
    }
    const std::array<acre_draw_mesh, 3> meshes = {{{36, 0, 0}, {60, 36, 0}, {90, 96, 0}}};
    acre_draw_meshes table{meshes.data(), meshes.size(), 1};
    std::array<acre_draw_command, 3> commands{};
    std::size_t total = 0;
    CHECK(!list.commands(table, commands, total) && total == 3);
    CHECK(commands[2].index_count == 90 && commands[2].first_instance == list.ranges()[2].first);
}

void scenes_take_boxes_in_batches()
{
    const boxes_t boxes = random_boxes();
    acre::scene scene;
    acre_transform up = ACRE_TRANSFORM_IDENTITY;
    up.translation[1] = 3;
    acre_entity_def def{};
    def.local = &up;
    const std::vector<acre_entity_def> defs(box_count, def);
    std::vector<acre_entity> entities(box_count);
    CHECK(!scene.create() && !scene.create_entities(defs, entities));
    CHECK(!scene.set_bounds(entities, rows_of(boxes)));
    const acre::span<const acre_entity> half(entities.data(), box_count / 2);
    CHECK(!scene.set_world_bounds(half, rows_of(boxes)) && !scene.commit());
    for (uint32_t i = 0; i < box_count; i++) {
        acre_aabb box{};
        CHECK(!scene.world_bounds(entities[i], box));
        CHECK(box.min[0] == boxes[i].min[0] && box.min[1] == (i < half.size() ? 0.0f : 3.0f));
    }
}

} // namespace

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(neighbors_are_those_of_a_loop),
        TEST(layers_within_reach_are_those_of_the_neighbors),
        TEST(pairs_are_those_of_a_loop),
        TEST(contacts_begin_and_end),
        TEST(contacts_of_objects_have_handles),
        TEST(an_explanation_says_what_hides),
        TEST(casters_are_those_of_a_loop),
        TEST(casters_of_a_light_have_faces_and_the_lods_of_the_picture),
        TEST(what_an_object_hides_is_not_found),
        TEST(a_draw_list_has_ranges_and_matrices),
        TEST(scenes_take_boxes_in_batches),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
