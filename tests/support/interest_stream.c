// SPDX-License-Identifier: MIT
// interest_stream.c - random edits of an interest's world, and a model of plain loops.
#include "interest_stream.h"

#include "interest_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float radii[] = {0, 1, 4, 7.5f, 10, 16, 25, 40};

// ---- the world ----

static float random_step(test_random *random, float spread)
{
    const uint32_t steps = (uint32_t)(spread * 4);
    return (float)((double)random_below(random, 2 * steps + 1) / 4 - (double)spread);
}

static float ulp_beside(float value, uint32_t which)
{
    return which == 0   ? nextafterf(value, -INFINITY)
           : which == 1 ? nextafterf(value, INFINITY)
                        : value;
}

// How far an observer may be from a thing that comes in, or stays.
static double model_reach(const acre_observer_def *def, float range, bool stays)
{
    if (range <= 0 || def->ignores_ranges) {
        return (double)(stays ? def->leave_radius : def->enter_radius);
    }
    return (double)range + (stays ? (double)def->leave_radius - (double)def->enter_radius : 0);
}

// A box whose edge is at an observer's radius, or one float beside it.
static acre_aabb box_at_border(interest_stream *stream, const stream_observer *observer,
                               float range)
{
    test_random *const random = &stream->random;
    const float radius = (float)model_reach(&observer->def, range, random_below(random, 2));
    const float *const at = observer->place;
    acre_aabb box = {{at[0] - 1, at[1] - 1, at[2] - 1}, {at[0] + 1, at[1] + 1, at[2] + 1}};
    const int axis = random_below(random, 2) ? 0 : 2;
    if (random_below(random, 2)) {
        box.min[axis] = ulp_beside(at[axis] + radius, random_below(random, 3));
        box.max[axis] = box.min[axis] + 1;
    } else {
        box.max[axis] = ulp_beside(at[axis] - radius, random_below(random, 3));
        box.min[axis] = box.max[axis] - 1;
    }
    return box;
}

static acre_aabb random_box(interest_stream *stream, float range)
{
    test_random *const random = &stream->random;
    const uint32_t kind = random_below(random, 24);
    const stream_observer *const observer =
        &stream->observers[random_below(random, STREAM_OBSERVERS)];
    if (kind < 5 && observer->is_used) {
        return box_at_border(stream, observer, range);
    }
    acre_aabb box;
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = random_step(random, axis == 1 ? 8 : 40);
        box.max[axis] = box.min[axis] + (float)random_below(random, 5) / 2;
    }
    if (kind == 5) { // the whole box may be endlessly far away
        const uint32_t axis = random_below(random, 3);
        box.min[axis] = -INFINITY;
        box.max[axis] = random_below(random, 2) ? -INFINITY : box.max[axis];
    } else if (kind == 6) {
        box.max[random_below(random, 3)] = INFINITY;
    } else if (kind == 7) {
        for (int axis = 0; axis < 3; axis++) {
            box.min[axis] *= 1e30f;
            box.max[axis] = box.min[axis] + 1;
        }
    }
    return box;
}

static void touch(interest_stream *stream, uint32_t item)
{
    if (stream->touched_count < sizeof stream->touched / sizeof *stream->touched) {
        stream->touched[stream->touched_count++] = item;
    }
}

// ---- edits of the tree ----

static const char *insert_item(interest_stream *stream, uint32_t item)
{
    stream_item *const own = &stream->items[item];
    const acre_aabb box = random_box(stream, own->range);
    if (acre_quadtree_insert(stream->tree, item, &box) != ACRE_OK) {
        return "an insert";
    }
    own->is_there = true;
    own->box = box;
    own->layers = UINT32_MAX;
    touch(stream, item);
    return NULL;
}

static const char *move_item(interest_stream *stream, uint32_t item)
{
    stream_item *const own = &stream->items[item];
    acre_aabb box = random_box(stream, own->range);
    if (random_below(&stream->random, 2)) {
        box = own->box;
        const float dx = random_step(&stream->random, 4), dz = random_step(&stream->random, 4);
        box.min[0] += dx;
        box.max[0] += dx;
        box.min[2] += dz;
        box.max[2] += dz;
    }
    if (acre_quadtree_refresh(stream->tree, item, &box) != ACRE_OK) {
        return "a refresh";
    }
    own->box = box;
    touch(stream, item);
    return NULL;
}

