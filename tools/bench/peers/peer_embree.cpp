// SPDX-License-Identifier: MIT
// peer_embree.cpp - Embree's bounding volume hierarchy of boxes as user geometry: first hits of
// thin rays.
//
// It is built anew, with high quality, before the first question after boxes moved, which is not
// timed. Of items that a ray enters at one place any may be its first hit.
#include "peer.hpp"

#include <embree3/rtcore.h>

namespace
{

const float *edges_of(const acre_aabb &box, bool is_far)
{
    return is_far ? box.max : box.min;
}

struct embree_tree {
    RTCDevice device = rtcNewDevice("threads=1");
    RTCScene scene = nullptr;
    const acre_aabb *boxes = nullptr;
    uint32_t count;
    ssize_t device_bytes = 0;

    explicit embree_tree(const contender_world &world) : count(world.count)
    {
        rtcSetDeviceMemoryMonitorFunction(device, add_bytes, &device_bytes);
    }
    ~embree_tree()
    {
        forget();
        rtcReleaseDevice(device);
    }
    embree_tree(const embree_tree &) = delete;
    embree_tree &operator=(const embree_tree &) = delete;

    static bool add_bytes(void *sum, ssize_t bytes, bool)
    {
        *static_cast<ssize_t *>(sum) += bytes;
        return true;
    }

    static void bounds_of(const RTCBoundsFunctionArguments *asked)
    {
        const acre_aabb &box =
            static_cast<const embree_tree *>(asked->geometryUserPtr)->boxes[asked->primID];
        *asked->bounds_o = {box.min[0], box.min[1], box.min[2], 0,
                            box.max[0], box.max[1], box.max[2], 0};
    }

    // A box, by slabs.
    static void intersect(const RTCIntersectFunctionNArguments *asked)
    {
        RTCRayHit &at = *reinterpret_cast<RTCRayHit *>(asked->rayhit); // N is 1
        const acre_aabb &box =
            static_cast<const embree_tree *>(asked->geometryUserPtr)->boxes[asked->primID];
        const float origin[3] = {at.ray.org_x, at.ray.org_y, at.ray.org_z};
        const float direction[3] = {at.ray.dir_x, at.ray.dir_y, at.ray.dir_z};
        float first = at.ray.tnear, last = at.ray.tfar;
        for (int axis = 0; axis < 3; axis++) {
            const float inverse = 1.0f / direction[axis];
            const bool is_back = inverse < 0;
            first = std::max(first, (edges_of(box, is_back)[axis] - origin[axis]) * inverse);
            last = std::min(last, (edges_of(box, !is_back)[axis] - origin[axis]) * inverse);
        }
        if (first <= last && asked->valid[0]) {
            at.ray.tfar = first;
            at.hit.geomID = 0;
            at.hit.primID = asked->primID;
        }
    }

    void forget()
    {
        if (scene) {
            rtcReleaseScene(scene);
        }
        scene = nullptr;
    }

    void build()
    {
        const RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
        rtcSetGeometryUserPrimitiveCount(geometry, count);
        rtcSetGeometryUserData(geometry, this);
        rtcSetGeometryBoundsFunction(geometry, bounds_of, nullptr);
        rtcSetGeometryIntersectFunction(geometry, intersect);
        rtcCommitGeometry(geometry);
        scene = rtcNewScene(device);
        rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_HIGH);
        rtcAttachGeometry(scene, geometry);
        rtcReleaseGeometry(geometry);
        rtcCommitScene(scene);
    }

    static bool is_native(const asked_question &question)
    {
        const acre_query &query = *question.query;
        const float *const size =
            query.shape == ACRE_QUERY_SHAPE_RAY ? query.ray->half_size : nullptr;
        return size && size[0] == 0 && size[1] == 0 && size[2] == 0 && question.capacity == 1 &&
               !query.layers && !query.exclude && !query.origin && !query.except_item1;
    }

    size_t nearest(const asked_question &question, acre_query_hit *hits)
    {
        if (!is_native(question)) {
            return CONTENDER_CANNOT;
        }
        if (!scene) {
            build();
        }
        const acre_ray &ray = *question.query->ray;
        const float *const along = ray.direction;
        const float scale =
            1.0f / std::sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
        RTCRayHit at = {};
        at.ray = {ray.origin[0],
                  ray.origin[1],
                  ray.origin[2],
                  0,
                  along[0] * scale,
                  along[1] * scale,
                  along[2] * scale,
                  0,
                  question.reach,
                  ~0u,
                  0,
                  0};
        at.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        rtcIntersect1(scene, &context, &at);
        if (at.hit.geomID == RTC_INVALID_GEOMETRY_ID) {
            return 0;
        }
        hits[0] = {at.hit.primID, question.distance(&question, &boxes[at.hit.primID])};
        return 1;
    }
};

embree_tree &tree_of(void *state)
{
    return *static_cast<embree_tree *>(state);
}

bool take_boxes(void *state, const acre_aabb *boxes, uint32_t)
{
    tree_of(state).boxes = boxes;
    tree_of(state).forget();
    return true;
}

bool refresh_boxes(void *state, const uint32_t *, size_t, const acre_aabb *boxes, uint32_t count)
{
    return take_boxes(state, boxes, count);
}

size_t find_nearest(void *state, const asked_question *question, acre_query_hit *hits)
{
    return tree_of(state).nearest(*question, hits);
}

size_t bytes_of_state(const void *state)
{
    return sizeof(embree_tree) +
           static_cast<size_t>(static_cast<const embree_tree *>(state)->device_bytes);
}

} // namespace

bench_contender peer_embree()
{
    bench_contender table = {};
    table.name = "Embree, boxes";
    table.create = [](const contender_world *world) -> void * { return new embree_tree(*world); };
    table.destroy = [](void *state) { delete &tree_of(state); };
    table.build = take_boxes;
    table.refresh = refresh_boxes;
    table.nearest = find_nearest;
    table.bytes = bytes_of_state;
    return table;
}
