// SPDX-License-Identifier: MIT
// ogre_scene_manager.hpp - a scene manager for OGRE 1.12 that finds visible nodes in Acre's tree.
//
// A program asks OGRE for the type "AcreSceneManager" and changes nothing else. OGRE keeps the
// nodes and computes their boxes; the tree gets each box that changed, and answers what a camera
// sees.
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
    uint32_t item_; // in the tree while it has a box
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
    void place(uint32_t item, const Ogre::AxisAlignedBox &box);
    void take_out(uint32_t item);
    void forget(uint32_t item);

  protected:
    Ogre::SceneNode *createSceneNodeImpl() override;
    Ogre::SceneNode *createSceneNodeImpl(const Ogre::String &name) override;

  private:
    acre::quadtree tree_;
    std::vector<tree_node *> nodes_; // by item
    std::vector<uint32_t> free_items_;
    std::vector<uint32_t> visible_;
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
