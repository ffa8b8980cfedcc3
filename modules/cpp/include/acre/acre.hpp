// SPDX-License-Identifier: MIT
// acre.hpp - Acre's objects as C++17 classes that free themselves; no RTTI, no exceptions but one
// that you ask for.
//
// A class owns one object of the C library. It can be moved and not copied, and costs one pointer.
// Its functions are those of the C header, without the prefix: acre_quadtree_insert(tree, ...) is
// tree.insert(...). The C header says what they do, what they cost and which threads may call them.
// Boxes, frustums, cameras, views and defs are the structs of C. What is not wrapped takes
// object.get().
//
// Words used here:
//     error    what a call answers; true in an if where the call failed
//     span     a pointer and a count; a std::vector, a std::array, a std::span or an array turns
//              into one
//     room     a container that a query writes into, and makes larger where it needs to
//
// Typical use:
//     acre::quadtree tree;
//     std::vector<uint32_t> room; // receives room[0] to room[total - 1]
//     acre::error failed = tree.create();
//     failed = failed ? failed : tree.insert(item, box);
//     failed = failed ? failed : tree.query_into(query, room, total);
//     if (failed) { report(failed.text()); }
//
// Exceptions. Where a program has them, failed.check() throws acre::refused. Its what() is the
// sentence of acre/refusal.h if acre::keep_refusals() was called before, as in
//     acre::keep_refusals(); // once, at the beginning
//     tree.refresh(7, box).check(); // "acre_quadtree_refresh: box.min[1] is NaN (item 7)"
// A visitor may throw. The exception is kept, the visit ends, and the call throws it again.
//
// Threading: as the C functions.
#ifndef ACRE_ACRE_HPP
#define ACRE_ACRE_HPP

#include <acre/interest.h>
#include <acre/quadtree_neighbors.h>
#include <acre/quadtree_pairs.h>
#include <acre/refusal.h>
#include <acre/scene.h>
#if __has_include(<acre/culling.h>)
#include <acre/casters.h>
#include <acre/draw_list.h>
#include <acre/entity_pairs.h>
#include <acre/explain.h>
#include <acre/horizon.h>
#include <acre/objects.h>
#define ACRE_HPP_HAS_CULLING 1
#endif

#include <cassert>
#include <cstddef>
#include <cstdint>
#if defined(__cpp_exceptions)
#include <cstdio>
#include <exception>
#define ACRE_HPP_HAS_EXCEPTIONS 1
#endif
#include <type_traits>
#include <utility>