static const char *remove_item(interest_stream *stream, uint32_t item)
{
    if (acre_quadtree_remove(stream->tree, item) != ACRE_OK) {
        return "a remove";
    }
    stream->items[item].is_there = false;
    touch(stream, item);
    return NULL;
}

// The number stands for another thing from now on.
static const char *replace_item(interest_stream *stream, uint32_t item)
{
    stream_item *const own = &stream->items[item];
    if (stream->has_generations && random_below(&stream->random, 2)) {
        stream->generations[item]++;
    } else {
        const acre_result result = acre_interest_forget(stream->interest, item);
        if (result == ACRE_ERROR_OUT_OF_MEMORY && stream->may_fail) {
            stream->failed++;
            return NULL;
        }
        if (result != ACRE_OK) {
            return "a forget";
        }
    }
    own->births++;
    own->rooms = 0;
    own->range = 0;
    own->is_reborn = true;
    touch(stream, item);
    if (own->is_there && random_below(&stream->random, 2)) {
        const char *const fault = remove_item(stream, item);
        return fault ? fault : insert_item(stream, item);
    }
    return NULL;
}

static const char *edit_layers(interest_stream *stream, uint32_t item)
{
    const uint32_t layers = random_below(&stream->random, 8);
    stream->items[item].layers = layers ? layers : UINT32_MAX; // 0 means all layers
    touch(stream, item);
    return acre_quadtree_set_layers(stream->tree, item, layers) == ACRE_OK ? NULL
                                                                           : "a change of layers";
}

static const char *edit_item(interest_stream *stream)
{
    const uint32_t item = random_below(&stream->random, STREAM_ITEMS);
    const uint32_t kind = random_below(&stream->random, 16);
    if (kind == 0) {
        return replace_item(stream, item);
    }
    if (!stream->items[item].is_there) {
        return insert_item(stream, item);
    }
    if (kind == 1) {
        const char *const fault = remove_item(stream, item);
        return fault || random_below(&stream->random, 2) ? fault : insert_item(stream, item);
    }
    return kind == 2 ? edit_layers(stream, item) : move_item(stream, item);
}

// ---- edits of observers ----

static acre_observer_def random_def(interest_stream *stream)
{
    test_random *const random = &stream->random;
    acre_observer_def def = {
        .place = {random_step(random, 40), random_step(random, 8), random_step(random, 40)},
        .enter_radius = radii[random_below(random, 8)],
        .in_space = random_below(random, 3) == 0,
        .sees_itself = random_below(random, 3) == 0,
        .ignores_ranges = random_below(random, 4) == 0};
    def.follows_item = random_below(random, 2);
    def.item = def.follows_item ? random_below(random, STREAM_ITEMS) : 0;
    if (random_below(random, 3)) {
        def.leave_radius = def.enter_radius + radii[random_below(random, 5)];
    }
    if (random_below(random, 3) == 0) {
        def.layers = random_below(random, 8);
    }
    const uint32_t bands = random_below(random, 2) ? random_below(random, 4) : 0;
    for (uint32_t i = 0; i < bands; i++) {
        def.band_limits[i] =
            (i > 0 ? def.band_limits[i - 1] : 0) + radii[1 + random_below(random, 5)];
    }
    if (random_below(random, 3) == 0) {
        def.limit = 1 + random_below(random, 8);
        def.limit_share = (float)random_below(random, 4) / 4;
    }
    return def;
}

// Spoils one field.
static void spoil_def(test_random *random, acre_observer_def *def)
{
    switch (random_below(random, 8)) {
    case 0:
        def->enter_radius = NAN;
        break;
    case 1:
        def->enter_radius = -1;
        break;
    case 2:
        def->leave_radius = -1;
        break;
    case 3:
        def->enter_radius = 10;
        def->leave_radius = nextafterf(10, 0);
        break;
    case 4:
        def->place[random_below(random, 3)] = random_below(random, 2) ? NAN : INFINITY;
        break;
    case 5:
        def->band_limits[0] = 4;
        def->band_limits[1] = 4;
        break;
    case 6:
        def->limit_share = random_below(random, 2) ? 1 : NAN;
        break;
    default:
        def->entity.index1 = 1;
        break;
    }
}

