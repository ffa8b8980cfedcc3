// SPDX-License-Identifier: MIT
// engine_ogre.cpp - OGRE 1.12 without a window: its octree, Acre's tree in its place, and one
// object that stands for a scene of Acre.
#include "engine.h"
#include "engines.hpp"

#include "ogre_scene_object.hpp"

#include <Ogre.h>
#include <OgreDefaultHardwareBufferManager.h>

#include <algorithm>
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

// What both kinds of worlds have: a manager and its cameras.
struct ogre_eyes {
    std::shared_ptr<ogre_itself> ogre = share_ogre();
    Ogre::SceneManager *manager = nullptr;
    std::vector<Ogre::Camera *> cameras;
};

struct ogre_world : ogre_eyes {
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

// Each camera looks; what is drawn goes into *answer.
void look(ogre_eyes &eyes, const engine_frame &frame, engine_answer *answers,
          engine_answer *&answer)
{
    while (eyes.cameras.size() < frame.camera_count) {
        eyes.cameras.push_back(
            eyes.manager->createCamera(Ogre::StringConverter::toString(eyes.cameras.size())));
    }
    for (uint32_t i = 0; i < frame.camera_count; i++) {
        Ogre::VisibleObjectsBoundsInfo bounds;
        answer = &answers[i];
        answer->count = 0;
        aim(eyes.cameras[i], frame.cameras[i]);
        eyes.manager->_updateSceneGraph(eyes.cameras[i]); // as OGRE does for each camera
        eyes.manager->_findVisibleObjects(eyes.cameras[i], &bounds, false);
    }
}

void run(ogre_world &world, const engine_frame &frame, engine_answer *answers)
{
    for (uint32_t i = 0; i < frame.mover_count; i++) {
        const uint32_t item = frame.movers[i];
        world.nodes[item]->setPosition(Ogre::Vector3(frame.centers[item]));
    }
    look(world, frame, answers, world.answer);
}

// One object of OGRE that stands for a scene; the scene's slots are the items.
struct ogre_scene : ogre_eyes {
    acre::scene scene;
    acre::culling culling;
    std::vector<acre_entity> entities;
    std::unique_ptr<host::scene_object> object;
    engine_answer *answer = nullptr; // of the camera that looks

    ~ogre_scene()
    {
        if (manager) {
            manager->clearScene();
            object.reset();
            ogre->root->destroySceneManager(manager);
        }
    }
};

acre_transform standing_at(const float *center)
{
    acre_transform at = ACRE_TRANSFORM_IDENTITY;
    std::copy(center, center + 3, at.translation);
    return at;
}

void fill(ogre_scene &made, const engine_world &world)
{
    acre_culling_def def{};
    def.register_all = true;
    def.tree.half_size = world.half_size;
    host::check(made.scene.create(), "scene");
    host::check(made.culling.create(made.scene, def), "culling");
    made.entities.resize(world.count);
    const float origin[3] = {0, 0, 0};
    for (uint32_t i = 0; i < world.count; i++) {
        const acre_transform at = standing_at(world.centers[i]);
        const acre_aabb box = acre_aabb_from_center(origin, world.half_sizes[i]);
        acre_entity_def entity{};
        entity.local = &at;
        entity.bounds = &box;
        host::check(made.scene.create_entity(entity, made.entities[i]), "entity");
    }
    host::check(made.scene.commit(), "commit");
}

void *create_scene(const engine_world *world)
{
    return host::without_exceptions<void *>([&] {
        auto made = std::make_unique<ogre_scene>();
        fill(*made, *world);
        made->manager = made->ogre->root->createSceneManager();
        made->object = std::make_unique<host::scene_object>(
            made->culling,
            [&into = made->answer](Ogre::RenderQueue &, acre::span<const uint32_t> slots) {
                std::copy(slots.begin(), slots.end(), into->items);
                into->count = static_cast<uint32_t>(slots.size());
            });
        made->manager->getRootSceneNode()->attachObject(made->object.get());
        return made.release();
    });
}

void run_scene(ogre_scene &world, const engine_frame &frame, engine_answer *answers)
{
    for (uint32_t i = 0; i < frame.mover_count; i++) {
        const uint32_t item = frame.movers[i];
        const acre_transform at = standing_at(frame.centers[item]);
        host::check(world.scene.set_local(world.entities[item], at), "set_local");
    }
    host::check(world.scene.commit(), "commit");
    look(world, frame, answers, world.answer);
}

bool frame_of_scene(void *state, const engine_frame *frame, engine_answer *answers)
{
    return host::without_exceptions<bool>(
        [&] { return run_scene(*static_cast<ogre_scene *>(state), *frame, answers), true; });
}

void destroy_scene(void *state)
{
    delete static_cast<ogre_scene *>(state);
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
const engine engine_ogre_scene = {"OGRE, Acre's scene", create_scene, frame_of_scene,
                                  destroy_scene};
