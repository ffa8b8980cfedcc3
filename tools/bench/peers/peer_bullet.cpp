// SPDX-License-Identifier: MIT
// peer_bullet.cpp - Bullet's dynamic bounding volume tree, with its own culling by planes.
//
// Tight: each leaf is its item's box. With margin: leaves are larger by a metre, so that an item
// may move inside; what is found is then too much, and no one tests it again.
#include "peer_hits.hpp"
#include "peer_trees.hpp"

#include <BulletCollision/BroadphaseCollision/btDbvt.h>

#include <cstdlib>
#include <memory>
#include <vector>

namespace
{

const btScalar margin_metres = 1.0f;

// Bullet has one allocator for all its objects; nodes are what an insertion allocates.
size_t allocated_bytes = 0;

const size_t header_bytes = 16;

void *counted_allocate(size_t size)
{
    char *const block = static_cast<char *>(std::malloc(size + header_bytes));
    if (!block) {
        return nullptr;
    }
    *reinterpret_cast<size_t *>(block) = size;
    allocated_bytes += size;
    return block + header_bytes;
}

void counted_free(void *memory)
{
    if (memory) {
        char *const block = static_cast<char *>(memory) - header_bytes;
        allocated_bytes -= *reinterpret_cast<size_t *>(block);
        std::free(block);
    }
}

struct bullet_state {
    btDbvt tree;
    std::vector<btDbvtNode *> leaves;
    btScalar margin = 0;
    size_t node_bytes = 0;
    const acre_aabb *boxes = nullptr; // the caller's
    peer_hits hits;
    btAlignedObjectArray<const btDbvtNode *> stack; // of rays
};

btDbvtVolume volume_of(const acre_aabb &box)
{
    return btDbvtVolume::FromMM(btVector3(box.min[0], box.min[1], box.min[2]),
                                btVector3(box.max[0], box.max[1], box.max[2]));
}

void *create_with(const contender_world *world, btScalar margin)
{
    btAlignedAllocSetCustom(counted_allocate, counted_free);
    std::unique_ptr<bullet_state> state(new bullet_state);
    state->leaves.resize(world->count);
    state->margin = margin;
    return state.release();
}

void *create_tight(const contender_world *world)
{
    return create_with(world, 0);
}

void *create_margin(const contender_world *world)
{
    return create_with(world, margin_metres);
}

void destroy(void *state)
{
    delete static_cast<bullet_state *>(state);
}

bool insert(void *state, const uint32_t *items, uint32_t count, const acre_aabb *boxes)
{
    bullet_state *const self = static_cast<bullet_state *>(state);
    const size_t before = allocated_bytes;
    self->boxes = boxes;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t item = items[i];
        btDbvtVolume volume = volume_of(boxes[item]);
        volume.Expand(btVector3(self->margin, self->margin, self->margin));
        void *const data = reinterpret_cast<void *>(static_cast<uintptr_t>(item));
        self->leaves[item] = self->tree.insert(volume, data);
    }
    self->node_bytes += allocated_bytes - before;
    return true;
}

bool refresh_tight(void *state, const uint32_t *movers, size_t mover_count, const acre_aabb *boxes,
                   uint32_t)
{
    bullet_state *const self = static_cast<bullet_state *>(state);
    for (size_t i = 0; i < mover_count; i++) {
        btDbvtVolume volume = volume_of(boxes[movers[i]]);
        self->tree.update(self->leaves[movers[i]], volume);
    }
    return true;
}

bool refresh_margin(void *state, const uint32_t *movers, size_t mover_count, const acre_aabb *boxes,
                    uint32_t)
{
    bullet_state *const self = static_cast<bullet_state *>(state);
    for (size_t i = 0; i < mover_count; i++) {
        btDbvtVolume volume = volume_of(boxes[movers[i]]);
        self->tree.update(self->leaves[movers[i]], volume, margin_metres);
    }
    return true;
}

struct item_writer : btDbvt::ICollide {
    uint32_t *items;
    size_t count;

    void Process(const btDbvtNode *leaf) override
    {
        items[count++] = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(leaf->data));
    }
};

void collide_planes(const bullet_state &self, const acre_frustum &frustum, btDbvt::ICollide &policy)
{
    btVector3 normals[ACRE_FRUSTUM_MAX_PLANES];
    btScalar offsets[ACRE_FRUSTUM_MAX_PLANES];
    for (uint32_t i = 0; i < frustum.plane_count; i++) {
        const float *const plane = frustum.planes[i];
        normals[i] = btVector3(plane[0], plane[1], plane[2]);
        offsets[i] = plane[3];
    }
    btDbvt::collideKDOP(self.tree.m_root, normals, offsets, static_cast<int>(frustum.plane_count),
                        policy);
}

size_t query(void *state, const contender_query *query, uint32_t *items)
{
    item_writer writer;
    writer.items = items;
    writer.count = 0;
    collide_planes(*static_cast<const bullet_state *>(state), *query->frustum, writer);
    return writer.count;
}

// Tests what the tree knows too little of.
struct item_filter : item_writer {
    const asked_question *question;
    const acre_aabb *boxes;

    void Process(const btDbvtNode *leaf) override
    {
        const uint32_t item = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(leaf->data));
        if (question->is_found(question, item, &boxes[item])) {
            items[count++] = item;
        }
    }
};

