// SPDX-License-Identifier: MIT
// test_acre_hpp_exceptions.cpp - acre.hpp in a program with exceptions: visitors that throw, and
// the exception that says what was refused.
#include <acre/acre.hpp>

extern "C" {
#include "test.h"
}

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{

const acre_aabb unit_box = {{0, 0, 0}, {1, 1, 1}};

acre::error fill(acre::quadtree &tree)
{
    acre::error failed = tree.create();
    for (uint32_t item = 0; item < 10 && !failed; item++) {
        failed = tree.insert(item, unit_box);
    }
    return failed;
}

void a_visitor_may_throw()
{
    acre::quadtree tree;
    CHECK(!fill(tree));
    const uint64_t before = acre_quadtree_state_hash(tree.get());
    acre_query query{};
    query.shape = ACRE_QUERY_SHAPE_ALL;
    int calls = 0;
    std::string caught;
    try {
        const acre::error failed = tree.query_visit(query, [&](acre::span<const uint32_t>) {
            calls++;
            throw std::runtime_error("no memory");
        });
        EXPECT(!failed);
    } catch (const std::runtime_error &thrown) {
        caught = thrown.what();
    }
    CHECK(calls == 1 && caught == "no memory");
    CHECK(acre_quadtree_state_hash(tree.get()) == before);
    CHECK(!tree.insert(20, unit_box) && !tree.maintain() && !tree.validate()); // not busy
    std::size_t found = 0;
    CHECK(
        !tree.query_visit(query, [&](acre::span<const uint32_t> items) { found += items.size(); }));
    CHECK(found == 11);
}

// ---- a random stream of visits that throw ----

struct world {
    acre::quadtree tree;
    std::uint32_t count = 0;
};

acre_aabb random_box(test_random &random)
{
    acre_aabb box{};
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = random_float(&random, -100, 100);
        box.max[axis] = box.min[axis] + random_float(&random, 0, 40);
    }
    return box;
}

bool fill_at_random(world &w, test_random &random)
{
    acre_quadtree_def def{};
    def.half_size = 128;
    def.node_capacity = 4;
    acre::error failed = w.tree.create(def);
    for (w.count = 0; w.count < 300 && !failed; w.count++) {
        failed = w.tree.insert(w.count, random_box(random));
    }
    return !failed;
}

// A tree after a visit, however it ended: the same as before, and it takes edits.
bool is_whole(world &w, std::uint64_t before, test_random &random)
{
    const bool is_same = acre_quadtree_state_hash(w.tree.get()) == before;
    const std::uint32_t item = random_below(&random, w.count);
    return is_same && !w.tree.refresh(item, random_box(random)) && !w.tree.maintain() &&
           !w.tree.validate();
}

struct ended_at {
    std::size_t result;
};

struct outcome {
    std::vector<std::uint32_t> seen;
    acre_query_stats stats{};
    std::size_t thrown = SIZE_MAX;
    bool is_good = true;
};

enum class ending { stops, throws };

// Visits until a result; `inner` is called in the first portion.
template <class Inner>
outcome visit_until(const world &w, acre_query query, std::size_t last, ending how, Inner inner)
{
    outcome out;
    query.stats = &out.stats;
    bool is_first = true;
    try {
        const auto visit = [&](acre::span<const std::uint32_t> items) {
            if (is_first) {
                is_first = false;
                inner();
            }
            for (const std::uint32_t item : items) {
                if (out.seen.size() == last) {
                    if (how == ending::throws) {
                        throw ended_at{last};
                    }
                    return false;
                }
                out.seen.push_back(item);
            }
            return true;
        };
        out.is_good = !w.tree.query_visit(query, visit);
    } catch (const ended_at &end) {
        out.thrown = end.result;
    }
    return out;
}

bool are_equal(const outcome &stopped, const outcome &thrown)
{
    return stopped.is_good && thrown.is_good && stopped.seen == thrown.seen &&
           stopped.stats.nodes_tested == thrown.stats.nodes_tested &&
           stopped.stats.items_tested == thrown.stats.items_tested &&
           stopped.stats.items_accepted == thrown.stats.items_accepted;
}

bool a_throw_ends_as_false_does(world &w, const acre_query &query, test_random &random)
{
    const auto nothing = [] {};
    const outcome all = visit_until(w, query, SIZE_MAX, ending::stops, nothing);
    const std::size_t total = all.seen.size();
    const std::size_t last = random_below(&random, static_cast<std::uint32_t>(total) + 1);
    const std::uint64_t before = acre_quadtree_state_hash(w.tree.get());
    const outcome stopped = visit_until(w, query, last, ending::stops, nothing);
    const outcome thrown = visit_until(w, query, last, ending::throws, nothing);
    return are_equal(stopped, thrown) && thrown.thrown == (last < total ? last : SIZE_MAX) &&
           is_whole(w, before, random);
}