namespace acre
{
// Units with exceptions and units without may be linked together: their classes differ.
#ifdef ACRE_HPP_HAS_EXCEPTIONS
inline namespace with_exceptions
#else
inline namespace without_exceptions
#endif
{

#ifdef ACRE_HPP_HAS_EXCEPTIONS
/// A call that was refused.
class refused : public std::exception
{
  public:
    /// Says only what the result means.
    explicit refused(acre_result result) noexcept
    {
        report_.first.result = result;
    }
    const char *what() const noexcept override
    {
        return text_[0] != 0 ? text_ : acre_result_text(report_.first.result);
    }
    /// Why, as data; all zero but for the result unless acre::keep_refusals() was called before.
    const acre_batch_report &report() const noexcept
    {
        return report_;
    }

  private:
    friend class error;
    friend void keep_refusals() noexcept;
    refused() noexcept = default;
    static refused &last() noexcept
    {
        static thread_local refused kept;
        return kept;
    }
    static void keep(void *, const acre_refused_call *call) noexcept
    {
        std::snprintf(last().text_, sizeof last().text_, "%s", call->text);
        last().report_ = call->report;
        last().number_++;
        last().is_taken_ = false;
    }
    /// The number of the sentence about the call that has just answered this; 0: there is none.
    static std::uint32_t take(acre_result result) noexcept
    {
        const bool was_taken = std::exchange(last().is_taken_, true);
        return was_taken || last().report_.first.result != result ? 0 : last().number_;
    }
    char text_[240] = "";
    acre_batch_report report_ = {};
    std::uint32_t number_ = 0;
    bool is_taken_ = true; // an error has its number
};

/// Makes exceptions say what is wrong. Sets the handler of the whole process (acre/refusal.h).
inline void keep_refusals() noexcept
{
    acre_set_refusal_handler(refused::keep, nullptr);
}
#endif

/// What a call answers, and what must be looked at.
class [[nodiscard]] error
{
  public:
    constexpr error() noexcept = default;
    /// Make it before this thread calls Acre again: it takes the sentence about the last call.
    constexpr error(acre_result result) noexcept : result_(result)
    {
#ifdef ACRE_HPP_HAS_EXCEPTIONS
        if (result != ACRE_OK) {
            number_ = refused::take(result);
            kept_ = &refused::last();
        }
#endif
    }
    /// Of a check of this header, or of an experimental function: no sentence is about it.
    static error untold(acre_result result) noexcept
    {
        error out = result;
        out.number_ = 0;
        return out;
    }
    /// @return whether the call failed.
    constexpr explicit operator bool() const noexcept
    {
        return result_ != ACRE_OK;
    }
    constexpr acre_result result() const noexcept
    {
        return result_;
    }
    /// @return as acre_result_text.
    const char *text() const noexcept
    {
        return acre_result_text(result_);
    }
#ifdef ACRE_HPP_HAS_EXCEPTIONS
    /// Throws acre::refused where the call failed. After a later failure on this thread, or on
    /// another thread, that says only what the result means.
    void check() const
    {
        if (result_ != ACRE_OK) {
            const bool is_last =
                number_ != 0 && kept_ == &refused::last() && kept_->number_ == number_;
            throw is_last ? *kept_ : refused(result_);
        }
    }
#endif

  private:
    acre_result result_ = ACRE_OK;
    std::uint32_t number_ = 0; // of the sentence about the call; 0: none
#ifdef ACRE_HPP_HAS_EXCEPTIONS
    const refused *kept_ = nullptr; // the sentence of the thread that made the call
#endif
};

/// A pointer and a count. It owns nothing.
template <class T> class span
{
    template <class Container>
    using elements = std::remove_pointer_t<decltype(std::declval<Container &>().data())>;

  public:
    constexpr span() noexcept = default;
    constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size)
    {
        assert(data != nullptr || size == 0);
    }
    template <std::size_t N> constexpr span(T (&array)[N]) noexcept : data_(array), size_(N)
    {
    }
    /// A container with data() and size().
    template <class Container,
              class = std::enable_if_t<std::is_convertible_v<elements<Container> (*)[], T (*)[]>>>
    constexpr span(Container &&container) noexcept
        : data_(container.data()), size_(container.size())
    {
    }
    constexpr T *data() const noexcept
    {
        return data_;
    }
    constexpr std::size_t size() const noexcept
    {
        return size_;
    }
    constexpr bool empty() const noexcept
    {
        return size_ == 0;
    }
    constexpr T *begin() const noexcept
    {
        return data_;
    }
    constexpr T *end() const noexcept
    {
        return empty() ? data_ : data_ + size_;
    }
    constexpr T &operator[](std::size_t index) const noexcept
    {
        assert(index < size_);
        return data_[index];
    }

  private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};

/// The row of an entity in arrays of slots.
inline std::uint32_t slot_of(acre_entity entity) noexcept
{
    assert(entity.index1 != 0);
    return entity.index1 - 1;
}

/// Owns an object of the C library, or none.
template <class T, void (*destroy)(T *)> class handle
{
  public:
    handle() noexcept = default;
    /// Takes an object that C made.
    explicit handle(T *object) noexcept : object_(object)
    {
    }
    handle(handle &&other) noexcept : object_(other.release())
    {
    }
    handle &operator=(handle &&other) noexcept
    {
        if (this != &other) {
            reset(other.release());
        }
        return *this;
    }
    ~handle()
    {
        destroy(object_);
    }
    T *get() noexcept
    {
        return object_;
    }
    const T *get() const noexcept
    {
        return object_;
    }
    explicit operator bool() const noexcept
    {
        return object_ != nullptr;
    }
    /// Gives the object away: who calls it destroys the object.
    [[nodiscard]] T *release() noexcept
    {
        return std::exchange(object_, nullptr);
    }
    /// Destroys the object and takes another one, or none.
    void reset(T *object = nullptr) noexcept
    {
        assert(object == nullptr || object != object_);
        destroy(std::exchange(object_, object));
    }

  protected:
    /// Takes what a create function made. If it failed, the handle keeps what it has.
    error take(acre_result result, T *&fresh) noexcept
    {
        assert((result == ACRE_OK) == (fresh != nullptr));
        if (result == ACRE_OK) {
            reset(fresh);
        }
        return result;
    }

  private:
    T *object_ = nullptr;
};

/// Asks, and asks once more with a larger room if the results had none.
/// @param ask called with a span and a total: error ask(span<uint32_t>, size_t &total), or with a
/// span of what else is in the room.
/// @param room a container with data, size and resize; it never becomes smaller.
template <class Room, class Ask> error query_with_room(Room &room, std::size_t &total, Ask &&ask)
{
    using results = span<std::remove_pointer_t<decltype(room.data())>>;
    error failed = ask(results(room), total);
    if (!failed && total > room.size()) {
        room.resize(total);
        failed = ask(results(room), total);
        assert(failed || total <= room.size());
    }
    return failed;
}

/// acre/quadtree.h, acre/quadtree_query.h, acre/quadtree_neighbors.h and acre/quadtree_pairs.h.
class quadtree : public handle<acre_quadtree, acre_quadtree_destroy>
{
  public:
    using handle::handle;

    error create(const acre_quadtree_def &def = {}) noexcept
    {
        acre_quadtree *fresh = nullptr;
        return take(acre_quadtree_create(&def, &fresh), fresh);
    }

    // Edits.
    error insert(std::uint32_t item, const acre_aabb &box) noexcept
    {
        return acre_quadtree_insert(get(), item, &box);
    }
    /// Also an error if there are more items than boxes; so in all that takes both.
    error insert_many(span<const std::uint32_t> items, span<const acre_aabb> boxes) noexcept
    {
        return boxes.size() < items.size()
                   ? error::untold(ACRE_ERROR_INVALID_ARGUMENT)
                   : acre_quadtree_insert_many(get(), items.data(), boxes.data(), items.size());
    }
    error insert_many(span<const std::uint32_t> items, const acre_box_array &boxes) noexcept
    {
        return acre_quadtree_insert_many_from(get(), items.data(), &boxes, items.size());
    }
    error insert_many_in_layers(span<const std::uint32_t> items, span<const acre_aabb> boxes,
                                span<const std::uint32_t> layers) noexcept
    {
        return boxes.size() < items.size() || layers.size() < items.size()
                   ? error::untold(ACRE_ERROR_INVALID_ARGUMENT)
                   : error::untold(acre_quadtree_insert_many_in_layers(
                         get(), items.data(), boxes.data(), layers.data(), items.size()));
    }
    error refresh(std::uint32_t item, const acre_aabb &box) noexcept
    {
        return acre_quadtree_refresh(get(), item, &box);
    }
    error refresh_many(span<const std::uint32_t> items, span<const acre_aabb> boxes) noexcept
    {
        return boxes.size() < items.size()
                   ? error::untold(ACRE_ERROR_INVALID_ARGUMENT)
                   : acre_quadtree_refresh_many(get(), items.data(), boxes.data(), items.size());
    }
    error refresh_many(span<const std::uint32_t> items, const acre_box_array &boxes) noexcept
    {
        return acre_quadtree_refresh_many_from(get(), items.data(), &boxes, items.size());
    }
    error refresh_all(span<const acre_aabb> boxes) noexcept
    {
        return acre_quadtree_refresh_all(get(), boxes.data(), boxes.size());
    }
    error refresh_all(const acre_box_array &boxes, std::size_t count) noexcept
    {
        return acre_quadtree_refresh_all_from(get(), &boxes, count);
    }
    error remove(std::uint32_t item) noexcept
    {
        return acre_quadtree_remove(get(), item);
    }
    error remove_many(span<const std::uint32_t> items) noexcept
    {
        return acre_quadtree_remove_many(get(), items.data(), items.size());
    }
    void clear() noexcept
    {
        acre_quadtree_clear(get());
    }
    error set_layers(std::uint32_t item, std::uint32_t layers) noexcept
    {
        return acre_quadtree_set_layers(get(), item, layers);
    }
    error set_layers_many(span<const std::uint32_t> items,
                          span<const std::uint32_t> layers) noexcept
    {
        return error::untold(
            layers.size() < items.size()
                ? ACRE_ERROR_INVALID_ARGUMENT
                : acre_quadtree_set_layers_many(get(), items.data(), layers.data(), items.size()));
    }

