// SPDX-License-Identifier: MIT
// ogre_scene_manager.cpp - a scene manager for OGRE 1.12 that finds visible nodes by Acre.
#include "ogre_scene_manager.hpp"

#include <OgreException.h>
#include <OgreRenderQueue.h>

#include <cmath>
#include <utility>

namespace host
{

void check(acre::error failed, const char *where)
{
    if (failed) {
        OGRE_EXCEPT(Ogre::Exception::ERR_INTERNAL_ERROR, failed.text(), where);
    }
}

namespace
{

acre_aabb box_of(const Ogre::AxisAlignedBox &box)
{
    if (box.isInfinite()) {
        return {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    }
    const Ogre::Vector3 &min = box.getMinimum(), &max = box.getMaximum();
    return {{min.x, min.y, min.z}, {max.x, max.y, max.z}};
}

} // namespace

acre_frustum frustum_of(const Ogre::Camera &camera)
{
    const Ogre::Plane *const planes = camera.getFrustumPlanes();
    acre_frustum frustum{};
    for (int i = 0; i < 6; i++) {
        if (i == Ogre::FRUSTUM_PLANE_FAR && camera.getFarClipDistance() == 0) {
            continue; // infinitely far
        }
        float(&out)[4] = frustum.planes[frustum.plane_count++];
        out[0] = planes[i].normal.x;
        out[1] = planes[i].normal.y;
        out[2] = planes[i].normal.z;
        out[3] = planes[i].d;
    }
    return frustum;
}

tree_node::tree_node(tree_manager &manager)
    : SceneNode(&manager), manager_(manager), slot_(manager.add(this))
{
}

tree_node::tree_node(tree_manager &manager, const Ogre::String &name)
    : SceneNode(&manager, name), manager_(manager), slot_(manager.add(this))
{
}

tree_node::~tree_node()
{
    manager_.forget(slot_);
}

// OGRE calls it for each node that moved, or whose objects changed.
void tree_node::_updateBounds()
{
    mWorldAABB.setNull();
    for (Ogre::MovableObject *const object : getAttachedObjects()) {
        mWorldAABB.merge(object->getWorldBoundingBox(true));
    }
    manager_.place(slot_, mWorldAABB);
}

void tree_node::setInSceneGraph(bool is_in)
{
    SceneNode::setInSceneGraph(is_in);
    if (!is_in) {
        manager_.place(slot_, Ogre::AxisAlignedBox::BOX_NULL);
    }
}

const Ogre::String tree_manager::type_name = "AcreSceneManager";

tree_manager::tree_manager(const Ogre::String &name) : SceneManager(name)
{
    check(culling_.create_for_objects(), "tree_manager");
}

tree_manager::~tree_manager()
{
    clearScene(); // while the rows are there: its nodes leave them
    mSceneRoot.reset();
}

const Ogre::String &tree_manager::getTypeName() const
{
    return type_name;
}

uint32_t tree_manager::add(tree_node *node)
{
    if (free_slots_.empty()) {
        rows_.push_back({node, false, false, true, false});
        boxes_.push_back({});
        return static_cast<uint32_t>(rows_.size() - 1);
    }
    const uint32_t slot = free_slots_.back();
    free_slots_.pop_back();
    rows_[slot].node = node;
    rows_[slot].is_another = true;
    return slot;
}

void tree_manager::list(uint32_t slot)
{
    if (!std::exchange(rows_[slot].is_listed, true)) {
        changed_.push_back(slot);
    }
}

void tree_manager::place(uint32_t slot, const Ogre::AxisAlignedBox &box)
{
    rows_[slot].has_box = !box.isNull();
    if (rows_[slot].has_box) {
        boxes_[slot] = box_of(box);
    }
    list(slot);
}

void tree_manager::forget(uint32_t slot)
{
    place(slot, Ogre::AxisAlignedBox::BOX_NULL);
    rows_[slot].node = nullptr;
    free_slots_.push_back(slot);
}

// The culler learns what has changed since the last update. Its upkeep goes on where nothing has.
void tree_manager::update()
{
    removed_.clear();
    added_.clear();
    moved_.clear();
    for (const uint32_t slot : changed_) {
        row &changed = rows_[slot];
        if (!changed.has_box) {
            if (changed.is_object) {
                removed_.push_back(slot);
            }
        } else {
            (changed.is_object && !changed.is_another ? moved_ : added_).push_back(slot);
            changed.is_another = false;
        }
        changed.is_object = changed.has_box;
        changed.is_listed = false;
    }
    changed_.clear();
    acre_objects objects{};
    objects.slot_count = static_cast<uint32_t>(rows_.size());
    objects.boxes = {boxes_[0].min, boxes_[0].max, sizeof boxes_[0], sizeof boxes_[0],
                     ACRE_BOX_FORM_MIN_MAX};
    objects.removed = removed_.data();
    objects.removed_count = removed_.size();
    objects.added = added_.data();
    objects.added_count = added_.size();
    objects.moved = moved_.data();
    objects.moved_count = moved_.size();
    check(culling_.update(objects), "tree_manager::update");
}

void tree_manager::_updateSceneGraph(Ogre::Camera *camera)
{
    SceneManager::_updateSceneGraph(camera); // the root is a node, so there is a row
    update();
}

void tree_manager::_findVisibleObjects(Ogre::Camera *camera, Ogre::VisibleObjectsBoundsInfo *bounds,
                                       bool only_casters)
{
    Ogre::RenderQueue *const queue = getRenderQueue();
    queue->clear();
    if (!changed_.empty()) {
        update(); // the program took nodes away after the scene graph was updated
    }
    size_t count = 0;
    check(culling_.query_into(frustum_of(*camera), visible_, count),
          "tree_manager::_findVisibleObjects");
    for (size_t i = 0; i < count; i++) {
        for (Ogre::MovableObject *const object : rows_[visible_[i]].node->getAttachedObjects()) {
            queue->processVisibleObject(object, camera, only_casters, bounds);
        }
    }
}

Ogre::SceneNode *tree_manager::createSceneNodeImpl()
{
    return new tree_node(*this);
}

Ogre::SceneNode *tree_manager::createSceneNodeImpl(const Ogre::String &name)
{
    return new tree_node(*this, name);
}

Ogre::SceneManager *tree_manager_factory::createInstance(const Ogre::String &name)
{
    return new tree_manager(name);
}

void tree_manager_factory::destroyInstance(Ogre::SceneManager *manager)
{
    delete manager;
}

void tree_manager_factory::initMetaData() const
{
    mMetaData.typeName = tree_manager::type_name;
    mMetaData.worldGeometrySupported = false;
}

} // namespace host