static void define_model(interest_stream *stream, stream_observer *observer,
                         const acre_observer_def *def)
{
    observer->def = *def;
    if (!(def->leave_radius > 0)) {
        observer->def.leave_radius = def->enter_radius;
    }
    if (!def->follows_item) {
        memcpy(observer->place, def->place, sizeof def->place);
    }
    observer->is_lost = false;
    observer->follow_births = def->follows_item ? stream->items[def->item].births : 0;
}

static const char *add_observer(interest_stream *stream)
{
    const acre_observer_def def = random_def(stream);
    acre_observer handle = {77, 77};
    const acre_result result = acre_interest_add(stream->interest, &def, &handle);
    if (result == ACRE_ERROR_OUT_OF_MEMORY && stream->may_fail && handle.index1 == 0) {
        stream->failed++;
        return NULL;
    }
    if (result != ACRE_OK || handle.index1 == 0 || handle.index1 > STREAM_OBSERVERS) {
        return "an add";
    }
    stream_observer *const observer = &stream->observers[handle.index1 - 1];
    if (observer->is_used || handle.generation == 0 ||
        handle.generation == observer->handle.generation) {
        return "the handle of an add";
    }
    *observer = (stream_observer){.is_used = true, .handle = handle};
    memcpy(observer->place, def.place, sizeof def.place);
    define_model(stream, observer, &def);
    return NULL;
}

static const char *set_observer(interest_stream *stream, stream_observer *observer)
{
    acre_observer_def def = random_def(stream);
    if (random_below(&stream->random, 8) == 0) {
        spoil_def(&stream->random, &def);
        acre_observer none;
        return acre_interest_set(stream->interest, observer->handle, &def) ==
                           ACRE_ERROR_INVALID_ARGUMENT &&
                       acre_interest_add(stream->interest, &def, &none) ==
                           ACRE_ERROR_INVALID_ARGUMENT &&
                       none.index1 == 0
                   ? NULL
                   : "a bad def";
    }
    if (random_below(&stream->random, 2)) { // one field alone
        const acre_observer_def other = def;
        def = observer->def;
        switch (random_below(&stream->random, 4)) {
        case 0:
            memcpy(def.place, other.place, sizeof def.place);
            break;
        case 1:
            def.layers = other.layers;
            break;
        case 2:
            def.limit = other.limit;
            break;
        default:
            def.enter_radius = other.enter_radius;
            def.leave_radius = other.leave_radius;
            break;
        }
    }
    if (acre_interest_set(stream->interest, observer->handle, &def) != ACRE_OK) {
        return "a set";
    }
    define_model(stream, observer, &def);
    return NULL;
}

static const char *edit_observer(interest_stream *stream)
{
    uint32_t used = 0;
    for (int i = 0; i < STREAM_OBSERVERS; i++) {
        used += stream->observers[i].is_used;
    }
    stream_observer *const observer =
        &stream->observers[random_below(&stream->random, STREAM_OBSERVERS)];
    if (!observer->is_used) {
        const acre_observer_def def = random_def(stream);
        if (observer->handle.index1 > 0 &&
            (acre_interest_set(stream->interest, observer->handle, &def) !=
                 ACRE_ERROR_STALE_HANDLE ||
             acre_interest_remove(stream->interest, observer->handle) != ACRE_ERROR_STALE_HANDLE)) {
            return "a stale handle";
        }
        return used < STREAM_OBSERVERS ? add_observer(stream) : NULL;
    }
    if (random_below(&stream->random, 6) == 0) {
        if (acre_interest_remove(stream->interest, observer->handle) != ACRE_OK) {
            return "a remove of an observer";
        }
        *observer = (stream_observer){.handle = observer->handle};
        return NULL;
    }
    return set_observer(stream, observer);
}

// ---- rooms ----

// Compares the answer to joining or parting, and applies it to a mask of rooms.
static const char *apply_membership(interest_stream *stream, acre_result result, bool joins,
                                    uint32_t room, uint32_t *rooms)
{
    const bool is_in = *rooms >> room & 1;
    const acre_result expected =
        joins ? (is_in ? ACRE_ERROR_EXISTS : ACRE_OK) : (is_in ? ACRE_OK : ACRE_ERROR_NOT_FOUND);
    if (joins && result == ACRE_ERROR_OUT_OF_MEMORY && stream->may_fail) {
        stream->failed++;
        return NULL;
    }
    if (result != expected) {
        return joins ? "a join" : "a leave";
    }
    *rooms = joins ? *rooms | 1u << room : *rooms & ~(1u << room);
    return NULL;
}