    // Moves the world. Items without a row keep their boxes, moved.
    error shift(const double *offset, span<const acre_aabb> boxes = {},
                acre_shift_report *report = nullptr) noexcept
    {
        return error::untold(
            acre_quadtree_shift(get(), offset, boxes.data(), boxes.size(), report));
    }

    // Upkeep.
    error maintain() noexcept
    {
        return acre_quadtree_maintain(get());
    }
    error optimize() noexcept
    {
        return acre_quadtree_optimize(get());
    }
    error reserve(std::size_t items) noexcept
    {
        return acre_quadtree_reserve(get(), items);
    }
    error trim() noexcept
    {
        return acre_quadtree_trim(get());
    }
    error set_tasks(const acre_tasks *tasks) noexcept
    {
        return acre_quadtree_set_tasks(get(), tasks);
    }

    // Questions.
    bool contains(std::uint32_t item) const noexcept
    {
        return acre_quadtree_contains(get(), item);
    }
    error get_box(std::uint32_t item, acre_aabb &out) const noexcept
    {
        return acre_quadtree_get_box(get(), item, &out);
    }
    /// 0 also if there are more items than boxes.
    std::size_t get_boxes(span<const std::uint32_t> items, span<acre_aabb> boxes) const noexcept
    {
        return boxes.size() < items.size()
                   ? 0
                   : acre_quadtree_get_boxes(get(), items.data(), items.size(), boxes.data());
    }
    acre_quadtree_stats stats() const noexcept
    {
        acre_quadtree_stats out;
        acre_quadtree_get_stats(get(), &out);
        return out;
    }
    acre_quadtree_report last_report() const noexcept
    {
        return acre_quadtree_last_report(get());
    }
    error validate(span<char> message = {}) const noexcept
    {
        return acre_quadtree_validate(get(), message.data(), message.size());
    }
    std::size_t query_frustum(const acre_frustum &frustum, span<std::uint32_t> items) const noexcept
    {
        return acre_quadtree_query_frustum(get(), &frustum, items.data(), items.size());
    }
    std::size_t query_aabb(const acre_aabb &box, span<std::uint32_t> items) const noexcept
    {
        return acre_quadtree_query_aabb(get(), &box, items.data(), items.size());
    }
    error query(const acre_query &query, span<std::uint32_t> items,
                std::size_t &total) const noexcept
    {
        return acre_quadtree_query(get(), &query, items.data(), items.size(), &total);
    }
    /// Finds all, whatever the size of the room, unless the query says ACRE_QUERY_STOP_WHEN_FULL.
    template <class Room>
    error query_into(const acre_query &query, Room &room, std::size_t &total) const
    {
        return query_with_room(room, total, [&](span<std::uint32_t> items, std::size_t &found) {
            return this->query(query, items, found);
        });
    }
    error query_spans(const acre_query &query, span<acre_item_span> spans,
                      span<std::uint32_t> items, acre_span_totals &totals) const noexcept
    {
        return error::untold(acre_quadtree_query_spans(get(), &query, spans.data(), spans.size(),
                                                       items.data(), items.size(), &totals));
    }
    /// @param visit a lambda, a function or an object, called as visit(span<const uint32_t>); it
    /// returns false to stop the query, or nothing. What it throws, this call throws.
    template <class Visit> error query_visit(const acre_query &query, Visit &&visit) const
    {
        const auto visit_all = [&visit](const std::uint32_t *items, std::size_t count) {
            const span<const std::uint32_t> found(items, count);
            if constexpr (std::is_void_v<decltype(visit(found))>) {
                visit(found);
                return true;
            } else {
                return static_cast<bool>(visit(found));
            }
        };
#ifdef ACRE_HPP_HAS_EXCEPTIONS
        struct visitor {
            decltype(visit_all) &visit;
            std::exception_ptr thrown;
        } user{visit_all, nullptr};
        const acre_query_visitor call = [](void *caller, const std::uint32_t *items,
                                           std::size_t count) noexcept {
            auto &own = *static_cast<visitor *>(caller);
            try {
                return own.visit(items, count);
            } catch (...) { // C cannot pass it on: it would leave the tree busy
                own.thrown = std::current_exception();
                return false;
            }
        };
        const error failed = acre_quadtree_query_visit(get(), &query, call, &user);
        if (user.thrown) {
            std::rethrow_exception(user.thrown);
        }
        return failed;
#else
        const acre_query_visitor call = [](void *caller, const std::uint32_t *items,
                                           std::size_t count) {
            return (*static_cast<decltype(visit_all) *>(caller))(items, count);
        };
        return acre_quadtree_query_visit(get(), &query, call,
                                         const_cast<void *>(static_cast<const void *>(&visit_all)));
#endif
    }
    error query_nearest(const acre_query &query, span<acre_query_hit> hits,
                        std::size_t &count) const noexcept
    {
        return acre_quadtree_query_nearest(get(), &query, hits.data(), hits.size(), &count);
    }

