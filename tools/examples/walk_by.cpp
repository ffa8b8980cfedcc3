// SPDX-License-Identifier: MIT
// walk_by.cpp - Acre in C++: a crowd walks past a camera; who comes into view, and who leaves it.
#include <acre/acre.hpp>

#include <cstdio>
#include <vector>

namespace
{

constexpr int people = 40;
constexpr int frames = 6;

struct crowd {
    acre::scene scene;
    acre::culling culling; // after the scene: it is destroyed first
    acre::visible_set seen;
    std::vector<acre_entity> entities;
};

acre_transform standing_at(float x, float z)
{
    acre_transform at = ACRE_TRANSFORM_IDENTITY;
    at.translation[0] = x;
    at.translation[2] = z;
    return at;
}

// They walk along x, in two rows, 3 m apart.
acre_transform place_of(int person, int frame)
{
    return standing_at(static_cast<float>(3 * person - 90 + 12 * frame),
                       person % 2 ? -25.0f : -20.0f);
}

acre::error create(crowd &crowd)
{
    acre_culling_def def{};
    def.register_all = true;
    acre::error failed = crowd.scene.create();
    failed = failed ? failed : crowd.culling.create(crowd.scene, def);
    failed = failed ? failed : crowd.seen.create(ACRE_VISIBLE_CHANGES);
    for (int person = 0; person < people && !failed; person++) {
        const acre_aabb box = {{-0.4f, 0, -0.4f}, {0.4f, 1.8f, 0.4f}};
        const acre_transform at = place_of(person, 0);
        acre_entity_def person_def{};
        person_def.local = &at;
        person_def.bounds = &box;
        acre_entity entity{};
        failed = crowd.scene.create_entity(person_def, entity);
        crowd.entities.push_back(entity);
    }
    return failed;
}

acre::error look(acre_view &view)
{
    const float eye[3] = {0, 2, 0}, target[3] = {0, 2, -1}, up[3] = {0, 1, 0};
    acre_camera camera{};
    acre::error failed =
        acre_camera_perspective(&camera, 1.0f, 16.0f / 9.0f, 0.1f, 200.0f, ACRE_CLIP_ZERO_TO_ONE);
    failed = failed ? failed : acre_camera_look_at(&camera, eye, target, up);
    return failed ? failed : acre_view_from_camera(&view, &camera);
}

acre::error step(crowd &crowd, const acre_view &view, int frame)
{
    acre::error failed;
    for (int person = 0; person < people && !failed; person++) {
        const acre_transform at = place_of(person, frame);
        failed = crowd.scene.set_local(crowd.entities[static_cast<size_t>(person)], at);
    }
    failed = failed ? failed : crowd.scene.commit();
    return failed ? failed : crowd.seen.find(crowd.culling, view);
}

} // namespace

int main()
{
    crowd crowd;
    acre_view view{};
    acre::error failed = create(crowd);
    failed = failed ? failed : look(view);
    for (int frame = 0; frame < frames && !failed; frame++) {
        failed = step(crowd, view, frame);
        std::printf("frame %d: %zu in view, came:", frame, crowd.seen.slots().size());
        for (const uint32_t slot : crowd.seen.entered()) {
            std::printf(" %u", slot);
        }
        std::printf("; %zu left\n", crowd.seen.left().size());
    }
    if (failed) {
        std::fprintf(stderr, "walk_by: %s\n", failed.text());
    }
    return failed ? 1 : 0;
}
