// SPDX-License-Identifier: MIT
// ogre_edits.cpp - both ways to use Acre in OGRE 1.12, without a window: the scene manager beside
// OGRE's own over thousands of random edits, and one object that stands for the program's arrays.
//     ogre_edits PLUGIN [EDITS]
#include "ogre_scene_object.hpp"

#include <Ogre.h>
#include <OgreDefaultHardwareBufferManager.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <random>

namespace
{

constexpr uint32_t thing_count = 3000;
using numbers = std::vector<uint32_t>;

// What a program would draw; here it writes its number down.
class thing : public Ogre::MovableObject
{
  public:
    thing(uint32_t number, const Ogre::Vector3 &half_size, numbers &drawn)
        : number_(number), box_(-half_size, half_size), drawn_(drawn)
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
        drawn_.push_back(number_);
    }
    void visitRenderables(Ogre::Renderable::Visitor *, bool) override
    {
    }

  private:
    uint32_t number_;
    Ogre::AxisAlignedBox box_;
    numbers &drawn_;
};

// A scene manager with things, each at a node.
struct world {
    Ogre::SceneManager *manager;
    Ogre::Camera *camera;
    numbers drawn;
    std::vector<std::unique_ptr<thing>> things;
    std::vector<Ogre::SceneNode *> nodes;

    world(const Ogre::String &type, std::mt19937 random)
        : manager(Ogre::Root::getSingleton().createSceneManager(type)),
          camera(manager->createCamera("eye"))
    {
        std::uniform_real_distribution<float> size(0.2f, 6.0f);
        manager->getRootSceneNode()->createChildSceneNode("eye")->attachObject(camera);
        camera->setNearClipDistance(0.1f);
        for (uint32_t i = 0; i < thing_count; i++) {
            const Ogre::Vector3 half_size(size(random), size(random), size(random));
            things.push_back(std::make_unique<thing>(i, half_size, drawn));
            nodes.push_back(manager->getRootSceneNode()->createChildSceneNode());
            nodes.back()->attachObject(things.back().get());
        }
    }
    ~world()
    {
        manager->clearScene();
        things.clear();
        Ogre::Root::getSingleton().destroySceneManager(manager);
    }
    world(const world &) = delete;
    world &operator=(const world &) = delete;

    // One edit; the same numbers make the same edit in each world.
    void edit(std::mt19937 random)
    {
        std::uniform_real_distribution<float> place(-300, 300), angle(-3, 3);
        const size_t i = random() % thing_count, other = random() % thing_count;
        Ogre::SceneNode *const node = nodes[i];
        switch (random() % 9) {
        case 0:
            hang(i, other);
            break;
        case 1: // out of the graph with all below, or back
            hang(i, i);
            break;
        case 2:
            things[i]->isAttached() ? node->detachObject(things[i].get())
                                    : node->attachObject(things[i].get());
            break;
        case 3:
            node->setScale(Ogre::Vector3(angle(random)));
            break;
        case 4:
            node->yaw(Ogre::Radian(angle(random)));
            break;
        case 5:
            replace(i);
            break;
        default:
            node->setPosition(place(random), 0.1f * place(random), place(random));
        }
    }
    // Node i under another one, or alternately nowhere and under the root.
    void hang(size_t i, size_t other)
    {
        for (Ogre::Node *up = nodes[other]; up; up = up->getParent()) {
            if (up == nodes[i] && i != other) {
                return; // that would be a circle
            }
        }
        Ogre::Node *const parent = nodes[i]->getParent();
        if (parent) {
            parent->removeChild(nodes[i]);
        }
        if (i != other) {
            nodes[other]->addChild(nodes[i]);
        } else if (!parent) {
            manager->getRootSceneNode()->addChild(nodes[i]);
        }
    }
    // Another node in the place of node i, if nothing hangs below it.
    void replace(size_t i)
    {
        Ogre::SceneNode *const parent = nodes[i]->getParentSceneNode();
        if (parent && nodes[i]->numChildren() == 0) {
            nodes[i]->detachAllObjects();
            manager->destroySceneNode(nodes[i]);
            nodes[i] = parent->createChildSceneNode();
            nodes[i]->attachObject(things[i].get());
        }
    }
    const numbers &look(std::mt19937 random)
    {
        std::uniform_real_distribution<float> place(-300, 300), angle(-3, 3);
        Ogre::SceneNode *const eye = camera->getParentSceneNode();
        eye->setPosition(place(random), 10, place(random));
        eye->setOrientation(Ogre::Quaternion(Ogre::Radian(angle(random)), Ogre::Vector3::UNIT_Y));
        camera->setFarClipDistance(random() % 3 ? 100.0f + place(random) / 4 : 0.0f);
        drawn.clear();
        Ogre::VisibleObjectsBoundsInfo bounds;
        manager->_updateSceneGraph(camera);
        Ogre::SceneNode *const late = nodes[random() % thing_count];
        if (late->getParent()) {
            late->getParent()->removeChild(late); // after the update
        }
        manager->_findVisibleObjects(camera, &bounds, false);
        std::sort(drawn.begin(), drawn.end());
        return drawn;
    }
    // The things in the graph whose boxes OGRE's camera calls visible.
    numbers visible() const
    {
        numbers found;
        for (uint32_t i = 0; i < thing_count; i++) {
            if (nodes[i]->isInSceneGraph() && things[i]->isAttached() &&
                camera->isVisible(things[i]->getWorldBoundingBox(true))) {
                found.push_back(i);
            }
        }
        return found;
    }
};