// The rooms of the member that a row of a batch names; NULL: a row that is refused in any case, for
// the reason *refusal.
static uint32_t *rooms_of_row(interest_stream *stream, const acre_room_batch *batch, size_t row,
                              acre_result *refusal)
{
    if (batch->items) {
        const uint32_t item = batch->items[row];
        *refusal = batch->leaves ? ACRE_ERROR_NOT_FOUND : ACRE_ERROR_CAPACITY;
        return item < STREAM_ITEMS ? &stream->items[item].rooms : NULL;
    }
    *refusal = ACRE_ERROR_STALE_HANDLE;
    for (int i = 0; i < STREAM_OBSERVERS; i++) {
        stream_observer *const observer = &stream->observers[i];
        if (observer->is_used && observer->handle.index1 == batch->observers[row].index1 &&
            observer->handle.generation == batch->observers[row].generation) {
            return &observer->rooms;
        }
    }
    return NULL;
}

// Row after row, as calls for one member would do it.
static const char *apply_batch(interest_stream *stream, const acre_room_batch *batch)
{
    const acre_result result = acre_interest_change_room(stream->interest, batch);
    if (result == ACRE_ERROR_OUT_OF_MEMORY && stream->may_fail) {
        stream->failed++;
        return NULL;
    }
    acre_quadtree_report expected = {0, 0, ACRE_OK};
    for (size_t row = 0; row < batch->count; row++) {
        acre_result refusal;
        uint32_t *const rooms = rooms_of_row(stream, batch, row, &refusal);
        if (rooms && (*rooms >> batch->room & 1) == batch->leaves) {
            *rooms ^= 1u << batch->room;
            continue;
        }
        refusal = !rooms ? refusal : batch->leaves ? ACRE_ERROR_NOT_FOUND : ACRE_ERROR_EXISTS;
        if (expected.refused++ == 0) {
            expected.first_row = row;
            expected.first_result = refusal;
        }
    }
    const acre_quadtree_report report = acre_interest_last_report(stream->interest);
    return result == expected.first_result && report.refused == expected.refused &&
                   report.first_row == expected.first_row && report.first_result == result
               ? NULL
               : "a batch of joins or leaves";
}

// Rows that name a member twice, none, or one that is there or not there already.
static const char *edit_many_rooms(interest_stream *stream)
{
    enum { MOST_ROWS = 40 };
    test_random *const random = &stream->random;
    uint32_t items[MOST_ROWS];
    acre_observer observers[MOST_ROWS];
    acre_room_batch batch = {.room = random_below(random, STREAM_ROOMS),
                             .leaves = random_below(random, 2),
                             .count = random_below(random, MOST_ROWS + 1)};
    const uint32_t first = random_below(random, STREAM_ITEMS);
    for (size_t i = 0; i < batch.count; i++) {
        items[i] = random_below(random, 30) == 0
                       ? UINT32_MAX - random_below(random, 9)
                       : (first + random_below(random, 50)) % STREAM_ITEMS;
        observers[i] = stream->observers[random_below(random, STREAM_OBSERVERS)].handle;
    }
    batch.items = random_below(random, 2) ? items : NULL;
    batch.observers = batch.items ? NULL : observers;
    return apply_batch(stream, &batch);
}

static const char *edit_rooms(interest_stream *stream)
{
    test_random *const random = &stream->random;
    if (random_below(random, 4) == 0) {
        return edit_many_rooms(stream);
    }
    const uint32_t room = random_below(random, STREAM_ROOMS);
    const bool joins = random_below(random, 2);
    if (random_below(random, 2)) {
        const uint32_t item = random_below(random, STREAM_ITEMS);
        const acre_result result = joins ? acre_interest_join_item(stream->interest, item, room)
                                         : acre_interest_leave_item(stream->interest, item, room);
        return apply_membership(stream, result, joins, room, &stream->items[item].rooms);
    }
    stream_observer *const observer = &stream->observers[random_below(random, STREAM_OBSERVERS)];
    if (!observer->is_used) {
        return NULL;
    }
    const acre_result result = joins
                                   ? acre_interest_join(stream->interest, observer->handle, room)
                                   : acre_interest_leave(stream->interest, observer->handle, room);
    return apply_membership(stream, result, joins, room, &observer->rooms);
}

