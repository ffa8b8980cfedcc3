// SPDX-License-Identifier: MIT
// ogre_scene_manager.hpp - a scene manager for OGRE 1.12 that finds visible nodes by Acre.
//
// A program asks OGRE for the type "AcreSceneManager" and changes nothing else. OGRE keeps the
// nodes and computes their boxes. To Acre a node is an object (acre/objects.h): once a camera an
// update takes the boxes that changed, and the culler answers what the camera sees.
#ifndef OGRE_SCENE_MANAGER_HPP
#define OGRE_SCENE_MANAGER_HPP

#include <acre/acre.hpp>

#include <OgreCamera.h>
#include <OgrePlugin.h>
#include <OgreSceneManager.h>
#include <OgreSceneNode.h>

#include <vector>

namespace host
{

/// The volume of a camera, as Acre takes it.
acre_frustum frustum_of(const Ogre::Camera &camera);

/// OGRE reports errors by exceptions: throws where Acre failed.
void check(acre::error failed, const char *where);

class tree_manager;

/// A node whose box holds its own objects, not its children: those are nodes of their own.
class tree_node : public Ogre::SceneNode
{
  public:
    explicit tree_node(tree_manager &manager);
    tree_node(tree_manager &manager, const Ogre::String &name);
    ~tree_node() override;

  protected:
    void _updateBounds() override;
    void setInSceneGraph(bool is_in) override;

  private:
    tree_manager &manager_;
    uint32_t slot_;
};

class tree_manager : public Ogre::SceneManager
{
  public:
    static const Ogre::String type_name;

    explicit tree_manager(const Ogre::String &name);
    ~tree_manager() override;
    const Ogre::String &getTypeName() const override;
    void _updateSceneGraph(Ogre::Camera *camera) override;
    void _findVisibleObjects(Ogre::Camera *camera, Ogre::VisibleObjectsBoundsInfo *bounds,
                             bool only_casters) override;

    // For its nodes.
    uint32_t add(tree_node *node);
    void place(uint32_t slot, const Ogre::AxisAlignedBox &box); // a null box: out of the culler
    void forget(uint32_t slot);

  protected:
    Ogre::SceneNode *createSceneNodeImpl() override;
    Ogre::SceneNode *createSceneNodeImpl(const Ogre::String &name) override;

  private:
    struct row {
        tree_node *node;
        bool has_box;
        bool is_object;  // the culler has it since the last update
        bool is_another; // than the last update had in this slot
        bool is_listed;  // in changed_
    };
    void list(uint32_t slot);
    void update();

    acre::culling culling_;
    std::vector<row> rows_;        // by slot
    std::vector<acre_aabb> boxes_; // by slot
    std::vector<uint32_t> changed_, removed_, added_, moved_, free_slots_, visible_;
};

class tree_manager_factory : public Ogre::SceneManagerFactory
{
  public:
    Ogre::SceneManager *createInstance(const Ogre::String &name) override;
    void destroyInstance(Ogre::SceneManager *manager) override;

  protected:
    void initMetaData() const override;
};

} // namespace host

#endif
