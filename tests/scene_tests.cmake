# SPDX-License-Identifier: MIT
# scene_tests.cmake - the tests of scene and culling.
if(TARGET acre_scene)
    acre_add_test(test_scene acre_scene)
endif()
