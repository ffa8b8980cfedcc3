// SPDX-License-Identifier: MIT
// ogre_plugin.cpp - the scene manager as a plug-in that OGRE loads: a line in plugins.cfg.
//     Plugin=Plugin_AcreSceneManager
#include "ogre_scene_manager.hpp"

#include <OgreRoot.h>

namespace
{

class tree_plugin : public Ogre::Plugin
{
  public:
    const Ogre::String &getName() const override
    {
        return name_;
    }
    void install() override
    {
    }
    void initialise() override
    {
        Ogre::Root::getSingleton().addSceneManagerFactory(&factory_);
    }
    void shutdown() override
    {
        Ogre::Root::getSingleton().removeSceneManagerFactory(&factory_);
    }
    void uninstall() override
    {
    }

  private:
    const Ogre::String name_ = "Acre scene manager";
    host::tree_manager_factory factory_;
};

tree_plugin *plugin;

} // namespace

extern "C" __attribute__((visibility("default"))) void dllStartPlugin()
{
    plugin = new tree_plugin;
    Ogre::Root::getSingleton().installPlugin(plugin);
}

extern "C" __attribute__((visibility("default"))) void dllStopPlugin()
{
    Ogre::Root::getSingleton().uninstallPlugin(plugin);
    delete plugin;
}
