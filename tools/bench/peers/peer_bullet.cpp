// SPDX-License-Identifier: MIT
// peer_bullet.cpp - Bullet's dynamic bounding volume tree, with its own culling by planes.
//
// Tight: each leaf is its item's box. With margin: leaves are larger by a metre, so that an item
// may move inside; what is found is then too much, and no one tests it again.
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

size_t query(void *state, const contender_query *query, uint32_t *items)
{
    const bullet_state *const self = static_cast<const bullet_state *>(state);
    btVector3 normals[ACRE_FRUSTUM_MAX_PLANES];
    btScalar offsets[ACRE_FRUSTUM_MAX_PLANES];
    const uint32_t count = query->frustum->plane_count;
    for (uint32_t i = 0; i < count; i++) {
        const float *const plane = query->frustum->planes[i];
        normals[i] = btVector3(plane[0], plane[1], plane[2]);
        offsets[i] = plane[3];
    }
    item_writer writer;
    writer.items = items;
    writer.count = 0;
    btDbvt::collideKDOP(self->tree.m_root, normals, offsets, static_cast<int>(count), writer);
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
    return table;
}
