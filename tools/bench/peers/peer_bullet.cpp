// SPDX-License-Identifier: MIT
// peer_bullet.cpp - Bullet's dynamic bounding volume tree, with its own culling by planes.
//
// Tight: each leaf is its item's box. With margin: leaves are larger by a meter, so that an item
// may move inside; what is found is then too much, and no one tests it again. It looks for volumes
// and along rays, not for what is near, and cannot stop early.
#include "peer.hpp"

#include <BulletCollision/BroadphaseCollision/btDbvt.h>

#include <cstdlib>

namespace
{

const btScalar margin_meters = 1.0f;

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

btVector3 vector_of(const float *from)
{
    return btVector3(from[0], from[1], from[2]);
}

btDbvtVolume volume_of(const acre_aabb &box)
{
    return btDbvtVolume::FromMM(vector_of(box.min), vector_of(box.max));
}

// Hands the items of leaves to a function.
template <typename Take> struct each_leaf : btDbvt::ICollide {
    const Take &take;

    explicit each_leaf(const Take &function) : take(function)
    {
    }
    void Process(const btDbvtNode *leaf) override
    {
        take(item_of(leaf->data));
    }
};

template <typename Take> struct each_pair : btDbvt::ICollide {
    const Take &take;

    explicit each_pair(const Take &function) : take(function)
    {
    }
    void Process(const btDbvtNode *first, const btDbvtNode *second) override
    {
        take(item_of(first->data), item_of(second->data));
    }
};

struct bullet_tree {
    btDbvt tree;
    std::vector<btDbvtNode *> leaves;
    btScalar margin = 0;
    size_t node_bytes = 0;
    const acre_aabb *boxes = nullptr;
    peer_hits hits;
    btAlignedObjectArray<const btDbvtNode *> stack; // of rays

    explicit bullet_tree(const contender_world &world) : leaves(world.count)
    {
        btAlignedAllocSetCustom(counted_allocate, counted_free);
    }

    void insert(uint32_t item, const acre_aabb &box)
    {
        const size_t before = allocated_bytes;
        btDbvtVolume volume = volume_of(box);
        volume.Expand(btVector3(margin, margin, margin));
        leaves[item] = tree.insert(volume, pointer_of(item));
        node_bytes += allocated_bytes - before;
    }

    bool refresh(uint32_t item, const acre_aabb &box)
    {
        btDbvtVolume volume = volume_of(box);
        if (margin > 0) {
            tree.update(leaves[item], volume, margin);
        } else {
            tree.update(leaves[item], volume);
        }
        return true;
    }

    void end_frame()
    {
    }

    bool remove(uint32_t item)
    {
        const size_t before = allocated_bytes;
        tree.remove(leaves[item]);
        leaves[item] = nullptr;
        node_bytes -= before - allocated_bytes;
        return true;
    }

    void collide_planes(const acre_frustum &frustum, btDbvt::ICollide &policy) const
    {
        btVector3 normals[ACRE_FRUSTUM_MAX_PLANES];
        btScalar offsets[ACRE_FRUSTUM_MAX_PLANES];
        for (uint32_t i = 0; i < frustum.plane_count; i++) {
            normals[i] = vector_of(frustum.planes[i]);
            offsets[i] = frustum.planes[i][3];
        }
        btDbvt::collideKDOP(tree.m_root, normals, offsets, static_cast<int>(frustum.plane_count),
                            policy);
    }

    size_t query(const contender_query &query, uint32_t *items) const
    {
        size_t count = 0;
        const auto take = [&](uint32_t item) { items[count++] = item; };
        each_leaf<decltype(take)> each(take);
        collide_planes(*query.frustum, each);
        return count;
    }