// A thin ray, or a box that moves along it: leaves are larger by it.
void collide_ray(bullet_state &self, const btVector3 &from, const btVector3 &to,
                 const btVector3 &half_size, btDbvt::ICollide &policy)
{
    btVector3 along = to - from, inverse;
    const btScalar length = along.length();
    unsigned int signs[3];
    along /= length;
    for (int axis = 0; axis < 3; axis++) {
        inverse[axis] = along[axis] == 0 ? btScalar(BT_LARGE_FLOAT) : btScalar(1) / along[axis];
        signs[axis] = inverse[axis] < 0;
    }
    self.tree.rayTestInternal(self.tree.m_root, from, to, inverse, signs, length, -half_size,
                              half_size, self.stack, policy);
}

btVector3 vector_of(const float *from)
{
    return btVector3(from[0], from[1], from[2]);
}

// What the tree's own query for the shape finds.
void collide(bullet_state &self, const asked_question &question, btDbvt::ICollide &policy)
{
    const acre_query &query = *question.query;
    if (question.planes) {
        collide_planes(self, *question.planes, policy);
    } else if (query.shape == ACRE_QUERY_SHAPE_RAY) {
        const btVector3 from = vector_of(query.ray->origin);
        btVector3 along = vector_of(query.ray->direction);
        along.normalize();
        collide_ray(self, from, from + question.reach * along, vector_of(query.ray->half_size),
                    policy);
    } else if (query.shape == ACRE_QUERY_SHAPE_CAPSULE) {
        const float radius = query.capsule->radius;
        collide_ray(self, vector_of(query.capsule->from), vector_of(query.capsule->to),
                    btVector3(radius, radius, radius), policy);
    } else {
        self.tree.collideTV(self.tree.m_root, volume_of(question.bounds), policy);
    }
}

// Leaves are the boxes themselves: what meets a leaf's test of the tree's own is an answer.
bool is_native(const asked_question &question)
{
    const acre_query &query = *question.query;
    const bool is_view = query.shape == ACRE_QUERY_SHAPE_FRUSTUM && !query.exclude &&
                         !query.layers && !(query.flags & ACRE_QUERY_EXACT);
    return is_view || question.is_box || query.shape == ACRE_QUERY_SHAPE_RAY;
}

// There is no way to stop early.
size_t answer(void *state, const asked_question *question, uint32_t *items)
{
    bullet_state &self = *static_cast<bullet_state *>(state);
    item_filter filter;
    item_writer writer;
    filter.question = question;
    filter.boxes = self.boxes;
    item_writer &chosen = is_native(*question) ? writer : filter;
    chosen.items = items;
    chosen.count = 0;
    peer_prepare(*question);
    collide(self, *question, chosen);
    return question->capacity ? std::min(chosen.count, question->capacity) : chosen.count;
}

struct hit_writer : btDbvt::ICollide {
    const asked_question *question;
    const acre_aabb *boxes;
    peer_hits *hits;

    void Process(const btDbvtNode *leaf) override
    {
        const uint32_t item = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(leaf->data));
        hits->add(*question, item, boxes[item]);
    }
};

// It looks for volumes and along rays, not for what is near.
size_t nearest(void *state, const asked_question *question, acre_query_hit *hits)
{
    bullet_state &self = *static_cast<bullet_state *>(state);
    if (question->query->shape == ACRE_QUERY_SHAPE_ALL) {
        return CONTENDER_CANNOT;
    }
    hit_writer writer;
    writer.question = question;
    writer.boxes = self.boxes;
    writer.hits = &self.hits;
    collide(self, *question, writer);
    return self.hits.take_nearest(question->capacity, hits);
}

struct pair_writer : btDbvt::ICollide {
    acre_pair *pairs;
    size_t count, capacity;

    void Process(const btDbvtNode *first, const btDbvtNode *second) override
    {
        if (count < capacity) {
            pairs[count].a = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(first->data));
            pairs[count].b = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(second->data));
        }
        count++;
    }
};

// The tree against itself.
size_t pairs(void *state, acre_pair *pairs, size_t capacity)
{
    bullet_state &self = *static_cast<bullet_state *>(state);
    pair_writer writer;
    writer.pairs = pairs;
    writer.count = 0;
    writer.capacity = capacity;
    self.tree.collideTT(self.tree.m_root, self.tree.m_root, writer);
    return writer.count;
}

bool remove_each(void *state, const uint32_t *items, uint32_t count)
{
    bullet_state *const self = static_cast<bullet_state *>(state);
    const size_t before = allocated_bytes;
    for (uint32_t i = 0; i < count; i++) {
        self->tree.remove(self->leaves[items[i]]);
        self->leaves[items[i]] = nullptr;
    }
    self->node_bytes -= before - allocated_bytes;
    return true;
}

size_t bytes(const void *state)
{
    const bullet_state *const self = static_cast<const bullet_state *>(state);
    return sizeof *self + self->leaves.capacity() * sizeof(btDbvtNode *) + self->node_bytes;
}

} // namespace

bench_contender peer_bullet_tight()
{
    bench_contender table = {};
    table.name = "Bullet btDbvt, tight";
    table.create = create_tight;
    table.destroy = destroy;
    table.insert = insert;
    table.refresh = refresh_tight;
    table.query = query;
    table.answer = answer;
    table.nearest = nearest;
    table.pairs = pairs;
    table.remove = remove_each;
    table.bytes = bytes;
    return table;
}

bench_contender peer_bullet_margin()
{
    bench_contender table = peer_bullet_tight();
    table.name = "Bullet btDbvt, 1 m";
    table.create = create_margin;
    table.refresh = refresh_margin;
    table.answer = nullptr; // slower than the tight one, which is there as well
    table.nearest = nullptr;
    return table;
}