// ---- ranges ----

// Rows of things that are there or not, perhaps twice, and rows that are refused.
static const char *edit_ranges(interest_stream *stream)
{
    enum { MOST_ROWS = 12 };
    test_random *const random = &stream->random;
    uint32_t items[MOST_ROWS];
    float ranges[MOST_ROWS];
    acre_quadtree_report expected = {0, 0, ACRE_OK};
    const acre_range_batch batch = {
        .items = items, .ranges = ranges, .count = random_below(random, MOST_ROWS + 1)};
    const uint32_t first = random_below(random, STREAM_ITEMS);
    for (size_t i = 0; i < batch.count; i++) {
        const bool is_high = random_below(random, 30) == 0;
        items[i] = is_high ? 1u << 26 : (first + random_below(random, MOST_ROWS)) % STREAM_ITEMS;
        ranges[i] = random_below(random, 40) == 0  ? -1
                    : random_below(random, 9) == 0 ? 60
                                                   : radii[random_below(random, 8)];
        if ((is_high || ranges[i] < 0) && expected.refused++ == 0) {
            expected.first_row = i;
            expected.first_result = is_high ? ACRE_ERROR_CAPACITY : ACRE_ERROR_INVALID_ARGUMENT;
        }
    }
    const acre_result result = acre_interest_set_ranges(stream->interest, &batch);
    if (result == ACRE_ERROR_OUT_OF_MEMORY && stream->may_fail) {
        stream->failed++;
        return NULL;
    }
    for (size_t i = 0; i < batch.count; i++) {
        if (items[i] < STREAM_ITEMS && ranges[i] >= 0) {
            stream->items[items[i]].range = ranges[i];
        }
    }
    const acre_quadtree_report report = acre_interest_last_report(stream->interest);
    return result == expected.first_result && report.refused == expected.refused &&
                   report.first_row == expected.first_row && report.first_result == result
               ? NULL
               : "a batch of ranges";
}

const char *interest_stream_edit(interest_stream *stream)
{
    const uint32_t kind = random_below(&stream->random, 33);
    if (kind == 0) {
        return acre_quadtree_maintain(stream->tree) == ACRE_OK ? NULL : "a maintain";
    }
    if (kind == 1 && random_below(&stream->random, 8) == 0) {
        return acre_quadtree_optimize(stream->tree) == ACRE_OK ? NULL : "an optimize";
    }
    return kind < 5    ? edit_observer(stream)
           : kind < 9  ? edit_rooms(stream)
           : kind < 32 ? edit_item(stream)
                       : edit_ranges(stream);
}

// ---- the model's update ----

static double model_distance2(const acre_aabb *box, const float *place, bool in_space)
{
    double squares[3];
    for (int axis = 0; axis < 3; axis++) {
        const double at = (double)place[axis];
        const double low = (double)box->min[axis] - at, high = at - (double)box->max[axis];
        const double gap = low > 0 ? low : high > 0 ? high : 0;
        squares[axis] = gap * gap;
    }
    return in_space ? squares[0] + squares[2] + squares[1] : squares[0] + squares[2];
}

static void place_model(const interest_stream *stream, stream_observer *observer)
{
    if (!observer->def.follows_item || observer->is_lost) {
        return;
    }
    const stream_item *const item = &stream->items[observer->def.item];
    if (!item->is_there || item->births != observer->follow_births) {
        observer->is_lost = true;
        return;
    }
    float center[3];
    for (int axis = 0; axis < 3; axis++) {
        center[axis] = 0.5f * item->box.min[axis] + 0.5f * item->box.max[axis];
        if (!isfinite(center[axis])) {
            return;
        }
    }
    memcpy(observer->place, center, sizeof center);
}

// An item that may be in range.
typedef struct model_rank {
    double distance2;
    uint32_t item;
} model_rank;

static int compare_ranks(const void *a, const void *b)
{
    const model_rank *const left = a, *const right = b;
    if (left->distance2 < right->distance2 || left->distance2 > right->distance2) {
        return left->distance2 < right->distance2 ? -1 : 1;
    }
    return left->item < right->item ? -1 : 1;
}

