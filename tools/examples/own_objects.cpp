// SPDX-License-Identifier: MIT
// own_objects.cpp - own_objects.c in C++, with exceptions: the same town, and the same lines.
#include <acre/acre.hpp>

#include <array>
#include <cstdio>
#include <vector>

namespace
{

constexpr uint32_t rows = 64, chunk_count = 32, slot_count = rows * chunk_count + 512;
enum { house, car };

struct chunk {
    uint32_t kind = house;
    std::vector<uint32_t> slots;
    std::vector<std::array<float, 3>> centers;
};

// What the host keeps: chunks, and by slot what a renderer wants.
struct town {
    std::array<std::array<float, 3>, 2> half_sizes = {{{6, 4, 6}, {2, 1, 1}}};
    std::array<acre_visibility_rule, 2> rules{};
    std::vector<chunk> chunks{chunk_count};
    std::vector<uint32_t> free_slots, flags, kinds;
    std::vector<uint16_t> rule_of_slot;
    std::vector<std::array<float, 12>> worlds;
    uint32_t taken = 0, freed = slot_count;

    town() : flags(slot_count), kinds(slot_count), rule_of_slot(slot_count), worlds(slot_count)
    {
        rules[house].lod_pixels[0] = 200;
        rules[house].lod_pixels[1] = 50;
        rules[car].lod_pixels[0] = 60;
        rules[car].max_distance = 300;
        for (uint32_t i = 0; i < slot_count; i++) {
            free_slots.push_back(i * 7 % slot_count); // as if much had come and gone
            chunks[i % chunk_count].kind = i % 2;
        }
    }
};

uint32_t spawn(town &t, chunk &c)
{
    const uint32_t slot = t.free_slots[t.taken++ % slot_count];
    const float x = static_cast<float>(slot * 37 % 1000) - 500;
    const float z = static_cast<float>(slot * 61 % 1000) - 500;
    t.worlds[slot] = {1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, z};
    t.kinds[slot] = c.kind;
    t.flags[slot] = c.kind == house ? ACRE_ENTITY_STATIC : 0;
    t.rule_of_slot[slot] = static_cast<uint16_t>(c.kind + 1); // its place in the rules, plus 1
    c.slots.push_back(slot);
    c.centers.push_back({x, t.half_sizes[c.kind][1], z});
    return slot;
}

// A car beyond the town is gone; the last row of the chunk takes its place.
std::vector<uint32_t> drive(town &t, chunk &c)
{
    std::vector<uint32_t> gone;
    for (size_t row = c.slots.size(); row-- > 0;) {
        const uint32_t slot = c.slots[row];
        c.centers[row][0] = t.worlds[slot][3] += 10 + static_cast<float>(slot % 8 * 5);
        if (c.centers[row][0] > 500) {
            gone.push_back(t.free_slots[t.freed++ % slot_count] = slot);
            c.slots[row] = c.slots.back();
            c.centers[row] = c.centers.back();
            c.slots.pop_back();
            c.centers.pop_back();
        }
    }
    return gone;
}

// When it returns, Acre reads nothing of the chunk any more.
void update(town &t, chunk &c, acre::culling &culling)
{
    const std::vector<uint32_t> gone = c.kind == car ? drive(t, c) : std::vector<uint32_t>();
    std::vector<uint32_t> fresh;
    while (c.slots.size() < rows) {
        fresh.push_back(spawn(t, c));
    }
    acre_objects objects{};
    objects.slot_count = slot_count;
    objects.flags = t.flags.data();
    objects.rules = t.rule_of_slot.data();
    objects.removed = gone.data();
    objects.removed_count = gone.size();
    objects.added = fresh.data();
    objects.added_count = fresh.size();
    objects.boxes = {c.centers.data(), t.half_sizes[c.kind].data(), sizeof c.centers[0], 0,
                     ACRE_BOX_FORM_CENTER_EXTENT};
    objects.box_slots = c.slots.data();
    objects.box_count = c.slots.size();
    if (c.kind == car || !fresh.empty()) {
        culling.update(objects).check();
    }
}

// Whether a loop over all rows finds the same. A LOD of -1: not in the list.
template <class Lod>
bool agrees(const town &t, acre::span<const uint32_t> slots, const uint8_t *lods, Lod lod_of)
{
    std::vector<int> found(slot_count, -1);
    for (size_t i = 0; i < slots.size(); i++) {
        found[slots[i]] = lods != nullptr ? lods[i] : 0;
    }
    bool is_same = true;
    size_t count = 0;
    for (const chunk &c : t.chunks) {
        for (size_t row = 0; row < c.slots.size(); row++) {
            const acre_aabb box =
                acre_aabb_from_center(c.centers[row].data(), t.half_sizes[c.kind].data());
            const int lod = lod_of(t.rules[c.kind], box);
            is_same = is_same && found[c.slots[row]] == lod;
            count += lod >= 0;
        }
    }
    return is_same && count == slots.size();
}

bool draw(const town &t, const acre::culling &culling, const acre::visible_set &seen,
          const acre_view &view, acre::draw_list &list)
{
    const acre_matrix_array matrices = {t.worlds.data(), 0, ACRE_MATRIX_ROWS};
    acre_draw_input input{};
    input.slots = seen.slots().data();
    input.count = seen.slots().size();
    input.lods = seen.lods().data();
    input.keys = t.kinds.data();
    input.key_count = t.kinds.size();
    input.matrices = ACRE_MATRIX_ROWS;
    input.worlds = &matrices;
    list.build(culling, input).check();
    std::printf("%zu objects in %zu draws; casters", list.slots().size(), list.ranges().size());
    const auto lod_of = [&](const acre_visibility_rule &rule, const acre_aabb &box) {
        uint32_t lod = 0;
        const bool is_seen = acre_frustum_test_aabb(&view.frustum, &box) &&
                             !acre_view_test_rules(&view, &rule, &box, nullptr, &lod);
        return is_seen ? static_cast<int>(lod) : -1;
    };
    return agrees(t, seen.slots(), seen.lods().data(), lod_of);
}

// What may throw a shadow on the ground or on something seen: it is drawn into the shadow map.
bool cast(const town &t, const acre::culling &culling, const acre::visible_set &seen,
          const acre_cascade &cascade, acre::receivers &receivers)
{
    const acre_aabb ground[1] = {{{-600, 0, -600}, {600, 0, 600}}};
    std::vector<uint32_t> casters;
    size_t count = 0;
    receivers.begin(cascade).check();
    receivers.add_boxes(ground).check();
    receivers.add(culling, seen.slots()).check();
    receivers.query_casters_into(culling, casters, count).check();
    std::printf(" %zu", count);
    const auto lod_of = [&](const acre_visibility_rule &, const acre_aabb &box) {
        return receivers.test_aabb(box) ? 0 : -1;
    };
    return agrees(t, {casters.data(), count}, nullptr, lod_of);
}

void look(acre::cascades &cascades, acre_view &view)
{
    const float eye[3] = {450, 2, 0}, target[3] = {450, 2, -1}, up[3] = {0, 1, 0};
    // Shadows end at 300 m; what stands up to 200 m toward the sun may throw them.
    const acre_cascades_def sun = {{1, -2, 1}, 300, 200, 0.7f, nullptr, 3, 2048, {}};
    acre_camera camera{};
    using acre::error;
    error(acre_camera_perspective(&camera, 1, 1.6f, 1, 900, ACRE_CLIP_ZERO_TO_ONE)).check();
    error(acre_camera_look_at(&camera, eye, target, up)).check();
    error(acre_view_from_camera(&view, &camera)).check();
    error(acre_view_set_viewport(&view, &camera, 1080)).check();
    cascades.fit(sun, camera).check();
}

bool run()
{
    town t;
    acre::culling culling;
    acre::visible_set seen;
    acre::draw_list list;
    acre::receivers receivers;
    acre::cascades cascades;
    acre_view view{};
    culling.create_for_objects().check();
    culling.set_rules(t.rules).check();
    seen.create(ACRE_VISIBLE_LODS).check();
    list.create().check();
    receivers.create().check();
    look(cascades, view);
    bool is_same = true;
    for (int frame = 1; frame <= 6 && is_same; frame++) {
        for (chunk &c : t.chunks) {
            update(t, c, culling);
        }
        seen.find(culling, view).check();
        std::printf("frame %d: ", frame);
        is_same = draw(t, culling, seen, view, list);
        for (const acre_cascade &cascade : cascades.get()) {
            is_same = cast(t, culling, seen, cascade, receivers) && is_same;
        }
        std::printf(is_same ? "; plain loops agree\n" : "; plain loops differ\n");
    }
    return is_same;
}

} // namespace

int main()
{
    acre::keep_refusals(); // exceptions then say what is wrong
    try {
        return run() ? 0 : 1;
    } catch (const acre::refused &refused) {
        std::fprintf(stderr, "own_objects: %s\n", refused.what());
        return 1;
    }
}
