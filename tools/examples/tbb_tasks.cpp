// SPDX-License-Identifier: MIT
// tbb_tasks.cpp - gives Acre the workers of oneTBB: jobs move objects, and a frame uses all cores.
//
// Two functions connect TBB to Acre, over an arena that has nothing but Acre's tasks: a thread that
// waits in it runs no job of the program, which might call Acre in the middle of a call.
#include <acre/acre.hpp>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

namespace
{

constexpr int frames = 4;
constexpr uint32_t object_count = 50000, row_length = 250;
constexpr size_t view_count = 8;

void *enqueue(void *arena, acre_task *task, void *context, const char *)
{
    auto *const group = new tbb::task_group;
    static_cast<tbb::task_arena *>(arena)->execute([&] { group->run([=] { task(context); }); });
    return group;
}

void finish(void *arena, void *handle)
{
    auto *const group = static_cast<tbb::task_group *>(handle);
    static_cast<tbb::task_arena *>(arena)->execute([&] { group->wait(); });
    delete group;
}

acre_tasks tasks_of(tbb::task_arena &arena)
{
    acre_tasks tasks{};
    tasks.worker_count = static_cast<uint32_t>(arena.max_concurrency());
    tasks.enqueue = enqueue;
    tasks.finish = finish;
    tasks.user = &arena;
    return tasks;
}

// Jobs of the program move its objects. Object i is a meter in front of object i + row_length.
void move(std::vector<acre_aabb> &boxes, int frame)
{
    tbb::parallel_for(uint32_t(0), object_count, [&](uint32_t i) {
        const float x = static_cast<float>(i % row_length) - 125 + 0.3f * static_cast<float>(frame);
        const float z = static_cast<float>(i / row_length) - 100;
        boxes[i] = {{x - 0.3f, 0, z - 0.3f}, {x + 0.3f, 1, z + 0.3f}};
    });
}

acre_objects objects_of(const std::vector<acre_aabb> &boxes)
{
    acre_objects objects{};
    objects.slot_count = object_count;
    objects.boxes = {boxes[0].min, boxes[0].max, sizeof boxes[0], sizeof boxes[0],
                     ACRE_BOX_FORM_MIN_MAX};
    objects.moved_count = ACRE_ALL_MOVED;
    return objects;
}

// Views around the middle of the field.
std::array<acre_view, view_count> aim_views()
{
    std::array<acre_view, view_count> views{};
    for (size_t i = 0; i < view_count; i++) {
        const float eye[3] = {0, 2, 0}, up[3] = {0, 1, 0};
        const float target[3] = {static_cast<float>(i % 3) - 0.5f, 2,
                                 static_cast<float>(i / 3) - 0.5f};
        acre_camera camera{};
        using acre::error;
        error(acre_camera_perspective(&camera, 1, 1.5f, 0.1f, 60, ACRE_CLIP_ZERO_TO_ONE)).check();
        error(acre_camera_look_at(&camera, eye, target, up)).check();
        error(acre_view_from_camera(&views[i], &camera)).check();
    }
    return views;
}

struct world {
    acre::culling culling;
    std::array<acre::visible_set, view_count> sets;
};

void create(world &w, const std::vector<acre_aabb> &boxes)
{
    std::vector<uint32_t> slots(object_count);
    for (uint32_t i = 0; i < object_count; i++) {
        slots[i] = i;
    }
    acre_objects objects = objects_of(boxes);
    objects.moved_count = 0;
    objects.added = slots.data();
    objects.added_count = slots.size();
    w.culling.create_for_objects().check();
    w.culling.update(objects).check();
    for (acre::visible_set &set : w.sets) {
        set.create().check();
    }
}

bool same(acre::span<const uint32_t> a, acre::span<const uint32_t> b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

// One world has TBB's workers, and jobs look for each view; the other one does all by itself.
bool run()
{
    tbb::task_arena arena(std::max(2, tbb::this_task_arena::max_concurrency()));
    const acre_tasks tasks = tasks_of(arena);
    const std::array<acre_view, view_count> views = aim_views();
    std::vector<acre_aabb> boxes(object_count);
    world divided, plain;
    move(boxes, 0);
    create(divided, boxes);
    create(plain, boxes);
    divided.culling.set_tasks(&tasks).check();
    bool is_same = true;
    for (int frame = 1; frame <= frames; frame++) {
        move(boxes, frame);
        divided.culling.update(objects_of(boxes)).check();
        plain.culling.update(objects_of(boxes)).check();
        tbb::parallel_for(size_t(0), view_count, [&](size_t i) {
            divided.sets[i].find(divided.culling, views[i]).check();
        });
        for (size_t i = 0; i < view_count; i++) {
            plain.sets[i].find(plain.culling, views[i]).check();
            is_same = is_same && same(divided.sets[i].slots(), plain.sets[i].slots());
            std::printf("%s%zu", i > 0 ? ", " : "visible: ", divided.sets[i].slots().size());
        }
        std::printf(is_same ? "; in the order of one thread\n" : "; not as with one thread\n");
    }
    return is_same;
}

} // namespace

int main()
{
    try {
        return run() ? 0 : 1;
    } catch (const std::exception &exception) {
        std::fprintf(stderr, "tbb_tasks: %s\n", exception.what());
        return 1;
    }
}