    // Neighbors and pairs.
    /// @param rows at least query.count.
    /// @param lists receives rows, items and what the call says of them.
    error neighbors(const acre_neighbors_query &query, span<acre_neighbor_row> rows,
                    span<std::uint32_t> items, acre_neighbor_lists &lists) const noexcept
    {
        lists = {};
        lists.rows = rows.data();
        lists.items = items.data();
        lists.capacity = items.size();
        return error::untold(rows.size() < query.count
                                 ? ACRE_ERROR_INVALID_ARGUMENT
                                 : acre_quadtree_neighbors(get(), &query, &lists));
    }
    /// Finds all neighbors, whatever the size of the rooms, also where a row is refused.
    template <class Rows, class Items>
    error neighbors_into(const acre_neighbors_query &query, Rows &rows, Items &items,
                         acre_neighbor_lists &lists) const
    {
        if (rows.size() < query.count) {
            rows.resize(query.count);
        }
        error failed = this->neighbors(query, rows, items, lists);
        if (lists.total > items.size()) {
            items.resize(lists.total);
            failed = this->neighbors(query, rows, items, lists);
            assert(lists.total <= items.size());
        }
        return failed;
    }
    /// @param layers at least query.count.
    error layers_within(const acre_neighbors_query &query,
                        span<std::uint32_t> layers) const noexcept
    {
        return error::untold(layers.size() < query.count
                                 ? ACRE_ERROR_INVALID_ARGUMENT
                                 : acre_quadtree_layers_within(get(), &query, layers.data()));
    }
    error pairs(const acre_pairs_rules &rules, span<acre_pair> pairs,
                std::size_t &total) const noexcept
    {
        return error::untold(
            acre_quadtree_pairs(get(), &rules, pairs.data(), pairs.size(), &total));
    }
    /// acre_quadtree_pairs_between: a is of this tree, b of the other.
    error pairs(const quadtree &second, const acre_pairs_rules &rules, span<acre_pair> pairs,
                std::size_t &total) const noexcept
    {
        return error::untold(acre_quadtree_pairs_between(get(), second.get(), &rules, pairs.data(),
                                                         pairs.size(), &total));
    }
    error item_pairs(std::uint32_t item, const acre_pairs_rules &rules, span<std::uint32_t> items,
                     std::size_t &total) const noexcept
    {
        return error::untold(
            acre_quadtree_item_pairs(get(), item, &rules, items.data(), items.size(), &total));
    }
    /// Finds all pairs of the tree, whatever the size of the room.
    template <class Room>
    error pairs_into(const acre_pairs_rules &rules, Room &room, std::size_t &total) const
    {
        return query_with_room(room, total, [&](span<acre_pair> pairs, std::size_t &found) {
            return this->pairs(rules, pairs, found);
        });
    }
};

/// acre/quadtree_pairs.h: which pairs of one tree, or of two, began and ended. Spans are valid
/// until the next update.
class contacts : public handle<acre_contacts, acre_contacts_destroy>
{
  public:
    using handle::handle;

    error create(const acre_allocator *allocator = nullptr) noexcept
    {
        acre_contacts *fresh = nullptr;
        return error::untold(take(acre_contacts_create(allocator, &fresh), fresh).result());
    }
    error update(const quadtree &tree, const acre_pairs_rules &rules = {}) noexcept
    {
        return error::untold(acre_contacts_update(get(), tree.get(), nullptr, &rules));
    }
    error update(const quadtree &first, const quadtree &second,
                 const acre_pairs_rules &rules = {}) noexcept
    {
        return error::untold(acre_contacts_update(get(), first.get(), second.get(), &rules));
    }
    acre_contacts_lists result() const noexcept
    {
        return acre_contacts_get(get());
    }
    span<const acre_pair> now() const noexcept
    {
        return {result().now, result().now_count};
    }
    span<const acre_pair> began() const noexcept
    {
        return {result().began, result().began_count};
    }
    span<const acre_pair> ended() const noexcept
    {
        return {result().ended, result().ended_count};
    }
};

/// acre/scene.h. Entities are the handles of C.
class scene : public handle<acre_scene, acre_scene_destroy>
{
  public:
    using handle::handle;

    error create(const acre_scene_def &def = {}) noexcept
    {
        acre_scene *fresh = nullptr;
        return take(acre_scene_create(&def, &fresh), fresh);
    }

    // Edits, which the next commit applies.
    error create_entity(const acre_entity_def &def, acre_entity &out) noexcept
    {
        return acre_entity_create(get(), &def, &out);
    }
    /// @param parent_rows empty, or a row for each def.
    error create_entities(span<const acre_entity_def> defs, span<acre_entity> out,
                          span<const std::uint32_t> parent_rows = {}) noexcept
    {
        const bool has_room =
            out.size() >= defs.size() && (parent_rows.empty() || parent_rows.size() >= defs.size());
        return has_room ? acre_entity_create_many(get(), defs.data(), parent_rows.data(),
                                                  defs.size(), out.data())
                        : error::untold(ACRE_ERROR_INVALID_ARGUMENT);
    }
    error destroy_entity(acre_entity entity) noexcept
    {
        return acre_entity_destroy(get(), entity);
    }
    error destroy_entities(span<const acre_entity> entities) noexcept
    {
        return acre_entity_destroy_many(get(), entities.data(), entities.size());
    }
    error set_parent(acre_entity entity, acre_entity parent) noexcept
    {
        return acre_entity_set_parent(get(), entity, parent);
    }
    error set_local(acre_entity entity, const acre_transform &local) noexcept
    {
        return acre_entity_set_local(get(), entity, &local);
    }
    error set_local_matrix(acre_entity entity, const float (&matrix)[16]) noexcept
    {
        return acre_entity_set_local_matrix(get(), entity, matrix);
    }
    error set_locals(span<const acre_entity> entities, span<const acre_transform> locals) noexcept
    {
        return locals.size() < entities.size()
                   ? error::untold(ACRE_ERROR_INVALID_ARGUMENT)
                   : acre_scene_set_locals(get(), entities.data(), locals.data(), entities.size());
    }
    error set_bounds(acre_entity entity, const acre_aabb &local) noexcept
    {
        return acre_entity_set_bounds(get(), entity, &local);
    }
    /// @param local a row for each entity.
    error set_bounds(span<const acre_entity> entities, const acre_box_array &local) noexcept
    {
        return error::untold(
            acre_scene_set_bounds(get(), entities.data(), &local, entities.size()));
    }
    /// @param world a row for each entity.
    error set_world_bounds(span<const acre_entity> entities, const acre_box_array &world) noexcept
    {
        return error::untold(
            acre_scene_set_world_bounds(get(), entities.data(), &world, entities.size()));
    }
    error set_flags(acre_entity entity, std::uint32_t flags) noexcept
    {
        return acre_entity_set_flags(get(), entity, flags);
    }
    error set_layers(acre_entity entity, std::uint32_t layers) noexcept
    {
        return acre_entity_set_layers(get(), entity, layers);
    }
    error set_user(acre_entity entity, std::uint64_t user) noexcept
    {
        return acre_entity_set_user(get(), entity, user);
    }
    error commit() noexcept
    {
        return acre_scene_commit(get());
    }
    error reserve(std::size_t entities) noexcept
    {
        return error::untold(acre_scene_reserve(get(), entities));
    }
    error trim() noexcept
    {
        return acre_scene_trim(get());
    }
    /// Moves the world with the next commit; shift_report says how it went.
    error shift_origin(const double *offset) noexcept
    {
        return error::untold(acre_scene_shift_origin(get(), offset));
    }
    acre_shift_report shift_report() const noexcept
    {
        return acre_scene_shift_report(get());
    }
    /// Gives a root a place in double; the scene has ACRE_SCENE_DOUBLES.
    error set_translation(acre_entity entity, const double (&translation)[3]) noexcept
    {
        return error::untold(acre_entity_set_translation(get(), entity, translation));
    }
    error translation(acre_entity entity, double (&out)[3]) const noexcept
    {
        return error::untold(acre_entity_get_translation(get(), entity, out));
    }
    error set_tasks(const acre_tasks *tasks) noexcept
    {
        return acre_scene_set_tasks(get(), tasks);
    }

