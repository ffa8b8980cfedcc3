// SPDX-License-Identifier: MIT
// ogre_scene_manager.cpp - a scene manager for OGRE 1.12 that finds visible nodes in Acre's tree.
#include "ogre_scene_manager.hpp"

#include <OgreException.h>
#include <OgreRenderQueue.h>

#include <cmath>

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
    : SceneNode(&manager), manager_(manager), item_(manager.add(this))
{
}

tree_node::tree_node(tree_manager &manager, const Ogre::String &name)
    : SceneNode(&manager, name), manager_(manager), item_(manager.add(this))
{
}

tree_node::~tree_node()
{
    manager_.forget(item_);
}

// OGRE calls it for each node that moved, or whose objects changed.
void tree_node::_updateBounds()
{
    mWorldAABB.setNull();
    for (Ogre::MovableObject *const object : getAttachedObjects()) {
        mWorldAABB.merge(object->getWorldBoundingBox(true));
    }
    manager_.place(item_, mWorldAABB);
}

void tree_node::setInSceneGraph(bool is_in)
{
    SceneNode::setInSceneGraph(is_in);
    if (!is_in) {
        manager_.take_out(item_);
    }
}

const Ogre::String tree_manager::type_name = "AcreSceneManager";

tree_manager::tree_manager(const Ogre::String &name) : SceneManager(name)
{
    check(tree_.create(), "tree_manager");
}

tree_manager::~tree_manager()
{
    clearScene(); // while the tree is there: its nodes leave it
    mSceneRoot.reset();
}

const Ogre::String &tree_manager::getTypeName() const
{
    return type_name;
}

uint32_t tree_manager::add(tree_node *node)
{
    if (free_items_.empty()) {
        nodes_.push_back(node);
        return static_cast<uint32_t>(nodes_.size() - 1);
    }
    const uint32_t item = free_items_.back();
    free_items_.pop_back();
    nodes_[item] = node;
    return item;
}

void tree_manager::place(uint32_t item, const Ogre::AxisAlignedBox &box)
{
    if (box.isNull()) {
        take_out(item);
        return;
    }
    const acre_aabb aabb = box_of(box);
    acre::error failed = tree_.refresh(item, aabb);
    if (failed.result() == ACRE_ERROR_NOT_FOUND) {
        failed = tree_.insert(item, aabb);
    }
    check(failed, "tree_manager::place");
}

void tree_manager::take_out(uint32_t item)
{
    if (tree_.contains(item)) {
        check(tree_.remove(item), "tree_manager::take_out");
    }
}

void tree_manager::forget(uint32_t item)
{
    take_out(item);
    nodes_[item] = nullptr;
    free_items_.push_back(item);
}

void tree_manager::_updateSceneGraph(Ogre::Camera *camera)
{
    SceneManager::_updateSceneGraph(camera);
    check(tree_.maintain(), "tree_manager::_updateSceneGraph");
}

void tree_manager::_findVisibleObjects(Ogre::Camera *camera, Ogre::VisibleObjectsBoundsInfo *bounds,
                                       bool only_casters)
{
    Ogre::RenderQueue *const queue = getRenderQueue();
    queue->clear();
    const acre_frustum frustum = frustum_of(*camera);
    acre_query query{};
    query.shape = ACRE_QUERY_SHAPE_FRUSTUM;
    query.frustum = &frustum;
    size_t count = 0;
    check(tree_.query_into(query, visible_, count), "tree_manager::_findVisibleObjects");
    for (size_t i = 0; i < count; i++) {
        for (Ogre::MovableObject *const object : nodes_[visible_[i]]->getAttachedObjects()) {
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
