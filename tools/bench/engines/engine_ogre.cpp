// SPDX-License-Identifier: MIT
// engine_ogre.cpp - OGRE 1.12 without a window: its octree, and Acre's tree in its place.
#include "engine.h"
#include "engines.hpp"

#include "ogre_scene_manager.hpp"

#include <Ogre.h>
#include <OgreDefaultHardwareBufferManager.h>

#include <memory>

namespace
{

// What is drawn writes its number into the camera's list.
class thing : public Ogre::MovableObject
{
  public:
    thing(uint32_t item, const float *half_size, engine_answer *const &answer)
        : item_(item), box_(-Ogre::Vector3(half_size), Ogre::Vector3(half_size)), answer_(answer)
    {
    }
    const Ogre::String &getMovableType() const override
    {
        static const Ogre::String type = "thing";
        return type;
    }
    const Ogre::AxisAlignedBox &getBoundingBox() const override
    {
        return box_;
    }
    Ogre::Real getBoundingRadius() const override
    {
        return box_.getHalfSize().length();
    }
    void _updateRenderQueue(Ogre::RenderQueue *) override
    {
        answer_->items[answer_->count++] = item_;
    }
    void visitRenderables(Ogre::Renderable::Visitor *, bool) override
    {
    }

  private:
    uint32_t item_;
    Ogre::AxisAlignedBox box_;
    engine_answer *const &answer_;
};

// OGRE is there once in a process: the first world makes it, and it goes with the last one.
struct ogre_itself {
    Ogre::LogManager log;
    host::tree_manager_factory factory; // before the root, which outlives no factory
    std::unique_ptr<Ogre::Root> root;
    std::unique_ptr<Ogre::DefaultHardwareBufferManager> buffers;

    ogre_itself()
    {
        log.createLog("", true, false, true); // quiet
        root = std::make_unique<Ogre::Root>("", "", "");
        buffers = std::make_unique<Ogre::DefaultHardwareBufferManager>();
        Ogre::MaterialManager::getSingleton().initialise();
        root->loadPlugin(ACRE_OGRE_PLUGINS "/Plugin_OctreeSceneManager");
        for (Ogre::Plugin *const plugin : root->getInstalledPlugins()) {
            plugin->initialise(); // as Root::initialise does, which wants a render system
        }
        root->addSceneManagerFactory(&factory);
    }
};

std::shared_ptr<ogre_itself> share_ogre()
{
    static std::weak_ptr<ogre_itself> last;
    std::shared_ptr<ogre_itself> shared = last.lock();
    if (!shared) {
        shared = std::make_shared<ogre_itself>();
        last = shared;
    }
    return shared;
}

struct ogre_world {
    std::shared_ptr<ogre_itself> ogre = share_ogre();
    Ogre::SceneManager *manager = nullptr;
    std::vector<Ogre::Camera *> cameras;
    std::vector<std::unique_ptr<thing>> things;
    std::vector<Ogre::SceneNode *> nodes;
    engine_answer *answer = nullptr; // of the camera that looks

    ~ogre_world()
    {
        if (manager) {
            manager->clearScene();
            things.clear();
            ogre->root->destroySceneManager(manager);
        }
    }
};

void *create(const engine_world *world, const Ogre::String &type)
{
    auto made = std::make_unique<ogre_world>();
    made->manager = made->ogre->root->createSceneManager(type);
    Ogre::AxisAlignedBox square(-world->half_size, -1000, -world->half_size, world->half_size, 1000,
                                world->half_size);
    made->manager->setOption("Size", &square); // only the octree takes it
    Ogre::SceneNode *const top = made->manager->getRootSceneNode();
    for (uint32_t i = 0; i < world->count; i++) {
        made->things.push_back(std::make_unique<thing>(i, world->half_sizes[i], made->answer));
        made->nodes.push_back(top->createChildSceneNode(Ogre::Vector3(world->centers[i])));
        made->nodes.back()->attachObject(made->things.back().get());
    }
    return made.release();
}

void aim(Ogre::Camera *camera, const acre_camera &at)
{
    Ogre::Affine3 view = Ogre::Affine3::IDENTITY;
    Ogre::Matrix4 projection;
    for (size_t row = 0; row < 4; row++) {
        for (size_t column = 0; column < 4; column++) {
            projection[row][column] = at.projection[4 * column + row];
            if (row < 3) {
                view[row][column] = at.view[4 * column + row];
            }
        }
    }
    camera->setCustomViewMatrix(true, view);
    camera->setCustomProjectionMatrix(true, projection);
}

void run(ogre_world &world, const engine_frame &frame, engine_answer *answers)
{
    for (uint32_t i = 0; i < frame.mover_count; i++) {
        const uint32_t item = frame.movers[i];
        world.nodes[item]->setPosition(Ogre::Vector3(frame.centers[item]));
    }
    while (world.cameras.size() < frame.camera_count) {
        world.cameras.push_back(
            world.manager->createCamera(Ogre::StringConverter::toString(world.cameras.size())));
    }
    for (uint32_t i = 0; i < frame.camera_count; i++) {
        Ogre::VisibleObjectsBoundsInfo bounds;
        world.answer = &answers[i];
        world.answer->count = 0;
        aim(world.cameras[i], frame.cameras[i]);
        world.manager->_updateSceneGraph(world.cameras[i]); // as OGRE does for each camera
        world.manager->_findVisibleObjects(world.cameras[i], &bounds, false);
    }
}

void *create_octree(const engine_world *world)
{
    return host::without_exceptions<void *>([&] { return create(world, "OctreeSceneManager"); });
}

void *create_tree(const engine_world *world)
{
    return host::without_exceptions<void *>(
        [&] { return create(world, host::tree_manager::type_name); });
}

bool frame_of(void *state, const engine_frame *frame, engine_answer *answers)
{
    return host::without_exceptions<bool>(
        [&] { return run(*static_cast<ogre_world *>(state), *frame, answers), true; });
}

void destroy(void *state)
{
    delete static_cast<ogre_world *>(state);
}

} // namespace

const engine engine_ogre_octree = {"OGRE, octree", create_octree, frame_of, destroy};
const engine engine_ogre_tree = {"OGRE, Acre's tree", create_tree, frame_of, destroy};