    // What is recorded.
    bool is_alive(acre_entity entity) const noexcept
    {
        return acre_entity_is_alive(get(), entity);
    }
    acre_entity parent(acre_entity entity) const noexcept
    {
        return acre_entity_parent(get(), entity);
    }

    // What the last commit made.
    error world_matrix(acre_entity entity, float (&matrix)[16]) const noexcept
    {
        return acre_entity_world_matrix(get(), entity, matrix);
    }
    error world_bounds(acre_entity entity, acre_aabb &out) const noexcept
    {
        return acre_entity_world_bounds(get(), entity, &out);
    }
    /// @param matrices room for acre_matrix_floats(form) floats a slot, packed.
    error gather_matrices(span<const std::uint32_t> slots, acre_matrix_form form,
                          span<float> matrices) const noexcept
    {
        return error::untold(matrices.size() < slots.size() * acre_matrix_floats(form)
                                 ? ACRE_ERROR_INVALID_ARGUMENT
                                 : acre_scene_gather_matrices(get(), slots.data(), slots.size(),
                                                              form, matrices.data(), 0));
    }
    acre_entity entity(std::uint32_t slot) const noexcept
    {
        return acre_scene_entity(get(), slot);
    }
    acre_scene_view view() const noexcept
    {
        return acre_scene_get_view(get());
    }
};

#ifdef ACRE_HPP_HAS_CULLING
/// acre/explain.h: why a view sees an entity, or not.
struct explanation : acre_explanation {
    /// @return as acre_explanation_text.
    std::size_t text(span<char> out) const noexcept
    {
        return acre_explanation_text(this, out.data(), out.size());
    }
};

/// acre/culling.h, acre/objects.h and acre/entity_pairs.h. It may outlive its scene: it is empty
/// then.
class culling : public handle<acre_culling, acre_culling_destroy>
{
  public:
    using handle::handle;

    error create(scene &scene, const acre_culling_def &def = {}) noexcept
    {
        acre_culling *fresh = nullptr;
        return take(acre_culling_create(scene.get(), &def, &fresh), fresh);
    }
    error create_for_objects(const acre_culling_def &def = {}) noexcept
    {
        acre_culling *fresh = nullptr;
        return error::untold(take(acre_culling_create_for_objects(&def, &fresh), fresh).result());
    }
    /// @param report may be nullptr.
    error update(const acre_objects &objects, acre_batch_report *report = nullptr) noexcept
    {
        return error::untold(acre_culling_update(get(), &objects, report));
    }
    /// Moves a world of objects. @param boxes NULL: each keeps its box, moved.
    error shift(const double *offset, const acre_box_array *boxes = nullptr,
                acre_shift_report *report = nullptr) noexcept
    {
        return error::untold(acre_culling_shift(get(), offset, boxes, report));
    }
    error register_entity(acre_entity entity) noexcept
    {
        return acre_culling_register(get(), entity);
    }
    error unregister_entity(acre_entity entity) noexcept
    {
        return acre_culling_unregister(get(), entity);
    }
    bool is_registered(acre_entity entity) const noexcept
    {
        return acre_culling_is_registered(get(), entity);
    }
    error refresh(acre_entity entity) noexcept
    {
        return acre_culling_refresh(get(), entity);
    }
    error refresh_bounds(acre_entity entity, const acre_aabb &world) noexcept
    {
        return acre_culling_refresh_bounds(get(), entity, &world);
    }
    error reserve(std::size_t slots, std::size_t moving, std::size_t still) noexcept
    {
        return error::untold(acre_culling_reserve(get(), slots, moving, still));
    }
    error trim() noexcept
    {
        return error::untold(acre_culling_trim(get()));
    }
    error optimize() noexcept
    {
        return acre_culling_optimize(get());
    }
    error set_rules(span<const acre_visibility_rule> rules) noexcept
    {
        return acre_culling_set_rules(get(), rules.data(), rules.size());
    }
    error set_rule(acre_entity entity, std::uint32_t rule) noexcept
    {
        return acre_culling_set_rule(get(), entity, rule);
    }
    /// Experimental. @param occluders those of the entity from now on; empty: none.
    error set_occluders(acre_entity entity, span<const acre_occluder> occluders) noexcept
    {
        return error::untold(
            acre_culling_set_occluders(get(), entity, occluders.data(), occluders.size()));
    }
    /// @param rules of all slots; those beyond have none.
    error set_rule_numbers(span<const std::uint16_t> rules) noexcept
    {
        return error::untold(acre_culling_set_rule_numbers(get(), rules.data(), 0, rules.size()));
    }
    /// What is in a slot.
    acre_entity object(std::uint32_t slot) const noexcept
    {
        return acre_culling_object(get(), slot);
    }
    error set_tasks(const acre_tasks *tasks) noexcept
    {
        return acre_culling_set_tasks(get(), tasks);
    }

