# SPDX-License-Identifier: MIT
# scene_tests.cmake - the tests of scene and culling.
if(TARGET acre_scene)
    acre_add_test(test_scene acre_scene)
endif()
if(TARGET acre_culling)
    acre_add_test(test_culling acre_culling)
endif()
