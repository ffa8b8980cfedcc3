# SPDX-License-Identifier: MIT
# scene_tests.cmake - the tests of scene and culling.
if(TARGET acre_scene)
    acre_add_test(test_scene acre_scene)
    add_library(acre_scene_oracle STATIC scene_oracle.c)
    target_link_libraries(acre_scene_oracle PUBLIC acre_test acre_scene)
    acre_add_test(test_scene_random acre_scene_oracle)
endif()
if(TARGET acre_culling)
    acre_add_test(test_culling acre_culling)
    acre_add_test(test_culling_random acre_culling acre_scene_oracle)
    acre_add_test(test_culling_cameras acre_culling)
endif()
