// SPDX-License-Identifier: MIT
// engine_osg.cpp - OpenSceneGraph 3.6 without a window: transforms in 64 x 64 groups of the ground.
#include "engine.h"
#include "engines.hpp"

#include <osg/Drawable>
#include <osg/Group>
#include <osg/PositionAttitudeTransform>
#include <osg/Viewport>
#include <osgUtil/CullVisitor>
#include <osgUtil/RenderStage>
#include <osgUtil/StateGraph>

#include <algorithm>
#include <memory>
#include <vector>

namespace
{

constexpr int side = 64; // groups along a side of the square

class thing : public osg::Drawable
{
  public:
    thing(uint32_t item, const float *half_size)
        : number(item), half_(half_size[0], half_size[1], half_size[2])
    {
    }
    osg::BoundingBox computeBoundingBox() const override
    {
        return osg::BoundingBox(-half_, half_);
    }
    const uint32_t number;

  private:
    osg::Vec3 half_;
};

// In place of a drawable's way into the lists of what is drawn.
class record : public osg::DrawableCullCallback
{
  public:
    bool cull(osg::NodeVisitor *visitor, osg::Drawable *drawable, osg::RenderInfo *) const override
    {
        auto *const culler = static_cast<osgUtil::CullVisitor *>(visitor);
        if (!culler->isCulled(drawable->getBoundingBox())) {
            answer->items[answer->count++] = static_cast<thing *>(drawable)->number;
        }
        return true;
    }
    engine_answer *answer = nullptr;
};

struct osg_world {
    osg::ref_ptr<osg::Group> root = new osg::Group;
    std::vector<osg::ref_ptr<osg::PositionAttitudeTransform>> places; // by item
    osg::ref_ptr<record> recorder = new record;
    osg::ref_ptr<osgUtil::CullVisitor> culler = new osgUtil::CullVisitor;
    osg::ref_ptr<osgUtil::StateGraph> states = new osgUtil::StateGraph;
    osg::ref_ptr<osgUtil::RenderStage> stage = new osgUtil::RenderStage;
    osg::ref_ptr<osg::Viewport> viewport = new osg::Viewport(0, 0, 1920, 1080);
};

int cell_of(float place, float half_size)
{
    const int cell = static_cast<int>((place + half_size) * (side / (2 * half_size)));
    return std::clamp(cell, 0, side - 1);
}

void *create(const engine_world *world)
{
    auto made = std::make_unique<osg_world>();
    for (int i = 0; i < side * side; i++) {
        made->root->addChild(new osg::Group);
    }
    for (uint32_t i = 0; i < world->count; i++) {
        const float *const center = world->centers[i];
        osg::ref_ptr<thing> drawable = new thing(i, world->half_sizes[i]);
        drawable->setCullCallback(made->recorder);
        made->places.push_back(new osg::PositionAttitudeTransform);
        made->places.back()->setPosition(osg::Vec3d(center[0], center[1], center[2]));
        made->places.back()->addChild(drawable);
        const int group =
            cell_of(center[2], world->half_size) * side + cell_of(center[0], world->half_size);
        made->root->getChild(static_cast<unsigned>(group))
            ->asGroup()
            ->addChild(made->places.back());
    }
    made->culler->setCullingMode(osg::CullSettings::VIEW_FRUSTUM_CULLING);
    made->culler->setComputeNearFarMode(osg::CullSettings::DO_NOT_COMPUTE_NEAR_FAR);
    return made.release();
}

// As osgUtil::SceneView does it.
void look(osg_world &world, const acre_camera &camera)
{
    osgUtil::CullVisitor &culler = *world.culler;
    culler.reset();
    world.states->clean();
    world.stage->reset();
    culler.setStateGraph(world.states);
    culler.setRenderStage(world.stage);
    culler.pushViewport(world.viewport);
    culler.pushProjectionMatrix(new osg::RefMatrix(osg::Matrixf(camera.projection)));
    culler.pushModelViewMatrix(new osg::RefMatrix(osg::Matrixf(camera.view)),
                               osg::Transform::ABSOLUTE_RF);
    world.root->accept(culler);
    culler.popModelViewMatrix();
    culler.popProjectionMatrix();
    culler.popViewport();
}

void run(osg_world &world, const engine_frame &frame, engine_answer *answers)
{
    for (uint32_t i = 0; i < frame.mover_count; i++) {
        const uint32_t item = frame.movers[i];
        const float *const center = frame.centers[item];
        world.places[item]->setPosition(osg::Vec3d(center[0], center[1], center[2]));
    }
    world.root->getBound(); // of all that moved
    for (uint32_t i = 0; i < frame.camera_count; i++) {
        answers[i].count = 0;
        world.recorder->answer = &answers[i];
        look(world, frame.cameras[i]);
    }
}

void *create_safely(const engine_world *world)
{
    return host::without_exceptions<void *>([&] { return create(world); });
}

bool frame_of(void *state, const engine_frame *frame, engine_answer *answers)
{
    return host::without_exceptions<bool>(
        [&] { return run(*static_cast<osg_world *>(state), *frame, answers), true; });
}

void destroy(void *state)
{
    delete static_cast<osg_world *>(state);
}

} // namespace

const engine engine_osg = {"OpenSceneGraph", create_safely, frame_of, destroy};