    /// acre_culling_query_view.
    error query(const acre_view &view, span<std::uint32_t> slots, std::size_t &total) const noexcept
    {
        return acre_culling_query_view(get(), &view, slots.data(), slots.size(), &total);
    }
    /// The same for a camera: acre_view_from_camera makes the view.
    error query(const acre_camera &camera, span<std::uint32_t> slots,
                std::size_t &total) const noexcept
    {
        acre_view view;
        total = 0;
        const acre_result result = acre_view_from_camera(&view, &camera);
        return result == ACRE_OK ? query(view, slots, total) : error(result);
    }
    /// acre_culling_query_frustum, in all layers.
    error query(const acre_frustum &frustum, span<std::uint32_t> slots,
                std::size_t &total) const noexcept
    {
        return acre_culling_query_frustum(get(), &frustum, 0, slots.data(), slots.size(), &total);
    }
    /// acre_culling_query_shape.
    error query(const acre_query &query, span<std::uint32_t> slots,
                std::size_t &total) const noexcept
    {
        return acre_culling_query_shape(get(), &query, slots.data(), slots.size(), &total);
    }
    /// Finds all that a view, a camera, a frustum or a query asks for, whatever the size of the
    /// room.
    template <class Volume, class Room>
    error query_into(const Volume &volume, Room &room, std::size_t &total) const
    {
        return query_with_room(room, total, [&](span<std::uint32_t> slots, std::size_t &found) {
            return this->query(volume, slots, found);
        });
    }
    error query_nearest(const acre_query &query, span<acre_query_hit> hits,
                        std::size_t &count) const noexcept
    {
        return acre_culling_query_nearest(get(), &query, hits.data(), hits.size(), &count);
    }
    error pairs(const acre_pairs_rules &rules, span<acre_pair> pairs,
                std::size_t &total) const noexcept
    {
        return error::untold(acre_culling_pairs(get(), &rules, pairs.data(), pairs.size(), &total));
    }
    /// Finds all pairs, whatever the size of the room.
    template <class Room>
    error pairs_into(const acre_pairs_rules &rules, Room &room, std::size_t &total) const
    {
        return query_with_room(room, total, [&](span<acre_pair> pairs, std::size_t &found) {
            return this->pairs(rules, pairs, found);
        });
    }
    error entity_pairs(acre_entity entity, const acre_pairs_rules &rules, span<std::uint32_t> slots,
                       std::size_t &total) const noexcept
    {
        return error::untold(
            acre_culling_entity_pairs(get(), entity, &rules, slots.data(), slots.size(), &total));
    }
    /// Of a view without history; that of a set is visible_set::explain.
    error explain(const acre_view &view, acre_entity entity, explanation &out) const noexcept
    {
        return error::untold(acre_culling_explain(get(), &view, nullptr, entity, &out));
    }
    const acre_quadtree *tree() const noexcept
    {
        return acre_culling_tree(get());
    }
    const acre_quadtree *static_tree() const noexcept
    {
        return acre_culling_static_tree(get());
    }
    error validate(span<char> message = {}) const noexcept
    {
        return acre_culling_validate(get(), message.data(), message.size());
    }
    acre_culling_stats stats() const noexcept
    {
        acre_culling_stats out;
        acre_culling_get_stats(get(), &out);
        return out;
    }
};

/// acre/visible_set.h. Spans are valid until the set is found again, cleared or destroyed.
class visible_set : public handle<acre_visible_set, acre_visible_set_destroy>
{
  public:
    using handle::handle;

    /// @param flags ACRE_VISIBLE_...
    error create(std::uint32_t flags = 0, const acre_allocator *allocator = nullptr) noexcept
    {
        acre_visible_set_def def{};
        def.flags = flags;
        def.allocator = allocator;
        acre_visible_set *fresh = nullptr;
        return take(acre_visible_set_create(&def, &fresh), fresh);
    }
    error find(const culling &culling, const acre_view &view) noexcept
    {
        return acre_culling_find_visible(culling.get(), &view, get());
    }
    acre_visible result() const noexcept
    {
        return acre_visible_set_get(get());
    }
    span<const std::uint32_t> slots() const noexcept
    {
        return {result().slots, result().count};
    }
    span<const std::uint32_t> entered() const noexcept
    {
        return {result().entered, result().entered_count};
    }
    span<const std::uint32_t> left() const noexcept
    {
        return {result().left, result().left_count};
    }
    /// LODs of slots(), where the set keeps them.
    span<const std::uint8_t> lods() const noexcept
    {
        return {result().lods, result().lods != nullptr ? result().count : 0};
    }
    /// acre_culling_find_lods. @param out as long as slots.
    error find_lods(const culling &culling, span<const std::uint32_t> slots,
                    span<std::uint8_t> out) const noexcept
    {
        assert(out.size() == slots.size());
        return error::untold(
            acre_culling_find_lods(culling.get(), get(), slots.data(), slots.size(), out.data()));
    }
    error reserve(const culling &culling, std::size_t visible) noexcept
    {
        return error::untold(acre_visible_set_reserve(get(), culling.get(), visible));
    }
    error trim() noexcept
    {
        return error::untold(acre_visible_set_trim(get()));
    }
    error shift(const double *offset) noexcept
    {
        return error::untold(acre_visible_set_shift(get(), offset));
    }
    error freeze(bool is_frozen) noexcept
    {
        return acre_visible_set_freeze(get(), is_frozen);
    }
    void clear() noexcept
    {
        acre_visible_set_clear(get());
    }
    /// What the next find will say of an entity, and why.
    error explain(const culling &culling, const acre_view &view, acre_entity entity,
                  explanation &out) const noexcept
    {
        return error::untold(acre_culling_explain(culling.get(), &view, get(), entity, &out));
    }
};

/// acre/entity_pairs.h: which pairs of entities began and ended. Spans are valid until the next
/// update.
class entity_contacts : public handle<acre_entity_contacts, acre_entity_contacts_destroy>
{
  public:
    using handle::handle;