static double model_square(float value)
{
    return (double)value * (double)value;
}

// What is in range, of the items that the limit leaves.
static void find_range(const interest_stream *stream, const stream_observer *observer,
                       const double *distances, const bool *is_hidden, bool *in_range)
{
    const acre_observer_def *const def = &observer->def;
    model_rank ranks[STREAM_ITEMS];
    size_t count = 0;
    memset(in_range, 0, STREAM_ITEMS * sizeof *in_range);
    for (uint32_t i = 0; i < STREAM_ITEMS; i++) {
        const stream_item *const item = &stream->items[i];
        const bool was_in_range = observer->in_range[i] && !item->is_reborn;
        const double reach = model_reach(def, item->range, was_in_range);
        if (item->is_there && !is_hidden[i] && distances[i] <= reach * reach &&
            (def->layers == 0 || (def->layers & item->layers))) {
            const double share = 1.0 - (double)def->limit_share;
            ranks[count++] =
                (model_rank){was_in_range ? distances[i] * (share * share) : distances[i], i};
        }
    }
    if (def->limit > 0) {
        qsort(ranks, count, sizeof *ranks, compare_ranks);
        count = count < def->limit ? count : def->limit;
    }
    for (size_t i = 0; i < count; i++) {
        in_range[ranks[i].item] = true;
    }
}

static uint8_t model_band(const acre_observer_def *def, double distance2)
{
    uint8_t band = 0;
    while (band < ACRE_OBSERVER_BAND_LIMITS && def->band_limits[band] > 0 &&
           distance2 > model_square(def->band_limits[band])) {
        band++;
    }
    return band;
}

static void update_observer(interest_stream *stream, stream_observer *observer)
{
    double distances[STREAM_ITEMS];
    bool is_hidden[STREAM_ITEMS], in_range[STREAM_ITEMS];
    for (uint32_t i = 0; i < STREAM_ITEMS; i++) {
        distances[i] =
            model_distance2(&stream->items[i].box, observer->place, observer->def.in_space);
        is_hidden[i] = observer->def.follows_item && observer->def.item == i &&
                       !observer->is_lost && !observer->def.sees_itself;
    }
    find_range(stream, observer, distances, is_hidden, in_range);
    for (uint32_t i = 0; i < STREAM_ITEMS; i++) {
        const stream_item *const item = &stream->items[i];
        const bool in_room = item->is_there && !is_hidden[i] && (item->rooms & observer->rooms);
        const bool sees = in_range[i] || in_room, saw = observer->sees[i];
        const bool is_new = !saw || item->is_reborn;
        const uint8_t band = model_band(&observer->def, distances[i]);
        observer->entered[i] = sees && is_new;
        observer->left[i] = saw && (!sees || item->is_reborn);
        observer->stayed[i] = sees && !is_new;
        observer->changed[i] = observer->stayed[i] && band != observer->bands[i];
        observer->sees[i] = sees;
        observer->in_range[i] = in_range[i];
        observer->bands[i] = sees ? band : 0;
    }
}

static void update_model(interest_stream *stream)
{
    for (int i = 0; i < STREAM_OBSERVERS; i++) {
        stream_observer *const observer = &stream->observers[i];
        if (observer->is_used) {
            place_model(stream, observer);
            update_observer(stream, observer);
        }
    }
    for (int i = 0; i < STREAM_ITEMS; i++) {
        stream->items[i].is_reborn = false;
    }
    stream->touched_count = 0;
}

// Now and then with a row that no tree may have, which is refused and named; the others count.
static acre_result update_by_change(interest_stream *stream)
{
    uint32_t *const touched = stream->touched;
    if (random_below(&stream->random, 4) > 0) {
        return acre_interest_update_changed(stream->interest, touched, stream->touched_count);
    }
    const size_t bad = random_below(&stream->random, (uint32_t)stream->touched_count + 1);
    touched[stream->touched_count] = touched[bad];
    touched[bad] = (1u << 26) + random_below(&stream->random, 1u << 31);
    const acre_result result =
        acre_interest_update_changed(stream->interest, touched, stream->touched_count + 1);
    touched[bad] = touched[stream->touched_count];
    const acre_quadtree_report report = acre_interest_last_report(stream->interest);
    const bool is_named = result == ACRE_ERROR_CAPACITY && report.refused == 1 &&
                          report.first_row == bad && report.first_result == result;
    return is_named ? ACRE_OK : result == ACRE_ERROR_OUT_OF_MEMORY ? result : ACRE_ERROR_DIFFERS;
}

