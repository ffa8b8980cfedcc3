// SPDX-License-Identifier: MIT
// ogre_scene_object.hpp - one MovableObject of OGRE 1.12 that stands for all that a culler has.
//
// Attach it to the root node. OGRE then asks it once for each camera; it asks the culler, and hands
// what is visible to the program, which adds renderables to OGRE's queue. The culler is one over
// the program's own arrays (acre/objects.h), or over a scene of Acre. No nodes of OGRE are needed.
#ifndef OGRE_SCENE_OBJECT_HPP
#define OGRE_SCENE_OBJECT_HPP

#include "ogre_scene_manager.hpp"

#include <OgreMovableObject.h>
#include <OgreRenderQueue.h>

#include <functional>

namespace host
{

class scene_object : public Ogre::MovableObject
{
  public:
    using drawer = std::function<void(Ogre::RenderQueue &, acre::span<const uint32_t> slots)>;

    scene_object(const acre::culling &culling, drawer draw)
        : culling_(culling), draw_(std::move(draw)), bounds_(Ogre::AxisAlignedBox::BOX_INFINITE)
    {
        setCastShadows(false); // OGRE's shadow cameras ask it like any camera
    }
    const Ogre::String &getMovableType() const override
    {
        static const Ogre::String type = "AcreScene";
        return type;
    }
    const Ogre::AxisAlignedBox &getBoundingBox() const override
    {
        return bounds_; // each camera asks
    }
    Ogre::Real getBoundingRadius() const override
    {
        return 0;
    }
    void _notifyCurrentCamera(Ogre::Camera *camera) override
    {
        MovableObject::_notifyCurrentCamera(camera);
        camera_ = camera;
    }
    void _updateRenderQueue(Ogre::RenderQueue *queue) override
    {
        size_t count = 0;
        check(culling_.query_into(frustum_of(*camera_), room_, count), "scene_object");
        draw_(*queue, {room_.data(), count});
    }
    void visitRenderables(Ogre::Renderable::Visitor *, bool) override
    {
    }

  private:
    const acre::culling &culling_;
    drawer draw_;
    Ogre::AxisAlignedBox bounds_;
    Ogre::Camera *camera_ = nullptr;
    std::vector<uint32_t> room_;
};

} // namespace host

#endif