    error create(const acre_allocator *allocator = nullptr) noexcept
    {
        acre_entity_contacts *fresh = nullptr;
        return error::untold(take(acre_entity_contacts_create(allocator, &fresh), fresh).result());
    }
    error update(const culling &culling, const acre_pairs_rules &rules = {}) noexcept
    {
        return error::untold(acre_entity_contacts_update(get(), culling.get(), &rules));
    }
    acre_entity_contacts_lists result() const noexcept
    {
        return acre_entity_contacts_get(get());
    }
    span<const acre_entity_pair> now() const noexcept
    {
        return {result().now, result().now_count};
    }
    span<const acre_entity_pair> began() const noexcept
    {
        return {result().began, result().began_count};
    }
    span<const acre_entity_pair> ended() const noexcept
    {
        return {result().ended, result().ended_count};
    }
};

/// acre/cascades.h, and the step 1 of acre/casters.h. It owns no memory and can be copied.
class cascades
{
  public:
    /// On an error the cascades are as before.
    error fit(const acre_cascades_def &def, const acre_camera &camera) noexcept
    {
        const error failed = error::untold(acre_cascades_fit(&def, &camera, cascades_));
        count_ = failed ? count_ : def.count;
        return failed;
    }
    /// Nearest slice first; valid until the next fit.
    span<const acre_cascade> get() const noexcept
    {
        return {cascades_, count_};
    }
    /// acre_cascade_caster_frustum.
    error caster_frustum(std::size_t index, acre_frustum &out) const noexcept
    {
        return error::untold(acre_cascade_caster_frustum(&get()[index], &out));
    }

  private:
    acre_cascade cascades_[ACRE_CASCADE_MAX] = {};
    std::size_t count_ = 0;
};

/// acre/horizon.h. Experimental. Give `get()` to acre_view.horizon.
class horizon : public handle<acre_horizon, acre_horizon_destroy>
{
  public:
    using handle::handle;

    error create(const acre_horizon_def &def = {}) noexcept
    {
        acre_horizon *fresh = nullptr;
        return error::untold(take(acre_horizon_create(&def, &fresh), fresh).result());
    }
    /// @param eye, region float[3]; region nullptr: the eye alone.
    error begin(const float *eye, const float *region, float near_radius) noexcept
    {
        return error::untold(acre_horizon_begin(get(), eye, region, near_radius));
    }
    error begin(const acre_camera &camera, const float *region = nullptr) noexcept
    {
        return error::untold(acre_horizon_begin_camera(get(), &camera, region));
    }
    bool add(const acre_occluder &occluder) noexcept
    {
        return acre_horizon_add(get(), &occluder);
    }
    bool hides(const acre_aabb &box) const noexcept
    {
        return acre_horizon_hides(get(), &box);
    }
    /// @param visible as long as boxes, or empty. @return how many are not hidden.
    std::size_t test(span<const acre_aabb> boxes, span<std::uint32_t> visible) const noexcept
    {
        assert(visible.size() == 0 || visible.size() == boxes.size());
        return acre_horizon_test(get(), boxes.data(), boxes.size(), visible.data());
    }
    void debug_draw(const acre_debug_draw &draw) const noexcept
    {
        acre_horizon_debug_draw(get(), &draw);
    }
    acre_horizon_stats stats() const noexcept
    {
        acre_horizon_stats found;
        acre_horizon_get_stats(get(), &found);
        return found;
    }
};

/// acre/casters.h.
class receivers : public handle<acre_receivers, acre_receivers_destroy>
{
  public:
    using handle::handle;

    error create(const acre_receivers_def &def = {}) noexcept
    {
        acre_receivers *fresh = nullptr;
        return error::untold(take(acre_receivers_create(&def, &fresh), fresh).result());
    }
    error begin(const acre_cascade &cascade) noexcept
    {
        return error::untold(acre_receivers_begin(get(), &cascade));
    }
    /// acre_receivers_begin_light. @param seen nullptr: all is seen.
    error begin_light(const acre_local_light &light, const acre_frustum *seen = nullptr) noexcept
    {
        return error::untold(acre_receivers_begin_light(get(), &light, seen));
    }
    error add_boxes(span<const acre_aabb> boxes) noexcept
    {
        return error::untold(acre_receivers_add_boxes(get(), boxes.data(), boxes.size()));
    }
    error add(const culling &culling, span<const std::uint32_t> slots) noexcept
    {
        return error::untold(
            acre_culling_add_receivers(culling.get(), get(), slots.data(), slots.size()));
    }
    /// @param layers 0: all.
    error add_in_slice(const culling &culling, std::uint32_t layers = 0) noexcept
    {
        return error::untold(acre_culling_add_receivers_in_slice(culling.get(), get(), layers));
    }
    /// acre_receivers_set_horizon. @param seen outlives the next query.
    error set_horizon(const horizon &seen, float filter) noexcept
    {
        return error::untold(acre_receivers_set_horizon(get(), seen.get(), filter));
    }
    bool test_aabb(const acre_aabb &box) noexcept
    {
        return acre_receivers_test_aabb(get(), &box);
    }
    error query_casters(const culling &culling, span<std::uint32_t> slots,
                        std::size_t &total) noexcept
    {
        return error::untold(
            acre_culling_query_casters(culling.get(), get(), slots.data(), slots.size(), &total));
    }
    /// acre_culling_query_casters_by_face. @param faces as long as slots.
    error query_casters_by_face(const culling &culling, span<std::uint32_t> slots,
                                span<std::uint8_t> faces, std::size_t &total) noexcept
    {
        assert(faces.size() == slots.size());
        return error::untold(acre_culling_query_casters_by_face(
            culling.get(), get(), slots.data(), faces.data(), slots.size(), &total));
    }
    /// Finds all casters, whatever the size of the room.
    template <class Room>
    error query_casters_into(const culling &culling, Room &room, std::size_t &total)
    {
        return query_with_room(room, total, [&](span<std::uint32_t> slots, std::size_t &found) {
            return this->query_casters(culling, slots, found);
        });
    }
};

/// acre/draw_list.h. Spans are valid until the list is built again or destroyed.
class draw_list : public handle<acre_draw_list, acre_draw_list_destroy>
{
  public:
    using handle::handle;