    // A thin ray, or a box that moves along it: leaves are larger by it.
    void collide_ray(const btVector3 &from, const btVector3 &to, const btVector3 &half_size,
                     btDbvt::ICollide &policy)
    {
        btVector3 along = to - from, inverse;
        const btScalar length = along.length();
        unsigned int signs[3];
        along /= length;
        for (int axis = 0; axis < 3; axis++) {
            inverse[axis] = along[axis] == 0 ? btScalar(BT_LARGE_FLOAT) : btScalar(1) / along[axis];
            signs[axis] = inverse[axis] < 0;
        }
        tree.rayTestInternal(tree.m_root, from, to, inverse, signs, length, -half_size, half_size,
                             stack, policy);
    }

    // What the tree's own query for the shape finds.
    template <typename Take> void collide(const asked_question &question, const Take &take)
    {
        each_leaf<Take> each(take);
        const acre_query &query = *question.query;
        if (question.planes) {
            collide_planes(*question.planes, each);
        } else if (query.shape == ACRE_QUERY_SHAPE_RAY) {
            const btVector3 from = vector_of(query.ray->origin);
            btVector3 along = vector_of(query.ray->direction);
            along.normalize();
            collide_ray(from, from + question.reach * along, vector_of(query.ray->half_size), each);
        } else if (query.shape == ACRE_QUERY_SHAPE_CAPSULE) {
            const float radius = query.capsule->radius;
            collide_ray(vector_of(query.capsule->from), vector_of(query.capsule->to),
                        btVector3(radius, radius, radius), each);
        } else {
            tree.collideTV(tree.m_root, volume_of(question.bounds), each);
        }
    }

    // Leaves are the boxes themselves: what meets a leaf's test of the tree's own is an answer.
    static bool is_native(const asked_question &question)
    {
        const acre_query &query = *question.query;
        const bool is_view = query.shape == ACRE_QUERY_SHAPE_FRUSTUM && !query.exclude &&
                             !query.layers && !(query.flags & ACRE_QUERY_EXACT);
        return is_view || question.is_box || query.shape == ACRE_QUERY_SHAPE_RAY;
    }

    size_t answer(const asked_question &question, uint32_t *items)
    {
        size_t count = 0;
        if (is_native(question)) {
            collide(question, [&](uint32_t item) { items[count++] = item; });
        } else {
            collide(question, [&](uint32_t item) {
                if (question.is_found(&question, item, &boxes[item])) {
                    items[count++] = item;
                }
            });
        }
        return question.capacity ? std::min(count, question.capacity) : count;
    }

    bool find_hits(const asked_question &question)
    {
        if (question.query->shape == ACRE_QUERY_SHAPE_ALL) {
            return false;
        }
        collide(question, [&](uint32_t item) { hits.add(question, item, boxes[item]); });
        return true;
    }

    size_t bytes() const
    {
        return sizeof *this + bytes_of(leaves) + node_bytes;
    }
};

void *create_with_margin(const contender_world *world)
{
    bullet_tree *const peer = new bullet_tree(*world);
    peer->margin = margin_meters;
    return peer;
}

// The tree against itself.
size_t find_pairs(void *state, acre_pair *pairs, size_t capacity)
{
    btDbvt &tree = static_cast<bullet_tree *>(state)->tree;
    size_t count = 0;
    const auto take = [&](uint32_t a, uint32_t b) {
        if (count < capacity) {
            pairs[count].a = a;
            pairs[count].b = b;
        }
        count++;
    };
    each_pair<decltype(take)> each(take);
    tree.collideTT(tree.m_root, tree.m_root, each);
    return count;
}

} // namespace

bench_contender peer_bullet_tight()
{
    bench_contender table = peer_table<bullet_tree>::make_asked("Bullet btDbvt, tight");
    table.pairs = find_pairs;
    return table;
}

// Questions are the tight one's, which is faster.
bench_contender peer_bullet_margin()
{
    bench_contender table = peer_table<bullet_tree>::make("Bullet btDbvt, 1 m");
    table.create = create_with_margin;
    return table;
}