// Edits a world of OGRE's and one with the tree alike. The tree's draws exactly what is visible,
// and OGRE's draws that too: its nodes have larger boxes, which hold their children.
bool edits_agree(unsigned edits)
{
    std::mt19937 random(12);
    world own("DefaultSceneManager", random), tree("AcreSceneManager", random);
    size_t seen = 0;
    for (unsigned i = 0; i < edits; i++) {
        own.edit(random);
        tree.edit(random);
        random.discard(20);
        if (i % 20 != 19) {
            continue;
        }
        const numbers &all = own.look(random), &drawn = tree.look(random);
        if (drawn != own.visible() ||
            !std::includes(all.begin(), all.end(), drawn.begin(), drawn.end())) {
            std::printf("after %u edits the tree draws %zu things, OGRE %zu; %zu are visible\n",
                        i + 1, drawn.size(), all.size(), own.visible().size());
            return false;
        }
        seen += drawn.size();
    }
    std::printf(
        "scene manager: %u edits, and each time exactly the visible things were drawn; %zu in "
        "all\n",
        edits, seen);
    return seen > edits / 20;
}

// What a program may have instead of nodes: a box for each of its objects.
std::vector<acre_aabb> field_of_boxes()
{
    std::vector<acre_aabb> boxes;
    for (int i = 0; i < 10000; i++) {
        const float x = static_cast<float>(i % 100 * 10 - 500);
        const float z = static_cast<float>(i / 100 * 10 - 500);
        boxes.push_back({{x - 1, 0, z - 1}, {x + 1, 2, z + 1}});
    }
    return boxes;
}

// The first time all objects are added; later all may have moved.
acre::error update(acre::culling &culling, const std::vector<acre_aabb> &boxes, bool is_first)
{
    numbers slots(boxes.size());
    std::iota(slots.begin(), slots.end(), 0u);
    acre_objects objects{};
    objects.slot_count = static_cast<uint32_t>(boxes.size());
    objects.boxes = {boxes[0].min, boxes[0].max, sizeof boxes[0], sizeof boxes[0],
                     ACRE_BOX_FORM_MIN_MAX};
    objects.added = is_first ? slots.data() : nullptr;
    objects.added_count = is_first ? slots.size() : 0;
    objects.moved_count = is_first ? 0 : ACRE_ALL_MOVED;
    return culling.update(objects);
}