    error create(const acre_allocator *allocator = nullptr) noexcept
    {
        acre_draw_list *fresh = nullptr;
        return error::untold(take(acre_draw_list_create(allocator, &fresh), fresh).result());
    }
    error build(const culling &culling, const acre_draw_input &input) noexcept
    {
        return error::untold(acre_draw_list_build(get(), culling.get(), &input));
    }
    acre_draw result() const noexcept
    {
        return acre_draw_list_get(get());
    }
    span<const std::uint32_t> slots() const noexcept
    {
        return {result().slots, result().count};
    }
    span<const acre_draw_range> ranges() const noexcept
    {
        return {result().ranges, result().range_count};
    }
    /// result().matrix_floats numbers for each slot.
    span<const float> matrices() const noexcept
    {
        return {result().matrices, result().count * result().matrix_floats};
    }
    error commands(const acre_draw_meshes &table, span<acre_draw_command> commands,
                   std::size_t &total) const noexcept
    {
        return error::untold(
            acre_draw_list_commands(get(), &table, commands.data(), commands.size(), &total));
    }
};
#endif

/// acre/interest.h. The tree or the culler must outlive the last update.
class interest : public handle<acre_interest, acre_interest_destroy>
{
  public:
    using handle::handle;

    error create(const quadtree &tree, const acre_interest_def &def = {}) noexcept
    {
        acre_interest *fresh = nullptr;
        return take(acre_interest_create(tree.get(), &def, &fresh), fresh);
    }
#ifdef ACRE_HPP_HAS_CULLING
    error create(const culling &culling, const acre_interest_def &def = {}) noexcept
    {
        acre_interest *fresh = nullptr;
        return take(acre_interest_create_for_entities(culling.get(), &def, &fresh), fresh);
    }
#endif
    error add(const acre_observer_def &def, acre_observer &out) noexcept
    {
        return acre_interest_add(get(), &def, &out);
    }
    error set(acre_observer observer, const acre_observer_def &def) noexcept
    {
        return acre_interest_set(get(), observer, &def);
    }
    error remove(acre_observer observer) noexcept
    {
        return acre_interest_remove(get(), observer);
    }
    error reserve(const acre_interest_sizes &sizes) noexcept
    {
        return error::untold(acre_interest_reserve(get(), &sizes));
    }
    error trim() noexcept
    {
        return error::untold(acre_interest_trim(get()));
    }
    error shift(const double *offset) noexcept
    {
        return error::untold(acre_interest_shift(get(), offset));
    }
    error join(acre_observer observer, std::uint32_t room) noexcept
    {
        return error::untold(acre_interest_join(get(), observer, room));
    }
    error leave(acre_observer observer, std::uint32_t room) noexcept
    {
        return error::untold(acre_interest_leave(get(), observer, room));
    }
    error change_room(const acre_room_batch &batch) noexcept
    {
        return error::untold(acre_interest_change_room(get(), &batch));
    }
    error set_ranges(const acre_range_batch &batch) noexcept
    {
        return error::untold(acre_interest_set_ranges(get(), &batch));
    }
    /// What the last batch refused.
    acre_quadtree_report last_report() const noexcept
    {
        return acre_interest_last_report(get());
    }
    error set_tasks(const acre_tasks *tasks) noexcept
    {
        return error::untold(acre_interest_set_tasks(get(), tasks));
    }
    error update() noexcept
    {
        return acre_interest_update(get());
    }
    error update_changed(span<const std::uint32_t> items) noexcept
    {
        return error::untold(acre_interest_update_changed(get(), items.data(), items.size()));
    }
    acre_interest_changes changes() const noexcept
    {
        return acre_interest_get_changes(get());
    }
    /// What came into an observer's range in the last update; valid until the next edit or update.
    /// Empty for observers that are removed, and for those that the update did not have.
    span<const std::uint32_t> entered(acre_observer observer) const noexcept
    {
        return row(changes().entered, observer);
    }
    span<const std::uint32_t> left(acre_observer observer) const noexcept
    {
        return row(changes().left, observer);
    }
    /// What changed its band.
    span<const std::uint32_t> changed(acre_observer observer) const noexcept
    {
        return row(changes().changed, observer);
    }
    /// Those that see an item or a slot, where the def has ACRE_INTEREST_INVERSE; valid as long.
    span<const acre_observer> observers_of(std::uint32_t item) const noexcept
    {
        const acre_observer *observers = nullptr;
        const std::size_t count = acre_interest_observers_of(get(), item, &observers);
        return {observers, count};
    }
    error list_seen(acre_observer observer, span<std::uint32_t> items,
                    std::size_t &total) const noexcept
    {
        return error::untold(
            acre_interest_list_seen(get(), observer, items.data(), nullptr, items.size(), &total));
    }

  private:
    span<const std::uint32_t> row(const acre_interest_list &list,
                                  acre_observer observer) const noexcept
    {
        acre_observer_state state;
        if (acre_interest_get_observer(get(), observer, &state) != ACRE_OK || state.is_new) {
            return {};
        }
        assert(observer.index1 <= changes().row_count);
        const std::size_t begin = list.offsets[observer.index1 - 1];
        const std::size_t end = list.offsets[observer.index1];
        assert(begin <= end && end <= list.count);
        return {begin == end ? nullptr : list.items + begin, end - begin};
    }
};

} // inline namespace
} // namespace acre

#endif
