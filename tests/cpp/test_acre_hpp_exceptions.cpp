// SPDX-License-Identifier: MIT
// test_acre_hpp_exceptions.cpp - acre.hpp in a program with exceptions: visitors that throw, and
// the exception that says what was refused.
#include <acre/acre.hpp>

extern "C" {
#include "test.h"
}

#include <limits>
#include <stdexcept>
#include <string>

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
        TEST(an_exception_says_what_is_wrong),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
