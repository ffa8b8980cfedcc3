// SPDX-License-Identifier: MIT
// test_acre_hpp.cpp - the C++ classes: ownership, errors, and the same answers as loops over boxes.
#include <acre/acre.hpp>

extern "C" {
#include "test.h"
}

#include <algorithm>
#include <array>
#include <vector>

static_assert(sizeof(acre::quadtree) == sizeof(void *), "a class is a pointer");
static_assert(!std::is_copy_constructible_v<acre::scene>, "an object has one owner");
static_assert(std::is_nothrow_move_constructible_v<acre::interest>, "");
static_assert(!std::is_convertible_v<acre::error, bool>, "an error is looked at in an if");
static_assert(!std::is_constructible_v<acre::span<int>, const std::vector<int> &>, "");
static_assert(!std::is_constructible_v<acre::span<char>, std::vector<int> &>, "");

namespace
{

constexpr uint32_t item_count = 2000;

using boxes_t = std::vector<acre_aabb>;

acre_aabb random_box(test_random *random)
{
    const float x = random_float(random, -500, 500), z = random_float(random, -500, 500);
    const float size = random_float(random, 0.1f, 8);
    return {{x - size, 0, z - size}, {x + size, 2 * size, z + size}};
}

boxes_t random_boxes(test_random *random)
{
    boxes_t boxes(item_count);
    for (acre_aabb &box : boxes) {
        box = random_box(random);
    }
    return boxes;
}

std::vector<uint32_t> all_items()
{
    std::vector<uint32_t> items(item_count);
    for (uint32_t i = 0; i < item_count; i++) {
        items[i] = i;
    }
    return items;
}

acre_frustum random_wedge(test_random *random)
{
    acre_frustum frustum{};
    frustum.plane_count = 3;
    for (uint32_t i = 0; i < frustum.plane_count; i++) {
        for (int k = 0; k < 3; k++) {
            frustum.planes[i][k] = random_float(random, -1, 1);
        }
        frustum.planes[i][3] = random_float(random, 0, 200);
    }
    return frustum;
}

std::vector<uint32_t> visible_of(const boxes_t &boxes, const acre_frustum &frustum)
{
    std::vector<uint32_t> visible;
    for (uint32_t i = 0; i < boxes.size(); i++) {
        if (acre_frustum_test_aabb(&frustum, &boxes[i])) {
            visible.push_back(i);
        }
    }
    return visible;
}

acre_query query_of(const acre_frustum &frustum)
{
    acre_query query{};
    query.shape = ACRE_QUERY_SHAPE_FRUSTUM;
    query.frustum = &frustum;
    return query;
}

void a_handle_moves_and_has_one_owner()
{
    acre::quadtree first;
    CHECK(!first && first.get() == nullptr);
    CHECK(!first.create());
    acre_quadtree *const object = first.get();
    acre::quadtree second(std::move(first));
    CHECK(!first && second.get() == object); // NOLINT: what a move leaves is the test
    acre::quadtree third;
    CHECK(!third.create());
    third = std::move(second);
    CHECK(!second && third.get() == object); // NOLINT
    acre::quadtree &same = third;
    third = std::move(same);
    CHECK(third.get() == object);
    acre_quadtree *const given = third.release();
    CHECK(!third && given == object);
    const acre::quadtree last(given);
    CHECK(last.get() == object && last.stats().items == 0);
}

void an_error_has_a_result_and_a_text()
{
    acre::quadtree tree;
    CHECK(!tree.create());
    acre_quadtree *const object = tree.get();
    acre_quadtree_def def{};
    def.half_size = -1;
    const acre::error failed = tree.create(def);
    CHECK(failed && failed.result() == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(failed.text() == acre_result_text(ACRE_ERROR_INVALID_ARGUMENT));
    CHECK(tree.get() == object); // it keeps what it has
    const acre_aabb inverted = {{1, 1, 1}, {0, 0, 0}}, box = {{0, 0, 0}, {1, 1, 1}};
    CHECK(tree.insert(0, inverted).result() == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(!tree.insert(0, box));
    CHECK(tree.insert(0, box).result() == ACRE_ERROR_EXISTS);
    CHECK(tree.remove(1).result() == ACRE_ERROR_NOT_FOUND);
    const std::array<uint32_t, 2> items = {1, 2};
    CHECK(tree.insert_many(items, acre::span(&box, 1)).result() == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(tree.stats().items == 1);
}

void a_null_object_answers_errors()
{
    acre::quadtree tree;
    acre::scene scene;
    std::size_t total = 1;
    const acre_frustum frustum{};
    CHECK(tree.maintain().result() == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(tree.query(query_of(frustum), {}, total).result() == ACRE_ERROR_INVALID_ARGUMENT);
    CHECK(scene.commit().result() == ACRE_ERROR_INVALID_ARGUMENT);
    test_expect_asserts(true);
    tree.clear();
    test_expect_asserts(false);
#if ACRE_CHECK >= 1
    CHECK(test_take_asserts() == 1);
#endif
    tree.reset();
}

void queries_find_what_a_loop_finds()
{
    test_random random = {test_seed};
    boxes_t boxes = random_boxes(&random);
    const std::vector<uint32_t> items = all_items();
    acre::quadtree tree;
    CHECK(!tree.create() && !tree.insert_many(items, boxes));
    std::vector<uint32_t> room;
    for (uint32_t turn = 0; turn < 20 * test_scale; turn++) {
        boxes[random_below(&random, item_count)] = random_box(&random);
        CHECK(!tree.refresh_all(boxes) && !tree.maintain());
        const acre_frustum frustum = random_wedge(&random);
        const std::vector<uint32_t> expected = visible_of(boxes, frustum);
        std::size_t total = 0;
        CHECK(!tree.query_into(query_of(frustum), room, total));
        CHECK(total == expected.size() && room.size() >= total);
        std::vector<uint32_t> found(room.begin(), room.begin() + static_cast<ptrdiff_t>(total));
        std::sort(found.begin(), found.end());
        CHECK(found == expected);
        CHECK(tree.query_frustum(frustum, room) == total);
    }
    CHECK(!tree.validate());
}

void a_visitor_may_be_any_lambda()
{
    test_random random = {test_seed + 1};
    const boxes_t boxes = random_boxes(&random);
    acre::quadtree tree;
    CHECK(!tree.create() && !tree.insert_many(all_items(), boxes));
    const acre_frustum everything{};
    std::vector<bool> seen(item_count);
    std::size_t calls = 0;
    const auto mark = [&](acre::span<const uint32_t> found) {
        calls++;
        for (const uint32_t item : found) {
            seen[item] = true;
        }
    };
    CHECK(!tree.query_visit(query_of(everything), mark));
    CHECK(calls > 1 && std::find(seen.begin(), seen.end(), false) == seen.end());
    calls = 0;
    CHECK(!tree.query_visit(query_of(everything), [&calls](acre::span<const uint32_t>) {
        calls++;
        return false;
    }));
    CHECK(calls == 1);
}

void boxes_may_stand_in_records()
{
    struct record {
        float center[3], half_size[3];
        int mass;
    };
    const std::array<record, 3> records = {
        {{{0, 0, 0}, {1, 1, 1}, 1}, {{10, 0, 0}, {1, 1, 1}, 2}, {{20, 0, 0}, {1, 1, 1}, 3}}};
    acre_box_array boxes{};
    boxes.first = records[0].center;
    boxes.second = records[0].half_size;
    boxes.first_stride = boxes.second_stride = sizeof(record);
    boxes.form = ACRE_BOX_FORM_CENTER_EXTENT;
    const uint32_t items[] = {0, 1, 2};
    acre::quadtree tree;
    CHECK(!tree.create() && !tree.insert_many(items, boxes) && !tree.refresh_all(boxes, 3));
    acre_aabb box{};
    CHECK(!tree.get_box(1, box) && box.min[0] == 9 && box.max[0] == 11);
    acre_aabb all[3]{};
    CHECK(tree.get_boxes(items, all) == 3 && all[1].min[0] == 9 && all[2].max[0] == 21);
    acre_aabb few[2]{};
    CHECK(tree.get_boxes(items, few) == 0 && few[1].max[0] == 0);
}

// A scene of the boxes, all at the origin, and a culler of all of them.
acre::error fill(acre::scene &scene, acre::culling &culling, const boxes_t &boxes)
{
    acre_culling_def def{};
    def.register_all = true;
    acre::error failed = scene.create();
    failed = failed ? failed : culling.create(scene, def);
    std::vector<acre_entity_def> defs(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); i++) {
        defs[i].bounds = &boxes[i];
    }
    std::vector<acre_entity> entities(boxes.size());
    failed = failed ? failed : scene.create_entities(defs, entities);
    return failed ? failed : scene.commit();
}

void a_culler_finds_what_a_loop_finds()
{
    test_random random = {test_seed + 2};
    const boxes_t boxes = random_boxes(&random);
    acre::scene scene;
    acre::culling culling;
    CHECK(!fill(scene, culling, boxes));
    acre::visible_set set;
    CHECK(!set.create(ACRE_VISIBLE_CHANGES));
    std::vector<uint32_t> room, before;
    for (uint32_t turn = 0; turn < 10 * test_scale; turn++) {
        const acre_frustum frustum = random_wedge(&random);
        const std::vector<uint32_t> expected = visible_of(boxes, frustum);
        std::size_t total = 0;
        CHECK(!culling.query_into(frustum, room, total) && total == expected.size());
        acre_view view{};
        view.frustum = frustum;
        CHECK(!culling.query(view, room, total) && total == expected.size());
        CHECK(!set.find(culling, view) && set.slots().size() == total);
        std::vector<uint32_t> found(set.slots().begin(), set.slots().end());
        std::sort(found.begin(), found.end());
        CHECK(found == expected);
        std::vector<uint32_t> entered;
        std::set_difference(expected.begin(), expected.end(), before.begin(), before.end(),
                            std::back_inserter(entered));
        CHECK(set.entered().size() == entered.size());
        before = expected;
    }
}

void a_culler_may_outlive_its_scene()
{
    acre::culling culling;
    acre::scene scene;
    CHECK(!fill(scene, culling, {{{0, 0, 0}, {1, 1, 1}}}));
    scene.reset();
    const acre_frustum everything{};
    std::size_t total = 1;
    CHECK(!culling.query(everything, {}, total) && total == 0);
}

void worlds_are_read_by_slot()
{
    acre::scene scene;
    acre_entity entity{};
    CHECK(!scene.create() && !scene.create_entity({}, entity));
    acre_transform at = ACRE_TRANSFORM_IDENTITY;
    at.translation[0] = 5;
    CHECK(!scene.set_local(entity, at) && !scene.commit());
    const uint32_t slot = acre::slot_of(entity);
    std::array<float, 12> rows{};
    CHECK(!scene.gather_matrices(acre::span(&slot, 1), ACRE_MATRIX_ROWS, rows) && rows[3] == 5);
    CHECK(scene.gather_matrices(acre::span(&slot, 1), ACRE_MATRIX_COLUMNS, rows));
    CHECK(scene.view().entity_count == 1 && scene.is_alive(entity));
    CHECK(!scene.destroy_entity(entity) && !scene.is_alive(entity));
}

void an_interest_lists_what_entered_and_left()
{
    acre::quadtree tree;
    acre::interest interest;
    CHECK(!tree.create() && !interest.create(tree));
    acre_aabb box = {{5, 0, 0}, {6, 1, 1}};
    CHECK(!tree.insert(7, box));
    acre_observer_def def{};
    def.enter_radius = 10;
    acre_observer observer{};
    CHECK(!interest.add(def, observer));
    CHECK(interest.entered(observer).empty()); // there was no update yet
    CHECK(!interest.update() && interest.entered(observer).size() == 1);
    CHECK(interest.entered(observer)[0] == 7 && interest.left(observer).empty());
    box.min[0] = box.max[0] = 50;
    CHECK(!tree.refresh(7, box) && !interest.update());
    CHECK(interest.left(observer).size() == 1 && interest.entered({}).empty());
    acre_observer next{}; // in the row of a removed one, whose list is still there
    CHECK(!interest.remove(observer) && interest.left(observer).empty());
    CHECK(!interest.add(def, next) && next.index1 == observer.index1);
    CHECK(interest.left(next).empty() && !interest.update() && interest.left(next).empty());
}

} // namespace

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(a_handle_moves_and_has_one_owner), TEST(an_error_has_a_result_and_a_text),
        TEST(a_null_object_answers_errors),     TEST(queries_find_what_a_loop_finds),
        TEST(a_visitor_may_be_any_lambda),      TEST(boxes_may_stand_in_records),
        TEST(a_culler_finds_what_a_loop_finds), TEST(a_culler_may_outlive_its_scene),
        TEST(worlds_are_read_by_slot),          TEST(an_interest_lists_what_entered_and_left),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