// In a visit of one tree, one of the other tree throws. Then the other tree takes edits and this
// one does not; and the exception may pass through both.
bool nested_throws_end_their_own_visit(world &a, world &b, const acre_query &query,
                                       test_random &random)
{
    const auto both_are_busy = [&] {
        for (world *w : {&a, &b}) {
            EXPECT(w->tree.remove(0).result() == ACRE_ERROR_BUSY);
        }
    };
    const bool passes_on = random_below(&random, 2) != 0;
    const std::size_t last = random_below(&random, 20);
    const std::uint64_t before = acre_quadtree_state_hash(a.tree.get());
    bool is_good = true, has_nested = false;
    acre_query everything{};
    everything.shape = ACRE_QUERY_SHAPE_ALL;
    const auto inner = [&] {
        has_nested = true;
        const std::uint64_t hash = acre_quadtree_state_hash(b.tree.get());
        const outcome thrown = visit_until(b, everything, last, ending::throws, both_are_busy);
        is_good = thrown.thrown == last && thrown.seen.size() == last &&
                  is_whole(b, hash, random) && a.tree.remove(0).result() == ACRE_ERROR_BUSY;
        if (passes_on) {
            throw ended_at{1000};
        }
    };
    const outcome outer = visit_until(a, query, last, ending::throws, inner);
    const std::size_t own = outer.seen.size() == last ? outer.thrown : SIZE_MAX;
    const std::size_t expected = has_nested && passes_on ? 1000 : own;
    return is_good && outer.thrown == expected && is_whole(a, before, random);
}

void a_throw_leaves_the_trees_as_they_were()
{
    test_random random = {test_seed};
    world worlds[2];
    CHECK(fill_at_random(worlds[0], random) && fill_at_random(worlds[1], random));
    for (std::uint32_t round = 0; round < 300 * test_scale; round++) {
        acre_aabb box = random_box(random);
        box.max[0] += random_float(&random, 0, 100);
        acre_query query{};
        query.shape = random_below(&random, 4) ? ACRE_QUERY_SHAPE_AABB : ACRE_QUERY_SHAPE_ALL;
        query.box = &box;
        world &a = worlds[round % 2], &b = worlds[1 - round % 2];
        CHECK(a_throw_ends_as_false_does(a, query, random));
        CHECK(nested_throws_end_their_own_visit(a, b, query, random));
    }
}

std::string text_of(acre::error failed)
{
    try {
        failed.check();
    } catch (const acre::refused &refused) {
        EXPECT(refused.report().first.result == failed.result());
        return refused.what();
    }
    return "nothing thrown";
}

void an_exception_says_what_is_wrong()
{
    acre::quadtree tree;
    CHECK(!fill(tree));
    acre_aabb box = unit_box;
    box.min[1] = -std::numeric_limits<float>::quiet_NaN();
    CHECK(text_of(tree.refresh(7, box)) == "invalid argument"); // nobody keeps refusals
    acre::keep_refusals();
    CHECK(text_of({}) == "nothing thrown");
    CHECK(text_of(tree.refresh(7, box)) == "acre_quadtree_refresh: box.min[1] is NaN (item 7)");
    CHECK(text_of(tree.remove(70)) == "acre_quadtree_remove: item is not there (item 70)");
    CHECK(text_of(ACRE_ERROR_IO) == "file could not be read or written"); // of no call
    // A sentence is about one call: not about this header's own check, or an experimental call.
    const std::uint32_t items[3] = {1, 2, 3};
    const acre::error first = tree.refresh(7, box);
    CHECK(text_of(tree.refresh_many(items, acre::span<const acre_aabb>(&box, 1))) ==
          "invalid argument");
    CHECK(text_of(first) == "acre_quadtree_refresh: box.min[1] is NaN (item 7)");
    ACRE_IGNORE(acre_quadtree_refresh(tree.get(), 7, &box));
    CHECK(text_of(tree.refresh_many(items, acre::span<const acre_aabb>(&box, 1))) ==
          "invalid argument");
    CHECK(text_of(ACRE_ERROR_INVALID_ARGUMENT) == "invalid argument");
    CHECK(text_of(tree.refresh(8, box)) == "acre_quadtree_refresh: box.min[1] is NaN (item 8)");
    CHECK(text_of(first) == "invalid argument"); // its sentence is gone
    acre_set_refusal_handler(nullptr, nullptr);
}

} // namespace

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(a_visitor_may_throw),
        TEST(a_throw_leaves_the_trees_as_they_were),
        TEST(an_exception_says_what_is_wrong),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