const char *interest_stream_update(interest_stream *stream)
{
    const size_t most = sizeof stream->touched / sizeof *stream->touched;
    stream->updates_by_change =
        stream->touched_count < most && random_below(&stream->random, 2) == 0;
    const acre_result result = stream->updates_by_change ? update_by_change(stream)
                                                         : acre_interest_update(stream->interest);
    if (result == ACRE_ERROR_OUT_OF_MEMORY && stream->may_fail) {
        stream->failed++;
        return NULL;
    }
    if (result != ACRE_OK) {
        return "an update";
    }
    update_model(stream);
    return NULL;
}

// ---- comparisons ----

// A row of a list against the items that should be there.
static const char *check_row(interest_stream *stream, const acre_interest_list *list, size_t row,
                             const bool *expected, const uint8_t *bands, bool ascends, int kind)
{
    bool is_listed[STREAM_ITEMS] = {false};
    size_t wanted = 0;
    for (int i = 0; i < STREAM_ITEMS; i++) {
        wanted += expected[i];
    }
    const size_t begin = list->offsets[row], end = list->offsets[row + 1];
    stream->events[kind] += wanted;
    if (end < begin || end - begin != wanted || end > list->count) {
        return "the length of a row";
    }
    for (size_t i = begin; i < end; i++) {
        const uint32_t item = list->items[i];
        if (item >= STREAM_ITEMS || !expected[item] || is_listed[item]) {
            return "an item of a row";
        }
        if (ascends && i > begin && list->items[i - 1] >= item) {
            return "the order of a row";
        }
        if (bands && list->bands[i] != bands[item]) {
            return "a band of a row";
        }
        is_listed[item] = true;
    }
    return NULL;
}

static const char *check_changes(interest_stream *stream)
{
    static const bool none[STREAM_ITEMS];
    const acre_interest_changes changes = acre_interest_get_changes(stream->interest);
    for (size_t row = 0; row < changes.row_count; row++) {
        const stream_observer *const own = &stream->observers[row];
        const bool *const entered = own->is_used ? own->entered : none;
        const bool *const left = own->is_used ? own->left : none;
        const bool *const changed = own->is_used ? own->changed : none;
        const bool *const stayed =
            own->is_used && (stream->flags & ACRE_INTEREST_STAYED) ? own->stayed : none;
        const char *fault = check_row(stream, &changes.entered, row, entered, own->bands, true, 0);
        fault = fault ? fault : check_row(stream, &changes.left, row, left, NULL, true, 1);
        fault =
            fault ? fault : check_row(stream, &changes.changed, row, changed, own->bands, true, 2);
        fault =
            fault ? fault : check_row(stream, &changes.stayed, row, stayed, own->bands, false, 3);
        if (fault) {
            return fault;
        }
    }
    for (size_t row = changes.row_count; row < STREAM_OBSERVERS; row++) {
        if (stream->observers[row].is_used) {
            return "the number of rows";
        }
    }
    return NULL;
}

static const char *check_observer(interest_stream *stream, const stream_observer *own)
{
    uint32_t items[STREAM_ITEMS];
    uint8_t bands[STREAM_ITEMS];
    size_t total = 0, wanted = 0;
    acre_observer_state state;
    if (acre_interest_list_seen(stream->interest, own->handle, items, bands, STREAM_ITEMS,
                                &total) != ACRE_OK ||
        acre_interest_get_observer(stream->interest, own->handle, &state) != ACRE_OK) {
        return "a list";
    }
    for (int i = 0; i < STREAM_ITEMS; i++) {
        wanted += own->sees[i];
    }
    if (total != wanted || state.seen != wanted) {
        return "the number of things seen";
    }
    for (size_t i = 0; i < total; i++) {
        if (items[i] >= STREAM_ITEMS || !own->sees[items[i]] || bands[i] != own->bands[items[i]]) {
            return "a thing that is seen";
        }
    }
    return NULL;
}

