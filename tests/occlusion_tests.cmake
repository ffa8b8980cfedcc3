# SPDX-License-Identifier: MIT
# occlusion_tests.cmake - the tests of modules/occlusion.
acre_add_test(occlusion/test_occluder acre_occlusion)
acre_add_test(occlusion/test_occluder_heights acre_occlusion)
acre_add_test(occlusion/test_horizon acre_occlusion)
acre_add_test(occlusion/test_occluder_move acre_occlusion)
target_include_directories(test_occluder_move PRIVATE ${PROJECT_SOURCE_DIR}/modules/occlusion/src)
target_include_directories(test_horizon PRIVATE ${PROJECT_SOURCE_DIR}/modules/occlusion/src)

# Whether a horizon hides what rays see; campaigns/occluded_rays.sh asks for longer.
add_executable(occluded_rays campaigns/occluded_rays.c)
target_link_libraries(occluded_rays PRIVATE acre_test acre_occlusion m)
target_include_directories(occluded_rays PRIVATE ${PROJECT_SOURCE_DIR}/modules/occlusion/src
    ${PROJECT_SOURCE_DIR}/engine/core/src)
# The rays are the test's own sums, not Acre's: loops for vectors, without sanitizers.
if(NOT MSVC)
    set_source_files_properties(campaigns/occluded_rays.c PROPERTIES COMPILE_OPTIONS
        "-O3;-fno-trapping-math;-fno-sanitize=all")
endif()
add_test(NAME occluded_rays COMMAND occluded_rays 4000000)
add_test(NAME occluded_rays_long COMMAND occluded_rays 100000000 1000)
acre_long(occluded_rays_long)
# What a horizon costs; no test.
add_executable(horizon_cost EXCLUDE_FROM_ALL campaigns/horizon_cost.c)
target_link_libraries(horizon_cost PRIVATE acre_flags acre_occlusion m)
