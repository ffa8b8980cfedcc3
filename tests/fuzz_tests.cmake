# SPDX-License-Identifier: MIT
# fuzz_tests.cmake - fuzz targets, each as a short test of fixed length; fuzz.sh runs them longer.
option(ACRE_FUZZER "Build the fuzz targets with clang's -fsanitize=fuzzer, to be run by hand" OFF)

# acre_add_fuzz(name runs libraries...): tests/fuzz/name.c with its seeds in tests/fuzz/name.
function(acre_add_fuzz name runs)
    add_executable(${name} fuzz/${name}.c support/fuzz_input.c)
    target_link_libraries(${name} PRIVATE acre_test ${ARGN})
    if(ACRE_FUZZER)
        target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    else()
        target_sources(${name} PRIVATE fuzz/fuzz_main.c)
        add_test(NAME ${name} COMMAND ${name} --runs ${runs} --save ${name}.finding
            ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/${name})
    endif()
endfunction()

if(TARGET acre_record)
    add_library(acre_checked_tree STATIC support/checked_tree.c)
    target_link_libraries(acre_checked_tree PUBLIC acre_record acre_record_inside acre_query_oracles)
    acre_add_fuzz(fuzz_quadtree 3000 acre_checked_tree acre_record_scenario acre_pair_oracles)
    acre_add_fuzz(fuzz_record 20000 acre_record)
endif()
if(TARGET acre_camera)
    acre_add_fuzz(fuzz_frustum 60000 acre_camera)
endif()
if(TARGET acre_culling)
    acre_add_fuzz(fuzz_scene 2000 acre::culling acre_scene_oracle)
    acre_add_fuzz(fuzz_culling 10000 acre_view_oracle acre_pair_oracles)
    foreach(fuzz fuzz_scene fuzz_culling)
        target_link_libraries(${fuzz} PRIVATE acre_culling acre_culling_inside)
    endforeach()
endif()
if(TARGET acre_culling AND TARGET acre_interest)
    acre_add_fuzz(fuzz_interest 3000 acre_interest_stream acre_culling_stream)
endif()

# The counterpart without chance: every wrong call there is.
if(TARGET acre_culling AND TARGET acre_record)
    acre_add_test(test_misuse acre::culling acre_debug acre_record acre_scene acre_scene_inside)
    target_compile_definitions(test_misuse PRIVATE TEST_HAS_IMPORT=$<TARGET_EXISTS:acre_import>)
    if(TARGET acre_import)
        target_link_libraries(test_misuse PRIVATE acre_import)
    endif()
endif()
if(TARGET acre_culling AND TARGET acre_partition AND TARGET acre_record)
    acre_add_test(test_failing_paths acre::culling acre_debug acre_interest acre_partition acre_record)
    target_include_directories(test_failing_paths PRIVATE ${PROJECT_SOURCE_DIR}/engine/core/src
        ${PROJECT_SOURCE_DIR}/engine/scene/src ${PROJECT_SOURCE_DIR}/modules/culling/src
        ${PROJECT_SOURCE_DIR}/modules/quadtree/src/ground)
endif()