// Objects of the program in OGRE: they need no nodes, and Acre keeps no copy of them.
bool one_object_draws_arrays()
{
    std::vector<acre_aabb> boxes = field_of_boxes();
    acre::culling culling;
    acre::error failed = culling.create_for_objects();
    Ogre::SceneManager *const manager = Ogre::Root::getSingleton().createSceneManager();
    Ogre::Camera *const camera = manager->createCamera("eye");
    Ogre::SceneNode *const eye = manager->getRootSceneNode()->createChildSceneNode();
    eye->attachObject(camera);
    eye->setPosition(0, 2, 0);
    camera->setFarClipDistance(200);
    numbers drawn;
    host::scene_object object(culling, [&](Ogre::RenderQueue &, acre::span<const uint32_t> slots) {
        drawn.assign(slots.begin(), slots.end()); // a program adds its renderables of these slots
    });
    manager->getRootSceneNode()->attachObject(&object);
    bool is_same = true;
    for (int frame = 0; frame < 3; frame++) {
        failed = failed ? failed : update(culling, boxes, frame == 0);
        manager->_updateSceneGraph(camera);
        manager->_findVisibleObjects(camera, nullptr, false);
        std::sort(drawn.begin(), drawn.end());
        numbers expected;
        const acre_frustum frustum = host::frustum_of(*camera);
        for (uint32_t slot = 0; slot < boxes.size(); slot++) {
            if (acre_frustum_test_aabb(&frustum, &boxes[slot])) {
                expected.push_back(slot);
            }
            boxes[slot].min[0] += 3;
            boxes[slot].max[0] += 3;
        }
        is_same = is_same && drawn == expected && !drawn.empty();
        std::printf("one object, frame %d: %zu of %zu objects drawn\n", frame, drawn.size(),
                    boxes.size());
    }
    manager->getRootSceneNode()->detachObject(&object);
    Ogre::Root::getSingleton().destroySceneManager(manager);
    return !failed && is_same;
}

// A frame that cannot be right is not drawn empty: the program hears of it.
bool a_failed_query_is_an_exception()
{
    const acre::culling none;
    bool is_drawn = false, is_thrown = false;
    host::scene_object object(
        none, [&](Ogre::RenderQueue &, acre::span<const uint32_t>) { is_drawn = true; });
    Ogre::SceneManager *const manager = Ogre::Root::getSingleton().createSceneManager();
    Ogre::Camera *const camera = manager->createCamera("eye");
    manager->getRootSceneNode()->createChildSceneNode()->attachObject(camera);
    manager->getRootSceneNode()->attachObject(&object);
    manager->_updateSceneGraph(camera);
    try {
        manager->_findVisibleObjects(camera, nullptr, false);
    } catch (const Ogre::Exception &) {
        is_thrown = true;
    }
    manager->getRootSceneNode()->detachObject(&object);
    Ogre::Root::getSingleton().destroySceneManager(manager);
    std::printf("a failed query: %s\n", is_thrown ? "an exception" : "nobody hears of it");
    return is_thrown && !is_drawn;
}

} // namespace

int main(int argc, char **argv)
{
    const unsigned edits = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 18000;
    if (argc < 2) {
        std::fprintf(stderr, "usage: ogre_edits PLUGIN [EDITS]\n");
        return 2;
    }
    Ogre::LogManager log;
    log.createLog("", true, false, true); // quiet
    Ogre::Root root("", "", "");
    Ogre::DefaultHardwareBufferManager buffers; // in place of a graphics card's
    Ogre::MaterialManager::getSingleton().initialise();
    root.loadPlugin(argv[1]);
    for (Ogre::Plugin *const plugin : root.getInstalledPlugins()) {
        plugin->initialise(); // as Root::initialise does, which wants a render system
    }
    try {
        const bool is_good =
            edits_agree(edits) && one_object_draws_arrays() && a_failed_query_is_an_exception();
        return is_good ? 0 : 1;
    } catch (const Ogre::Exception &failed) {
        std::fprintf(stderr, "ogre_edits: %s\n", failed.getDescription().c_str());
        return 1;
    }
}