// After an update: what is known of an observer beside its list.
static const char *check_state(interest_stream *stream, const stream_observer *own)
{
    acre_observer_state state;
    if (acre_interest_get_observer(stream->interest, own->handle, &state) != ACRE_OK ||
        memcmp(state.place, own->place, sizeof state.place) != 0 || state.is_lost != own->is_lost) {
        return "the state of an observer";
    }
    const uint32_t item = random_below(&stream->random, STREAM_ITEMS);
    uint32_t reasons = own->in_range[item];
    for (uint32_t room = 0; room < STREAM_ROOMS; room++) {
        reasons += stream->items[item].rooms & own->rooms & 1u << room ? 1 : 0;
    }
    return acre_interest_reasons(stream->interest, own->handle, item) == reasons
               ? NULL
               : "the reasons to see an item";
}

static const char *check_inverse(interest_stream *stream)
{
    const acre_interest_changes changes = acre_interest_get_changes(stream->interest);
    size_t listed = 0;
    for (uint32_t item = 0; item < STREAM_ITEMS; item++) {
        const acre_observer *observers;
        const size_t count = acre_interest_observers_of(stream->interest, item, &observers);
        size_t at = 0;
        for (int i = 0; i < STREAM_OBSERVERS; i++) {
            const stream_observer *const own = &stream->observers[i];
            if (!own->is_used || !own->sees[item]) {
                continue;
            }
            if (at >= count || observers != changes.observers + listed ||
                changes.inverse_items[listed + at] != item ||
                observers[at].index1 != own->handle.index1 ||
                observers[at].generation != own->handle.generation) {
                return "an observer of an item";
            }
            at++;
        }
        if (at != count) {
            return "the number of observers of an item";
        }
        listed += count;
    }
    return listed == changes.inverse_count ? NULL : "the number of all that is seen";
}

const char *interest_stream_check_seen(interest_stream *stream)
{
    for (int i = 0; i < STREAM_OBSERVERS; i++) {
        const stream_observer *const own = &stream->observers[i];
        const char *const fault = own->is_used ? check_observer(stream, own) : NULL;
        if (fault) {
            return fault;
        }
    }
    static char message[160];
    return acre_interest_validate(stream->interest, message, sizeof message) == ACRE_OK ? NULL
                                                                                        : message;
}

const char *interest_stream_check(interest_stream *stream)
{
    const char *fault = check_changes(stream);
    fault = fault ? fault : interest_stream_check_seen(stream);
    for (int i = 0; i < STREAM_OBSERVERS && !fault; i++) {
        if (stream->observers[i].is_used) {
            fault = check_state(stream, &stream->observers[i]);
        }
    }
    return fault || !(stream->flags & ACRE_INTEREST_INVERSE) ? fault : check_inverse(stream);
}

// ---- begin and end ----

bool interest_stream_init(interest_stream *stream, const acre_interest_def *def,
                          bool has_generations, uint64_t seed)
{
    memset(stream, 0, sizeof *stream);
    stream->random = (test_random){seed};
    stream->flags = def ? def->flags : 0;
    stream->has_generations = has_generations;
    const acre_quadtree_def tree_def = {.half_size = 64, .max_depth = 6, .node_capacity = 4};
    if (acre_quadtree_create(&tree_def, &stream->tree) != ACRE_OK) {
        return false;
    }
    if (acre_interest_create(stream->tree, def, &stream->interest) != ACRE_OK) {
        return false;
    }
    // So few things make no set elsewhere.
    stream->interest->least_set = seed % 3 == 0 ? LEAST_SET : 2 + 20 * (uint32_t)(seed % 3 - 1);
    // And rings would not pay among so few.
    stream->interest->rings.price = seed / 3 % 2 == 0 ? 0 : RING_PRICE;
    for (uint32_t i = 0; i < STREAM_ITEMS && has_generations; i++) {
        stream->generations[i] = random_below(&stream->random, 3);
    }
    return !has_generations || acre_interest_set_generations(stream->interest, stream->generations,
                                                             STREAM_ITEMS) == ACRE_OK;
}

void interest_stream_free(interest_stream *stream)
{
    acre_interest_destroy(stream->interest);
    acre_quadtree_destroy(stream->tree);
    stream->interest = NULL;
    stream->tree = NULL;
}
